const isDigit = (char: string | undefined): boolean => char !== undefined && /\p{Nd}/u.test(char);
const isLetter = (char: string | undefined): boolean => char !== undefined && /\p{L}/u.test(char);

/** Entries as Go’s YAML orders keys: numbers in them by size, and letters after everything else. */
export const inKeyOrder = <T>(entries: readonly (readonly [string, T])[]): (readonly [string, T])[] =>
  [...entries].sort(([a], [b]) => (a === b ? 0 : comesBefore(Array.from(a), Array.from(b)) ? -1 : 1));

function comesBefore(a: readonly string[], b: readonly string[]): boolean {
  const at = a.findIndex((char, index) => char !== b[index]);
  if (at === -1 || at >= b.length) return a.length < b.length;
  const [left = '', right = ''] = [a[at], b[at]];
  const [leftLetter, rightLetter] = [isLetter(left), isLetter(right)];
  if (leftLetter && rightLetter) return left < right;
  if (leftLetter || rightLetter) return isDigit(a[at - 1]) ? leftLetter : rightLetter;
  return numbersBefore(a, b, at) ?? left < right;
}

function numbersBefore(a: readonly string[], b: readonly string[], at: number): boolean | undefined {
  const significant = a.slice(0, at).join('').match(/\d+$/)?.[0] ?? '';
  const ahead = (a[at] === '0' || b[at] === '0') && /[1-9]/.test(significant) ? '1' : '';
  const [left, right] = [digitsFrom(a, at), digitsFrom(b, at)];
  const [more, less] = [Number(ahead + left), Number(ahead + right)];
  if (more !== less) return more < less;
  return left.length === right.length ? undefined : left.length < right.length;
}

function digitsFrom(chars: readonly string[], at: number): string {
  let end = at;
  while (isDigit(chars[end])) end += 1;
  return chars.slice(at, end).join('');
}
