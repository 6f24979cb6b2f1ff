/** A block of code in a page. */
export type Fence = {
  readonly line: number;
  readonly language: string;
  /** What stands behind the language: no-run, fails, file=NAME. */
  readonly markers: readonly string[];
  readonly code: string;
};

export type Link = { readonly line: number; readonly target: string };

/** A command of a console fence, and what it prints; undefined when nothing is shown. */
export type Step = { readonly line: number; readonly command: string; readonly output: string | undefined };

const opening = /^(\s*)(`{3,}|~{3,})\s*([^`]*)$/;

export function fencesOf(page: string): readonly Fence[] {
  const fences: Fence[] = [];
  let open:
    | { readonly mark: string; readonly indent: number; readonly line: number; readonly info: string; lines: string[] }
    | undefined;
  for (const [index, line] of page.split('\n').entries()) {
    const [, indent = '', mark = '', info = ''] = opening.exec(line) ?? [];
    if (open === undefined) {
      if (mark !== '') open = { mark, indent: indent.length, line: index + 1, info: info.trim(), lines: [] };
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      const [language = '', ...markers] = open.info.split(/\s+/);
      fences.push({ line: open.line, language, markers, code: open.lines.map((each) => `${each}\n`).join('') });
      open = undefined;
    } else open.lines.push(line.slice(Math.min(open.indent, line.search(/\S|$/))));
  }
  if (open !== undefined) throw new Error(`The fence of line ${open.line} is never closed.`);
  return fences;
}

/** `$ command`, then what it prints. A backslash at the end of a line goes on with the next. */
export function stepsOf({ code, line }: Fence): readonly Step[] {
  const steps: { line: number; command: string; output: string[] }[] = [];
  let goesOn = false;
  for (const [index, text] of code.split('\n').entries()) {
    const last = steps.at(-1);
    if (goesOn && last) last.command += `\n${text.replace(/^> /, '')}`;
    else if (text.startsWith('$ ')) steps.push({ line: line + index + 1, command: text.slice(2), output: [] });
    else if (last) last.output.push(text);
    else if (text.trim() !== '') throw new Error(`Line ${line + index + 1}: a console fence begins with "$ command".`);
    goesOn = (goesOn || text.startsWith('$ ')) && text.endsWith('\\');
  }
  return steps.map(({ output, ...step }) => {
    const shown = output.join('\n').trimEnd();
    return { ...step, output: shown === '' ? undefined : shown };
  });
}

const link = /!?\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;

/** Links outside of code. */
export function linksOf(page: string): readonly Link[] {
  const fences = fencesOf(page).map(({ line, code }) => ({ first: line, last: line + code.split('\n').length }));
  return page.split('\n').flatMap((line, index) => {
    if (fences.some(({ first, last }) => first <= index + 1 && index + 1 <= last)) return [];
    const prose = line.replaceAll(/`[^`]*`/g, (code) => ' '.repeat(code.length));
    return [...prose.matchAll(link)].map(({ 1: target = '' }) => ({ line: index + 1, target }));
  });
}

/** The names that links can point at, as GitHub makes them of headings. */
export const anchorsOf = (page: string): readonly string[] =>
  page.split('\n').flatMap((line) => {
    const title = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (title === undefined) return [];
    const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*_]/g, '');
    return [
      plain
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ];
  });

/** Whether a program printed what a page shows; a line with … alone stands for any lines, also none. */
export function isShown(printed: string, shown: string): boolean {
  const lines = printed
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  const matches = (at: number, pattern: readonly string[]): boolean => {
    const [first, ...rest] = pattern;
    if (first === undefined) return at === lines.length;
    if (first.trim() === '…')
      return Array.from({ length: lines.length - at + 1 }, (_, skipped) => at + skipped).some((next) =>
        matches(next, rest),
      );
    return lines[at] === first.trimEnd() && matches(at + 1, rest);
  };
  return matches(0, shown.split('\n'));
}
