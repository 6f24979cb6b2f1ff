import type { Problem } from '../../model/problem.ts';
import type { Scalar } from '../tree.ts';
import type { Cursor } from './hcl-cursor.ts';
import { heredocText, quotedText } from './hcl-string.ts';

export const identifier = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;

/** Text, a number, true, false or null. */
export function scalar(cursor: Cursor, newlines: boolean): Scalar {
  if (cursor.sees('"')) return quotedText(cursor);
  if (cursor.sees('<<')) return heredocText(cursor);
  if (cursor.take(/-(?=\s*\d)/y)) {
    cursor.skip({ newlines });
    return 0 - number(cursor);
  }
  return /\d/.test(cursor.text.charAt(cursor.offset)) ? number(cursor) : word(cursor);
}

export function number(cursor: Cursor): number {
  const start = cursor.offset;
  const written = cursor.take(/\d(?:\.(?=[\d.eE])|\d|[eE][+-]?\d)*/y)?.[0] ?? '';
  if (!/^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(written))
    throw cursor.problem(start, cursor.offset, {
      message: 'This is not a number.',
      remedy: 'Write for example 3, 1.5 or 2e3; a version or an address is text in quotes.',
    });
  const value = Number(written);
  if (Number.isFinite(value)) return value;
  throw cursor.problem(start, cursor.offset, {
    message: 'This number is too large.',
    remedy: 'Use a smaller one.',
    code: 'out-of-bounds',
  });
}

function word(cursor: Cursor): boolean | null {
  const start = cursor.offset;
  const name = cursor.take(identifier)?.[0];
  const called = cursor.sees('(') || cursor.sees('::');
  if (!called && (name === 'true' || name === 'false')) return name === 'true';
  if (!called && name === 'null') return null;
  if (name !== undefined)
    throw computed(cursor, start, {
      message: `This is ${called ? 'a function' : 'a reference'}, not a plain value.`,
      remedy: called ? 'Write the value that it gives.' : 'Write the value itself; text stands in double quotes.',
    });
  const expected = (remedy: string): Problem =>
    cursor.problem(start, start + 1, { message: 'Expected a value here.', remedy });
  if (cursor.atEnd || cursor.seesNewline) throw expected('Write it on the same line, or null for none.');
  if (/['`‘’“”]/.test(cursor.text.charAt(start)))
    throw cursor.problem(start, start + 1, {
      message: 'Text stands in double quotes.',
      remedy: 'Use " on both sides.',
    });
  refuseOperator(cursor);
  throw expected('Write text in double quotes, a number, true, false, null, […] or {…}.');
}

/** What Terraform could work out, and a reader of plain values does not. */
export const computed = (cursor: Cursor, start: number, said: { message: string; remedy: string }): Problem =>
  cursor.problem(start, cursor.offset, { ...said, code: 'hcl-expression' });

export function refuseOperator(cursor: Cursor): void {
  if (/[-+*/%<>=!&|?.[({]/.test(cursor.text.charAt(cursor.offset)))
    throw computed(cursor, cursor.offset, {
      message: 'An expression would have to be computed.',
      remedy: 'Write the value that it gives.',
    });
}
