import type { Clock } from '../model/clock.ts';
import type { Pause } from '../model/pause.ts';
import { Problem } from '../model/problem.ts';

/** What is waited for, since when, and why it is not there yet. */
export type Waits = { readonly kind: 'waits'; readonly for: string; readonly because: string; readonly since: Date };

export type Patience = {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly everyMs: number;
  /** Looks follow each other this soon at first, and rarer the longer it takes; absent: always as `everyMs` says. */
  readonly fromMs?: number;
  /** Everything else waits for this one: it is looked at twice as often. */
  readonly closely?: boolean;
  readonly atMostMs: number;
  /** What to say when the time is over. */
  readonly late?: (because: string, ms: number) => Problem;
};

/** A look at something: it is there, or it is not yet, or it never will be, or waiting ends for a reason of its own. */
export type Look<T> =
  | { readonly state: 'there'; readonly value: T }
  | { readonly state: 'not-yet'; readonly because: string }
  | { readonly state: 'never'; readonly because: string }
  | { readonly state: 'over'; readonly problem: Problem };

/**
 * Looks until there is something to see, and says what it waits for whenever that changes. A look that cannot be had yet is no
 * failure; one that a person must do something about is.
 */
export async function waitFor<T>(
  what: string,
  look: () => Promise<Look<T>>,
  patience: Patience,
  tell: (waits: Waits) => void,
  signal: AbortSignal,
): Promise<T> {
  const { clock, pause, atMostMs, late = (because, ms) => tookTooLong(what, because, ms) } = patience;
  const since = clock.now();
  let told: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const seen = await lookAgain(look);
    if (seen.state === 'there') return seen.value;
    if (seen.state === 'never') throw hopeless(what, seen.because);
    if (seen.state === 'over') throw seen.problem;
    if (seen.because !== told) tell({ kind: 'waits', for: what, because: seen.because, since });
    told = seen.because;
    const waited = clock.now().getTime() - since.getTime();
    if (waited >= atMostMs) throw late(seen.because, waited);
    await pause(Math.min(restMs(patience, waited), atMostMs - waited), signal);
  }
}

/** Whoever waits is late by a fortieth of what it took, on average. */
const restMs = ({ everyMs, fromMs = everyMs, closely = false }: Patience, waitedMs: number): number =>
  Math.min(everyMs, Math.max(fromMs, waitedMs / (closely ? 40 : 20)));

async function lookAgain<T>(look: () => Promise<Look<T>>): Promise<Look<T>> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof Problem) || error.recovery === 'ask') throw error;
    return { state: 'not-yet', because: error.message };
  }
}

const hopeless = (what: string, because: string): Problem =>
  new Problem('kubernetes-never-ready', `${what}: ${because}.`, {
    remedy: 'Waiting longer does not help; look at what it says, and run this again when that is solved.',
  });

const tookTooLong = (what: string, because: string, ms: number): Problem =>
  new Problem('took-too-long', `Waited ${Math.round(ms / 1000)} s for ${what}, in vain: ${because}.`, {
    recovery: 'wait',
    remedy: 'Look into what it says, or wait longer with --timeout. Running this again goes on from here.',
  });
