import type { Problem } from '../../model/problem.ts';
import type { Cursor } from './hcl-cursor.ts';

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/** Text in double quotes; the cursor stands at the first of them. */
export function quotedText(cursor: Cursor): string {
  const start = cursor.offset;
  cursor.takeText('"');
  let value = '';
  for (;;) {
    if (cursor.atEnd)
      throw cursor.problem(start, start + 1, {
        message: 'This text has no end.',
        remedy: 'Close it with a double quote.',
      });
    if (cursor.seesNewline || cursor.sees('\r'))
      throw cursor.problem(start, cursor.offset, {
        message: 'Text in quotes ends on the line where it begins.',
        remedy: 'Write \\n for a line break, or use <<EOT for text of several lines.',
      });
    if (cursor.takeText('"')) return value.normalize('NFC');
    value += cursor.sees('\\') ? escaped(cursor) : literal(cursor, /[^"\\$%\r\n]+/y);
  }
}

function escaped(cursor: Cursor): string {
  const start = cursor.offset;
  const simple = cursor.take(/\\([nrt"\\])/y)?.[1];
  if (simple !== undefined) return escapes[simple] ?? '';
  const digits = cursor.take(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))/y);
  const code = Number.parseInt(digits?.[1] ?? digits?.[2] ?? '', 16);
  if (code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return String.fromCodePoint(code);
  throw digits
    ? cursor.problem(start, cursor.offset, {
        message: 'There is no character of this number.',
        remedy: 'Write the character itself.',
      })
    : cursor.problem(start, start + 2, {
        message: 'This is not an escape sequence that HCL knows.',
        remedy: 'Use \\n, \\r, \\t, \\", \\\\, \\uXXXX or \\UXXXXXXXX; a backslash itself is written \\\\.',
      });
}

/** Plain characters, and the signs that may open a template: $${ and %%{ stand for ${ and %{. */
function literal(cursor: Cursor, plain: RegExp): string {
  const sign = cursor.take(/([$%])\1\{/y)?.[1];
  if (sign !== undefined) return `${sign}{`;
  if (cursor.sees('${') || cursor.sees('%{')) throw template(cursor);
  return (cursor.take(plain) ?? cursor.take(/[$%]/y))?.[0] ?? '';
}

const template = (cursor: Cursor): Problem =>
  cursor.problem(cursor.offset, cursor.offset + 2, {
    message: `A template (${cursor.sees('${') ? '${…}' : '%{…}'}) is not a plain value.`,
    remedy: 'Write the value itself; text that holds these characters has the sign twice: $${ or %%{.',
    code: 'hcl-expression',
  });

const heredocOpening = /<<(-?)([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
/** What Go calls a space. */
const leadingSpace = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*/;

/** Text of several lines, from <<EOT or <<-EOT to EOT on a line of its own. */
export function heredocText(cursor: Cursor): string {
  const start = cursor.offset;
  const opening = cursor.take(heredocOpening);
  if (!opening)
    throw cursor.problem(start, start + 2, {
      message: 'This is not the beginning of a text of several lines.',
      remedy: 'Write <<EOT with nothing behind it on the line, the text, and EOT on a line of its own.',
    });
  const [, flush, marker = ''] = opening;
  const lines: string[] = [];
  for (;;) {
    const line = cursor.take(/[^\r\n]*\r?\n/y)?.[0];
    if (line === undefined)
      throw cursor.problem(start, start + opening[0].trimEnd().length, {
        message: `This text has no end: ${marker} does not stand on a line of its own.`,
        remedy: `Close it with a line that is only ${marker}, and a line break behind it.`,
      });
    if (withoutSpaces(line) === marker) {
      // The line break is left to end the attribute.
      cursor.offset -= line.endsWith('\r\n') ? 2 : 1;
      return (flush === '-' ? flushed(lines) : lines).join('').normalize('NFC');
    }
    cursor.offset -= line.length;
    lines.push(heredocLine(cursor, cursor.offset + line.length));
  }
}

function heredocLine(cursor: Cursor, end: number): string {
  let value = '';
  while (cursor.offset < end) value += literal(cursor, /[^$%\n]+\n?|\n/y);
  return value;
}

const withoutSpaces = (line: string): string => {
  const rest = line.slice(leadingSpace.exec(line)?.[0].length ?? 0);
  let end = rest.length;
  while (end > 0 && (leadingSpace.exec(rest.charAt(end - 1))?.[0].length ?? 0) > 0) end--;
  return rest.slice(0, end);
};

/** <<- takes from every line the spaces that all of them begin with; blank lines neither count nor change. */
function flushed(lines: readonly string[]): readonly string[] {
  const indented = lines.map((line) => ({ line, spaces: leadingSpace.exec(line)?.[0].length ?? 0 }));
  const written = indented.filter(({ line, spaces }) => spaces < line.length);
  const least = written.reduce((fewest, { spaces }) => Math.min(fewest, spaces), Infinity);
  return indented.map(({ line, spaces }) => (spaces < line.length ? line.slice(least) : line));
}
