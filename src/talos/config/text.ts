import type { MachineConfig, Value } from './document.ts';

/** A machine configuration as talosctl lays it out: four blanks, keys in the order they were written. */
export const configText = (config: MachineConfig): string =>
  config.map((document) => `${block(document, 0)}\n`).join('---\n');

function block(value: Value, column: number): string {
  if (isList(value)) return value.map((item) => `${' '.repeat(column)}- ${listItem(item, column)}`).join('\n');
  if (isMap(value)) return entries(value, column, column + 4).join('\n');
  return `${' '.repeat(column)}${scalar(value, column)}`;
}

/** What follows the dash of a list item; further keys stand under the first one. */
function listItem(value: Value, column: number): string {
  if (isMap(value))
    return entries(value, column + 2, column + 4)
      .join('\n')
      .trimStart();
  if (isList(value) && value.length > 0) return block(value, column + 2).trimStart();
  return scalar(value, column + 2);
}

const entries = (value: { readonly [key: string]: Value }, column: number, inner: number): string[] =>
  Object.entries(value).map(([key, each]) => {
    const head = `${' '.repeat(column)}${line(key)}:`;
    return isMap(each) || (isList(each) && each.length > 0)
      ? `${head}\n${block(each, inner)}`
      : `${head} ${scalar(each, inner)}`;
  });

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
const isMap = (value: Value): value is { readonly [key: string]: Value } =>
  typeof value === 'object' && value !== null && !isList(value) && Object.keys(value).length > 0;

function scalar(value: Value, column: number): string {
  if (typeof value === 'string') return isLiteral(value) ? literal(value, column) : line(value);
  if (typeof value === 'object' && value !== null) return isList(value) ? '[]' : '{}';
  return String(value);
}

/** Text that reads the same inside of a literal block: lines, and nothing that an editor would not show. */
const isLiteral = (text: string): boolean =>
  text.includes('\n') && /^[^\s]/.test(text) && !text.endsWith('\n\n') && !unseen.test(text.replaceAll('\n', ''));

const literal = (text: string, column: number): string => {
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text;
  const indented = lines.replaceAll(/^(?=.)/gm, ' '.repeat(Math.max(column, 1)));
  return `|${text.endsWith('\n') ? '' : '-'}\n${indented}`;
};

/** Begins like a word, holds nothing that ends one, and is a number to nobody. */
const plain = /^[A-Za-z/](?:[!-9;-~]|:(?=[!-~])| (?=[!"$-~]))*$/;
const address = /^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?$/;
/** Words that some reader of YAML takes for something else than text. */
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|e\d+)$/i;
const printable = /^[ -~]*$/;
// Control characters, and what old readers of YAML take for the end of a line.
// oxlint-disable-next-line no-control-regex
const unseen = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;
const unseenInQuotes = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function line(text: string): string {
  if ((plain.test(text) && !reserved.test(text)) || address.test(text)) return text;
  if (/["\\]/.test(text) && printable.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replaceAll(
    unseenInQuotes,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
