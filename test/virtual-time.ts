import type { Clock } from '../src/model/clock.ts';
import type { Pause } from '../src/model/pause.ts';
import { testNow } from './entropy.ts';

type Sleeper = { readonly at: number; readonly wake: () => void };

/** Time that passes only when nobody has anything else to do: hours are over at once, and always in the same order. */
export function virtualTime() {
  let now = testNow.getTime();
  const sleepers = new Set<Sleeper>();
  const clock: Clock = { now: () => new Date(now) };
  const pause: Pause = (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const sleeper = { at: now + Math.max(0, ms), wake: () => (sleepers.delete(sleeper), resolve()) };
      sleepers.add(sleeper);
      signal.addEventListener('abort', () => sleepers.delete(sleeper) && reject(signal.reason), { once: true });
    });
  /** Lets time pass until this is settled. */
  const until = async <T>(settling: Promise<T>): Promise<T> => {
    let over = false;
    const end = (): void => void (over = true);
    settling.then(end, end);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (over) return settling;
      const next = Math.min(...[...sleepers].map(({ at }) => at));
      if (next === Infinity) throw new Error('Everybody waits, and nobody for the time.');
      now = next;
      for (const sleeper of sleepers) if (sleeper.at === next) sleeper.wake();
    }
  };
  return { clock, pause, until, passedMs: () => now - testNow.getTime() };
}
