import { createHash } from 'node:crypto';

/** The signs that generated names are made of: no vowels, so that no words come out. */
const signs = 'bcdfghjklmnpqrstvwxz2456789';

export const hexOf = (random: () => number, length: number): string =>
  Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');

/** A short name for content: the same content, the same name. */
export function hashOf(content: unknown, collisions = 0): string {
  const digest = createHash('sha256')
    .update(`${stableText(content)}${collisions || ''}`)
    .digest();
  return Array.from(digest.subarray(0, 10), (byte) => signs[byte % signs.length]).join('');
}

const stableText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
