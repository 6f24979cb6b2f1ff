import { isError, type Position, type Problem } from '../model/problem.ts';
import { hideSecrets } from '../model/secrets.ts';
import type { Terminal } from './terminal.ts';
import { wrap } from './views/wrap.ts';

/** Files by name, as they may be shown: whoever read them has starred out what is secret. */
export type Texts = ReadonlyMap<string, string>;

/** For programs: the same fields for every problem. */
export const problemsJson = (problems: readonly Problem[]): readonly Record<string, unknown>[] =>
  problems.map(({ at, path, code, message, remedy, severity }) => ({
    file: at?.file ?? null,
    line: at?.line ?? null,
    column: at?.column ?? null,
    path: path ?? null,
    code,
    severity,
    message,
    remedy,
  }));

/** For people: where, what, the line itself, and what would be right. */
export function problemText(problem: Problem, texts: Texts, terminal: Terminal): string {
  const { paint, again = (text) => text } = terminal;
  const { at, path, message, remedy } = problem;
  const mark = isError(problem) ? paint(['bold', 'red'], 'error') : paint(['bold', 'yellow'], 'warning');
  const where = at ? `${paint('bold', `${at.file}:${at.line}:${at.column}`)}: ` : '';
  const lines = [...readable(`${where}${mark}: ${again(message)}`, '', terminal)];
  if (path !== undefined && path !== '') lines.push(paint('dim', `  at ${path}`));
  if (at) lines.push(...excerpt(at, texts.get(at.file), paint));
  if (remedy !== '') lines.push(...readable(again(remedy), '  ', terminal).map((line) => painted(line, paint)));
  return `${lines.join('\n')}\n`;
}

/** On a terminal whole words; what is indented is typed, or a list, and stays as it is. */
const readable = (text: string, indent: string, { columns, interactive }: Terminal): readonly string[] =>
  text.split('\n').flatMap((line, index) => {
    if (!interactive || line.startsWith('    ')) return [index === 0 ? `${indent}${line}` : line];
    return wrap(line, columns - indent.length).map((part) => `${indent}${part}`);
  });

/** Blanks before it stay without. */
const painted = (line: string, paint: Terminal['paint']): string =>
  line.replace(/\S.*/, (words) => paint('cyan', words));

/** What to do about it, each line below the other. */
export const remedyLines = (
  remedy: string,
  indent: string,
  { paint, again = (text) => text }: Pick<Terminal, 'paint' | 'again'>,
): readonly string[] =>
  remedy === ''
    ? []
    : again(remedy)
        .split('\n')
        .map((line) => `${indent}${paint('cyan', line)}`);

const widest = 160;

function excerpt(at: Position, text: string | undefined, paint: Terminal['paint']): readonly string[] {
  const line = text?.split('\n')[at.line - 1]?.replace(/\r$/, '');
  if (line === undefined || line.trim() === '') return [];
  const shown = hideSecrets(line).replaceAll('\t', ' ');
  const from = at.column > widest - 20 ? at.column - 60 : 0;
  const clipped = `${from > 0 ? '…' : ''}${shown.slice(from, from + widest)}${shown.length > from + widest ? '…' : ''}`;
  const column = at.column - 1 - from + (from > 0 ? 1 : 0);
  const carets = '^'.repeat(Math.max(1, Math.min(at.length, clipped.length - column)));
  const number = String(at.line);
  return [
    `  ${paint('dim', `${number} |`)} ${clipped}`,
    `  ${paint('dim', `${' '.repeat(number.length)} |`)} ${' '.repeat(column)}${paint(['bold', 'red'], carets)}`,
  ];
}

/** For a pull request: GitHub shows each at its line. */
export function problemAnnotation({ at, message, remedy, severity, code }: Problem): string {
  const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const place = at
    ? `file=${property(at.file)},line=${at.line},col=${at.column},endColumn=${at.column + at.length},`
    : '';
  return `::${severity} ${place}title=${property(`ichor: ${code}`)}::${escaped(remedy === '' ? message : `${message}\n${remedy}`)}\n`;
}

export function summary(problems: readonly Problem[]): string {
  const errors = problems.filter(isError).length;
  const warnings = problems.length - errors;
  const count = (number: number, noun: string): readonly string[] =>
    number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`];
  return [...count(errors, 'error'), ...count(warnings, 'warning')].join(' and ');
}
