const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** The order in which Go’s YAML writes the keys of a map: numbers by their value, other signs before letters, except after a digit. */
export function byGoKey(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  const at = a.findIndex((rune, index) => rune !== b[index]);
  const [x, y] = [a[at], b[at]];
  if (x === undefined || y === undefined) return a.length - b.length;
  const letters = [letter.test(x), letter.test(y)] as const;
  if (letters[0] !== letters[1]) return letters[0] === digit.test(a[at - 1] ?? '') ? -1 : 1;
  if (!letters[0]) {
    const [left, right] = [digitsFrom(a, at), digitsFrom(b, at)];
    // Zeros behind other digits are part of a number: 10 comes before 100, 1 before 01.
    const inside = (x === '0' || y === '0') && /[1-9]\d*$/.test(a.slice(0, at).join('')) ? '1' : '0';
    const [m, n] = [BigInt(inside + left), BigInt(inside + right)];
    if (m !== n) return m < n ? -1 : 1;
    if (left.length !== right.length) return left.length - right.length;
  }
  return x < y ? -1 : 1;
}

const digitsFrom = (runes: readonly string[], at: number): string => /^\d*/.exec(runes.slice(at).join(''))?.[0] ?? '';
