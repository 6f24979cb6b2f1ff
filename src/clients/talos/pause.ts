import { setTimeout as sleep } from 'node:timers/promises';
import { shared } from '../../model/signals.ts';

/** Ends early, with the signal’s own reason, when it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: shared(signal) }).catch(() => undefined);
  signal.throwIfAborted();
}

/** 0.1 s, then longer and longer, at most 3 s: whoever waits is not late by much of what it took. */
export function* growingPauses(): Generator<number, never, undefined> {
  for (let ms = 100; ; ms = Math.min(3000, ms * 1.3)) yield ms;
}
