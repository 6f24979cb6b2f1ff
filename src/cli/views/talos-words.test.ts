import { expect, test } from 'vitest';
import { bytes, span } from './talos-words.ts';

test.each<[count: bigint | number, words: string]>([
  [0n, '0 B'],
  [1023, '1023 B'],
  [1024n, '1 KiB'],
  [1536n, '1.5 KiB'],
  [42_949_672_960n, '40 GiB'],
  [10n ** 21n, '888178.4 PiB'],
])('%s bytes are %s', (count, words) => {
  expect(bytes(count)).toBe(words);
});

test.each<[ms: number, words: string]>([
  [400, '0 s'],
  [119_400, '119 s'],
  [120_000, '2 min'],
  [7_200_000, '2 h'],
  [172_800_000, '2 days'],
  [31_536_000_000, '365 days'],
])('%s ms are %s', (ms, words) => {
  expect(span(ms)).toBe(words);
});
