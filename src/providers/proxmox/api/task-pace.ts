import type { Clock } from '../../../model/clock.ts';
import type { Pause } from '../../../model/pause.ts';
import { firstOf } from '../../../model/signals.ts';

const soonestMs = 100;
const latestMs = 2000;
const longestFirstMs = 5000;
/** A scout that is lost sight of ends as well; until then nobody needs to look. */
const besideScoutMs = 5000;

/**
 * When tasks are looked at. Each look keeps one of a host’s workers busy, and whoever looks rarely is late. So the first of a
 * kind is looked at often, as a scout; the others of its kind are when it has ended, and later ones when they should have ended.
 */
export class TaskPace {
  readonly #clock: Clock;
  readonly #pause: Pause;
  readonly #random: () => number;
  /** By type, how long the last one took. */
  readonly #usualMs = new Map<string, number>();
  readonly #scouts = new Map<string, AbortController>();

  constructor({ clock, pause, random }: { clock: Clock; pause: Pause; random: () => number }) {
    this.#clock = clock;
    this.#pause = pause;
    this.#random = random;
  }

  /** Looks until something is seen. */
  async until<T>(type: string, look: (nth: number) => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
    const began = this.#now();
    const scout = new AbortController();
    try {
      for (let nth = 0; ; nth++) {
        await this.#rest(type, { waitedMs: this.#now() - began, isFirst: nth === 0, scout }, signal);
        const waitedMs = this.#now() - began;
        const seen = await look(nth);
        if (seen === undefined) continue;
        // At the first look it had ended a while ago, who knows how long.
        this.#usualMs.set(type, nth === 0 ? waitedMs * 0.9 : waitedMs);
        return seen;
      }
    } finally {
      if (this.#scouts.get(type) === scout) this.#scouts.delete(type);
      scout.abort();
    }
  }

  async #rest(
    type: string,
    { waitedMs, isFirst, scout }: { waitedMs: number; isFirst: boolean; scout: AbortController },
    signal: AbortSignal,
  ): Promise<void> {
    const usualMs = this.#usualMs.get(type);
    if (usualMs === undefined && !this.#scouts.has(type)) this.#scouts.set(type, scout);
    const ahead = this.#scouts.get(type);
    if (usualMs === undefined && ahead !== undefined && ahead !== scout)
      return this.#pauseUntil(ahead.signal, besideScoutMs * (0.8 + this.#random() * 0.4), signal);
    // A scout is looked at closely: all the others wait for its end.
    const closeness = ahead === scout ? 40 : 20;
    const dueMs = isFirst ? Math.min(longestFirstMs, usualMs ?? 0) : Math.min(latestMs, waitedMs / closeness);
    await this.#pause(Math.max(soonestMs, dueMs), signal);
  }

  async #pauseUntil(over: AbortSignal, ms: number, signal: AbortSignal): Promise<void> {
    using either = firstOf(signal, over);
    try {
      await this.#pause(ms, either);
    } catch (error) {
      signal.throwIfAborted();
      if (!over.aborted) throw error;
    }
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
