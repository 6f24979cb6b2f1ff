/** A module that a source names, and how. */
export type Import = {
  readonly from: string;
  readonly line: number;
  readonly kind: 'static' | 'dynamic' | 'type';
  /** What is imported by name; undefined when everything is (a namespace, a default, a side effect, a dynamic import). */
  readonly names: readonly string[] | undefined;
};

const statement =
  /\b(import|export)\b\s*(type\b(?!\s*from\b|\s*,)\s*)?((?:[\w$*\s,]|\{[^}]*\})*?)\s*\bfrom\s*(["'])([^"'\n]+)\4/g;
const sideEffect = /\bimport\s*(["'])([^"'\n]+)\1/g;
const dynamic = /(?<![.\w])(?:import|require)\s*\(\s*(["'`])([^"'`\n]+)\1/g;

/** Every import and re-export of a source, in the order of its lines. */
export function importsOf(source: string): readonly Import[] {
  const code = withoutComments(source);
  const bare = withoutText(code);
  const lineAt = (index: number): number => code.slice(0, index).split('\n').length;
  /** What begins inside of a text is text. */
  const all = (pattern: RegExp) => [...code.matchAll(pattern)].filter(({ index }) => /\w/.test(bare.charAt(index)));
  return [
    ...all(statement).map(({ index, 2: type, 3: clause = '', 5: from = '' }): Import => ({
      from,
      line: lineAt(index),
      ...namesOf(clause, type !== undefined),
    })),
    ...all(sideEffect).map(({ index, 2: from = '' }): Import => ({
      from,
      line: lineAt(index),
      kind: 'static',
      names: undefined,
    })),
    ...all(dynamic).map(({ index, 2: from = '' }): Import => ({
      from,
      line: lineAt(index),
      kind: 'dynamic',
      names: undefined,
    })),
  ].toSorted((one, other) => one.line - other.line);
}

/** import { type A, b }: a type import only when everything in it is a type. */
function namesOf(clause: string, isType: boolean): Pick<Import, 'kind' | 'names'> {
  const braces = /^\{([^}]*)\}$/.exec(clause.trim())?.[1];
  const items = braces?.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
  const allTypes = isType || (items !== undefined && items.length > 0 && items.every((item) => /^type\s/.test(item)));
  return {
    kind: allTypes ? 'type' : 'static',
    names: items?.map((item) => item.replace(/^type\s+/, '').replace(/\s+as\s.*$/, '')),
  };
}

/** Names that a source uses without having made them, of those asked for; not where they are a property or in text. */
export function globalsOf(
  source: string,
  asked: readonly string[],
): readonly { readonly name: string; readonly line: number }[] {
  const code = withoutText(withoutComments(source));
  return asked.flatMap((name) =>
    [
      ...code.matchAll(new RegExp(`(?<![\\w$.])${name.replaceAll('.', '\\s*\\.\\s*')}(?![\\w$])(?!\\??\\s*:)`, 'g')),
    ].map(({ index }) => ({
      name,
      line: code.slice(0, index).split('\n').length,
    })),
  );
}

const withoutComments = (source: string): string => blank(source, 'comments');
const withoutText = (source: string): string => blank(source, 'text');

/** Puts spaces where comments, or text, were; lines stay lines. */
function blank(source: string, what: 'comments' | 'text'): string {
  let out = '';
  let at = 0;
  const take = (end: number, kind?: 'comments' | 'text'): void => {
    const piece = source.slice(at, end);
    out += kind === what ? piece.replaceAll(/[^\n]/g, ' ') : piece;
    at = Math.min(end, source.length);
  };
  /** For each template that is open, how many braces are open in its ${…}. */
  const open: number[] = [];
  while (at < source.length) {
    const character = source[at] ?? '';
    const braces = open.at(-1);
    if (source.startsWith('//', at)) take(found(source, '\n', at), 'comments');
    else if (source.startsWith('/*', at)) take(found(source, '*/', at + 2) + 2, 'comments');
    else if (character === '"' || character === "'") take(endOfText(source, at, character), 'text');
    else if (character === '/' && beginsRegExp(out.slice(-40))) take(endOfText(source, at, '/'), 'text');
    else if (character === '`' || (character === '}' && braces === 0)) {
      if (character === '}') open.pop();
      take(at + 1);
      take(endOfTemplate(source, at), 'text');
      if (source.startsWith('${', at)) {
        open.push(0);
        take(at + 2);
      } else take(at + 1);
    } else {
      if (braces !== undefined && character === '{') open[open.length - 1] = braces + 1;
      if (braces !== undefined && character === '}') open[open.length - 1] = braces - 1;
      take(at + 1);
    }
  }
  return out;
}

function found(source: string, text: string, from: number): number {
  const index = source.indexOf(text, from);
  return index === -1 ? source.length : index;
}

/** Behind the closing mark, or at the end of the line. In [ ] a slash does not end a regular expression. */
function endOfText(source: string, from: number, mark: string): number {
  let inClass = false;
  for (let at = from + 1; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (character === '\n') return at;
    else if (mark === '/' && character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === mark && !inClass) return at + 1;
  }
  return source.length;
}

/** At the closing mark, or at the next ${. */
function endOfTemplate(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '`' || source.startsWith('${', at)) return at;
  }
  return source.length;
}

/** A slash divides after a value, and begins a regular expression after anything else. */
const beginsRegExp = (before: string): boolean =>
  /(?:^|[=(,:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of))\s*$/.test(before);
