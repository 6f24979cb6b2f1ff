import type { LabClock } from '../../../src/lab/clock.ts';

/** Time that can be made to run faster while something is waited for. */
export interface ReplayClock extends LabClock {
  speed: number;
}

/** A machine that is busy elsewhere for longer than this has not let us do anything: no more time than that passes. */
const longestStepMs = 20;

type Sleeper = { readonly at: number; readonly wake: () => void };

export function replayClock(usual: number): ReplayClock {
  let speed = usual;
  let lab = Date.now();
  let wall = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const sleepers = new Set<Sleeper>();
  const now = (): number => {
    const moment = performance.now();
    lab += Math.min(moment - wall, longestStepMs) * speed;
    wall = moment;
    return lab;
  };
  const arm = (): void => {
    clearTimeout(timer);
    const next = Math.min(...[...sleepers].map(({ at }) => at));
    const ms = Math.max(0, (next - now()) / speed);
    if (sleepers.size > 0) timer = setTimeout(ring, Math.min(ms, longestStepMs));
  };
  const ring = (): void => {
    const moment = now();
    for (const sleeper of [...sleepers].toSorted((one, other) => one.at - other.at))
      if (sleeper.at <= moment) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    arm();
  };
  return {
    get speed() {
      return speed;
    },
    set speed(wanted) {
      now();
      speed = wanted;
      arm();
    },
    now: () => new Date(now()),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          sleepers.delete(sleeper);
          reject(signal?.reason as Error);
        };
        if (signal?.aborted === true) return reject(signal.reason as Error);
        const sleeper: Sleeper = {
          at: now() + ms,
          wake: () => {
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        signal?.addEventListener('abort', stop, { once: true });
        sleepers.add(sleeper);
        arm();
      }),
  };
}
