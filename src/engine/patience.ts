import type { Walked } from '../execute/walk.ts';
import type { Clock } from '../model/clock.ts';
import { planDigest } from '../model/plan-digest.ts';
import type { Plan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { onlyWaits } from '../model/step.ts';
import { doubtProblem, notSettling } from './run-problems.ts';

/** What follows from a pass: another one after a rest, or an end. */
export type Verdict =
  | { readonly kind: 'again'; readonly inMs: number }
  | { readonly kind: 'stuck'; readonly problems: readonly Problem[] };

/** The same plan, done so often without being done, is not going to be done. */
const mostRepeats = 4;
const doubtsMs = 60_000;
const longestRestMs = 15_000;

/** Tells passes that come nearer to the end from those that do not, and knows when it is enough. */
export class Patience {
  readonly #clock: Clock;
  readonly #atMostMs: number;
  readonly #seen = new Set<string>();
  #progressAt: number;
  /** Passes since the last that came nearer. */
  #idle = 0;
  #repeats = 0;

  constructor(clock: Clock, atMostMs: number) {
    this.#clock = clock;
    this.#atMostMs = atMostMs;
    this.#progressAt = this.#now();
  }

  /** A person took their time, which is nobody’s fault. */
  refresh(): void {
    this.#progressAt = this.#now();
    this.#idle = 0;
  }

  /** After everything was done that could be. */
  afterWalk(plan: Plan, { done, failed }: Pick<Walked, 'done' | 'failed'>): Verdict {
    const problems = failed.map(({ problem }) => problem);
    const nearer = this.#nearer(plan) && done.length > 0;
    if (failed.some(({ problem, ms }) => problem.recovery === 'ask' || ms >= this.#atMostMs))
      return { kind: 'stuck', problems };
    // Waiting again for what was there and is gone again is no deed without effect, unless a person is asked something besides.
    const acts = plan.steps.some(({ step }) => !onlyWaits(step));
    if (failed.length === 0 && (acts || plan.asks.length > 0)) {
      this.#repeats = nearer ? 0 : this.#repeats + 1;
      if (this.#repeats >= mostRepeats)
        return { kind: 'stuck', problems: acts ? [notSettling(plan, this.#repeats + 1)] : [] };
      return nearer ? this.#progress() : { kind: 'again', inMs: this.#rest() };
    }
    if (nearer) return this.#progress(failed.length === 0 ? 0 : 1000);
    if (this.#now() - this.#progressAt >= this.#atMostMs)
      return { kind: 'stuck', problems: failed.length === 0 ? [notSettling(plan, this.#idle)] : problems };
    return { kind: 'again', inMs: this.#rest() };
  }

  /** Nothing is to be done, as far as could be seen. */
  afterDoubts({ doubts }: Plan): Verdict {
    const atMostMs = Math.min(doubtsMs, this.#atMostMs);
    if (this.#now() - this.#progressAt >= atMostMs) return { kind: 'stuck', problems: doubts.map(doubtProblem) };
    return { kind: 'again', inMs: this.#rest(atMostMs) };
  }

  /** A look that could not be had; the first of a run is tried only a few times. */
  afterBlindness(problems: readonly Problem[], first: boolean): Verdict {
    const hopeless = problems.some(({ recovery }) => recovery === 'ask' || (first && recovery === 'wait'));
    const enough = first ? this.#idle >= 3 : this.#now() - this.#progressAt >= this.#atMostMs;
    return hopeless || enough ? { kind: 'stuck', problems } : { kind: 'again', inMs: this.#rest() };
  }

  #nearer(plan: Plan): boolean {
    const digest = planDigest(plan);
    const fresh = !this.#seen.has(digest);
    this.#seen.add(digest);
    return fresh;
  }

  #progress(inMs = 0): Verdict {
    this.refresh();
    return { kind: 'again', inMs };
  }

  /** The last rest ends with the time there is, for one more look. */
  #rest(atMostMs = this.#atMostMs): number {
    const rest = Math.min(longestRestMs, 1000 * 2 ** this.#idle++);
    const leftMs = this.#progressAt + atMostMs - this.#now();
    return leftMs > 0 ? Math.min(rest, leftMs) : rest;
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
