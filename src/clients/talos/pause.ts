import { setTimeout as sleep } from 'node:timers/promises';

/** Ends early, with the signal’s own reason, when it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: AbortSignal.any([signal]) }).catch(() => undefined);
  signal.throwIfAborted();
}

/** 0.25 s, then longer and longer, at most 5 s. */
export function* growingPauses(): Generator<number, never, undefined> {
  for (let ms = 250; ; ms = Math.min(5000, ms * 1.6)) yield ms;
}
