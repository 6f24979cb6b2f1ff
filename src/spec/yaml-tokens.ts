import { Composer, Lexer, Parser, type CST, type Document, type ErrorCode } from 'yaml';
import { Problem } from '../model/problem.ts';
import type { Placer } from './source.ts';
import { slipInWords, type Slip } from './yaml-errors.ts';

const maxDepth = 64;
/** Keys, values, marks and the space between them. A zone of 5,000 records has half as many. */
const maxLexemes = 200_000;
const maxDocuments = 1000;
/** Where YAML stops making sense, the first complaints are the useful ones. */
const maxSlips = 10;

type Token = CST.Token;

export type Composed = {
  /** Documents without slips, still the library's. */
  readonly documents: readonly Document.Parsed[];
  readonly problems: readonly Problem[];
};

/** Text to the library's documents. Never deeper, longer or more broken than can be told in no time. */
export function composeYaml(text: string, place: Placer): Composed {
  const tokens: Token[] = [];
  const slips: Slip[] = [];
  const parser = new Parser();
  let lexemes = 0;
  const keep = (found: Iterable<Token>): void => {
    for (const token of found) {
      if (token.type === 'error') slips.push(slipAt(token, 'UNEXPECTED_TOKEN', token.message));
      else tokens.push(token);
    }
  };
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > maxLexemes) return { documents: [], problems: [tooMuch(place)] };
    keep(parser.next(lexeme));
    if (slips.length >= maxSlips || parser.stack.length > 4 * maxDepth) break;
  }
  keep(parser.end());
  const tooDeep = firstTooDeep(tokens);
  if (tooDeep !== undefined) {
    const at = place(tooDeep, tooDeep + 1);
    const message = `The nesting is deeper than ${maxDepth} levels.`;
    return { documents: [], problems: [new Problem('too-deep', message, { at, remedy: 'Flatten it.' })] };
  }
  const starts = tokens.flatMap((token) => (token.type === 'document' ? [token.offset] : []));
  if (starts.length > maxDocuments) return { documents: [], problems: [tooMuch(place)] };
  const broken = new Set(slips.map(({ start }) => starts.findLastIndex((offset) => offset <= start)));
  const documents = compose(tokens, (slip, document) => {
    broken.add(document);
    if (slips.length < maxSlips) slips.push(slip);
  });
  return {
    documents: documents.filter((_, index) => !broken.has(index)),
    problems: inWords(text, slips, slips.some(isUnclosed) ? unclosed(tokens) : [], place),
  };
}

const tooMuch = (place: Placer): Problem =>
  new Problem('too-many-values', 'There is more in this file than ichor reads.', {
    at: place(0, 1),
    remedy: 'Split it into several files and give each with -f.',
  });

function compose(tokens: readonly Token[], onSlip: (slip: Slip, document: number) => void): readonly Document.Parsed[] {
  // Duplicate keys are found later: the library compares every key with every other one.
  const composer = new Composer({ uniqueKeys: false, merge: false, version: '1.2' });
  let current = -1;
  // The library makes an Error with a stack for each slip, and there can be as many as there are commas.
  (composer as unknown as { onError: OnError }).onError = (source, code, message, warning = false) => {
    // A closing bracket in the column of its key: every other reader accepts it.
    if (!warning || code !== 'BAD_INDENT') onSlip(slipAt(source, code, message), current);
  };
  const documents: Document.Parsed[] = [];
  const keep = (found: Iterable<Document.Parsed>): void => {
    for (const document of found) {
      // A few it reports another way.
      for (const { pos, code, message } of document.errors) onSlip(slipAt(pos, code, message), documents.length);
      documents.push(document);
    }
  };
  for (const token of tokens) {
    if (token.type === 'document') current++;
    keep(composer.next(token));
  }
  keep(composer.end() as Iterable<Document.Parsed>);
  return documents;
}

type SlipSource =
  | number
  | readonly [number, number, ...number[]]
  | { readonly offset: number; readonly source?: unknown };
type OnError = (source: SlipSource, code: ErrorCode, message: string, warning?: boolean) => void;

function slipAt(source: SlipSource, code: ErrorCode, hint: string): Slip {
  if (typeof source === 'number') return { start: source, end: source + 1, code, hint };
  if ('offset' in source) {
    const length = typeof source.source === 'string' ? source.source.length : 1;
    return { start: source.offset, end: source.offset + length, code, hint };
  }
  return { start: source[0], end: source[1], code, hint };
}

const isUnclosed = ({ hint }: Slip): boolean => /Missing closing|must end with|and end with/.test(hint);

type Opening = { readonly start: number; readonly opens: string; readonly closes: string };

/** One complaint per line; and where a quote or bracket is never closed, that alone, at its beginning. */
function inWords(
  text: string,
  slips: readonly Slip[],
  [opening]: readonly Opening[],
  place: Placer,
): readonly Problem[] {
  const problems = slips
    .filter(({ start }) => opening === undefined || start < opening.start)
    .toSorted((one, other) => one.start - other.start)
    .map((slip) => {
      const at = place(slip.start, Math.max(slip.end, slip.start + 1));
      const { message, remedy } = slipInWords(slip, text.charAt(slip.start), at.column);
      return new Problem('yaml', message, { at, remedy });
    });
  if (opening !== undefined) {
    const { start, opens, closes } = opening;
    const at = place(start, start + 1);
    problems.push(new Problem('yaml', `This ${opens} is never closed.`, { at, remedy: `Add the ${closes}.` }));
  }
  return problems.filter(({ at }, index) => index === 0 || at?.line !== problems[index - 1]?.at?.line);
}

function unclosed(tokens: readonly Token[]): readonly Opening[] {
  const found: Opening[] = [];
  for (const { token } of walk(tokens)) {
    if (token.type === 'flow-collection') {
      const closes = token.start.source === '{' ? '}' : ']';
      if (!token.end.some(({ source }) => source === closes))
        found.push({ start: token.start.offset, opens: token.start.source, closes });
    } else if (token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar') {
      const quote = token.type === 'double-quoted-scalar' ? '"' : "'";
      if (!closed(token.source, quote)) found.push({ start: token.offset, opens: quote, closes: quote });
    }
  }
  // Of several the last one was opened when the end came.
  return found.toSorted((one, other) => other.start - one.start);
}

function closed(source: string, quote: string): boolean {
  if (source.length < 2 || !source.endsWith(quote)) return false;
  if (quote === '"') return (/\\*$/.exec(source.slice(0, -1))?.[0].length ?? 0) % 2 === 0;
  return (/'*$/.exec(source.slice(1))?.[0].length ?? 0) % 2 === 1;
}

/** The parser does not recurse, the composer does: so the depth is measured between the two. */
function firstTooDeep(tokens: readonly Token[]): number | undefined {
  for (const { token, depth } of walk(tokens)) if (depth > maxDepth) return token.offset;
  return undefined;
}

function* walk(tokens: readonly Token[]): Iterable<{ readonly token: Token; readonly depth: number }> {
  const stack: { readonly token: Token; readonly depth: number }[] = [];
  const push = (token: Token | null | undefined, depth: number): void => {
    if (token) stack.push({ token, depth });
  };
  for (const token of tokens) push(token, 0);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    yield next;
    const { token, depth } = next;
    if (token.type === 'document') push(token.value, depth);
    if (!('items' in token)) continue;
    for (const item of token.items) {
      push(item.key, depth + 1);
      push(item.value, depth + 1);
    }
  }
}
