import type { Entropy } from '../model/entropy.ts';

/** How often one step is tried in one pass. */
export const mostAttempts = 6;

const firstMs = 1000;
const longestMs = 15_000;

/** How long to rest after an attempt, counted from 1: twice as long each time, and never the same for two steps. */
export function restMs(attempt: number, entropy: Pick<Entropy, 'bytes'>): number {
  const full = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  const chance = (entropy.bytes(1)[0] ?? 0) / 255;
  return Math.round((full * (1 + chance)) / 2);
}
