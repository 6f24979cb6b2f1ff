import type { Sent } from './form.ts';

const file = '/usr/share/perl5/PVE/APIServer/AnyEvent.pm';

/** A JSON object; what is none is refused in words that look like Perl’s. */
export function parseJson(text: string): Sent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${complaint(text, error as Error)} at ${file} line 934.`, { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`Not a HASH reference at ${file} line 978.`);
  return value as Sent;
}

function complaint(text: string, { message }: Error): string {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
  const rest = text.slice(position);
  const before = `at character offset ${position} (before "${rest === '' ? '(end of string)' : rest}")`;
  return /[{,]\s*$/.test(text.slice(0, position))
    ? `'"' expected, ${before}`
    : `malformed JSON string, neither tag, array, object, number, string or atom, ${before}`;
}
