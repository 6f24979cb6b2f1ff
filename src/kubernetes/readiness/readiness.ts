import type { Live } from '../live.ts';

/** Whether an object does what it is there for, and if not yet, why. */
export type Readiness =
  | { readonly state: 'ready' }
  | { readonly state: 'waiting'; readonly because: string }
  /** Waiting longer does not help. */
  | { readonly state: 'failed'; readonly because: string };

/** What a rule may look at besides the object itself. */
export type Around = {
  /** Pods that may be the object's own; more do no harm. */
  readonly pods: readonly Live[];
};

export type Rule = (object: Live, around: Around) => Readiness;

export const ready: Readiness = { state: 'ready' };
export const waiting = (because: string): Readiness => ({ state: 'waiting', because });
export const failed = (because: string): Readiness => ({ state: 'failed', because });

/** `1 of 3 pods is ready`. */
export const share = (some: number, all: number, what: string, how: string): string =>
  `${some} of ${all} ${what}${all === 1 ? '' : 's'} ${some === 1 || all === 1 ? 'is' : 'are'} ${how}`;
