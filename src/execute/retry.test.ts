import { expect, test } from 'vitest';
import { restMs } from './retry.ts';

const chance = (byte: number) => ({ bytes: () => Uint8Array.of(byte) });

test.each([
  [1, 500, 1000],
  [2, 1000, 2000],
  [3, 2000, 4000],
  [4, 4000, 8000],
  [5, 7500, 15_000],
  [6, 7500, 15_000],
])('after attempt %i a step rests between %i and %i ms', (attempt, least, most) => {
  expect([restMs(attempt, chance(0)), restMs(attempt, chance(255))]).toEqual([least, most]);
});
