/** A value as it came: text, several of them, or what JSON has; undefined: there was a name and nothing behind it. */
export type SentValue = string | number | boolean | null | undefined | readonly SentValue[] | SentTree;
type SentTree = { readonly [name: string]: SentValue };

export type Sent = Record<string, SentValue>;

export const isSeveral = (value: SentValue): value is readonly SentValue[] => Array.isArray(value);

/** One text of it; what has no such form is nothing. */
export const textOf = (value: SentValue): string => {
  if (value === true) return '1';
  if (value === false) return '0';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/**
 * Pairs end at & and at ;, and what follows a second = is lost, as with the real parser. A name without a value is there
 * and undefined; a name that comes twice has both values.
 */
export function parseForm(form: string): Sent {
  const sent: Sent = {};
  for (const pair of form.split(/[&;]/)) {
    if (pair === '') continue;
    const [key = '', value] = pair.split('=');
    const name = unescaped(key);
    const text = value === undefined ? undefined : Buffer.from(unescaped(value), 'latin1').toString('utf8');
    const before = sent[name];
    sent[name] =
      text === undefined || before === undefined ? text : isSeveral(before) ? [...before, text] : [before, text];
  }
  return sent;
}

/** Bytes as latin1; a name keeps them so. */
const unescaped = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
