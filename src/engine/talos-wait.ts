import type { Clock } from '../model/clock.ts';
import type { Pause } from '../model/pause.ts';
import { Problem } from '../model/problem.ts';

export type Waiting = { readonly kind: 'waiting'; readonly for: string; readonly sinceMs: number };

export type Patience = {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly everyMs: number;
  readonly atMostMs: number;
};

/**
 * Looks until there is something to see, and says what it waits for. A look that cannot be had yet is no failure; one that
 * a person must do something about is.
 */
export async function* waitUntil<T>(
  what: string,
  look: (signal: AbortSignal) => Promise<T | undefined>,
  { clock, pause, everyMs, atMostMs }: Patience,
  signal: AbortSignal,
): AsyncGenerator<Waiting, T> {
  const began = clock.now().getTime();
  let last: Problem | undefined;
  for (;;) {
    signal.throwIfAborted();
    try {
      const seen = await look(signal);
      if (seen !== undefined) return seen;
      last = undefined;
    } catch (error) {
      if (!(error instanceof Problem) || error.recovery === 'ask') throw error;
      last = error;
    }
    const sinceMs = clock.now().getTime() - began;
    if (sinceMs >= atMostMs) throw tookTooLong(what, sinceMs, last);
    yield { kind: 'waiting', for: what, sinceMs };
    await pause(everyMs, signal);
  }
}

const tookTooLong = (what: string, ms: number, last: Problem | undefined): Problem =>
  new Problem('took-too-long', `Waited ${Math.round(ms / 1000)} s for ${what}, in vain.`, {
    recovery: 'wait',
    ...(last === undefined ? {} : { cause: last }),
    remedy: `${last === undefined ? '' : `${last.message}\n  `}Look at the node’s console or its events, or wait longer with --timeout.`,
  });
