import { quote } from '../refusal.ts';

/** Moments in Go’s words. Both return what is written back, or throw what is wrong with it. */

export class NotATime extends Error {}

const seconds = '2006-01-02T15:04:05Z07:00';
const micros = '2006-01-02T15:04:05.000000Z07:00';

/** Whole seconds, in UTC. */
export function canonicalTime(text: string): string {
  const parsed = read(text, seconds);
  return `${parsed.toISOString().slice(0, 19)}Z`;
}

export function canonicalMicroTime(text: string): string {
  const parsed = read(text, micros);
  const fraction = /\.(\d{6})/.exec(text)?.[1] ?? '000000';
  return `${parsed.toISOString().slice(0, 19)}.${fraction}Z`;
}

/** Parts of a layout, each with what it looks like. */
const parts: readonly (readonly [string, RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d{2}/],
  ['-', /^-/],
  ['02', /^\d{2}/],
  ['T', /^T/],
  ['15', /^\d{2}/],
  [':', /^:/],
  ['04', /^\d{2}/],
  [':', /^:/],
  ['05', /^\d{2}/],
];

function read(text: string, layout: string): Date {
  let rest = text;
  const take = (name: string, pattern: RegExp): void => {
    const match = pattern.exec(rest);
    if (match === null) throw problem(text, layout, `cannot parse ${quote(rest)} as ${quote(name)}`);
    rest = rest.slice(match[0].length);
  };
  for (const [name, pattern] of parts) take(name, pattern);
  if (layout === micros) take('.000000', /^\.\d{6}/);
  else rest = rest.replace(/^[.,]\d+/, '');
  take('Z07:00', /^(Z|[+-]\d{2}:\d{2})/);
  if (rest !== '') throw problem(text, layout, `extra text: ${quote(rest)}`);
  const wrong = outOfRange(text);
  if (wrong !== undefined) throw new NotATime(`parsing time ${quote(text)}: ${wrong} out of range`);
  return new Date(text.replace(',', '.').replace(/(\.\d{3})\d*/, '$1'));
}

function outOfRange(text: string): string | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.slice(0, 19).split(/\D/).map(Number);
  if (month < 1 || month > 12) return 'month';
  if (hour > 23) return 'hour';
  if (minute > 59) return 'minute';
  if (second > 59) return 'second';
  return day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate() ? 'day' : undefined;
}

const problem = (text: string, layout: string, what: string): NotATime =>
  new NotATime(`parsing time ${quote(text)} as ${quote(layout)}: ${what}`);
