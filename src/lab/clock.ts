/** Time of the lab: can run faster than the wall, or be moved by hand. */
export interface LabClock {
  now(): Date;
  /** Resolves when that many milliseconds of the lab’s time have passed. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Time as the wall has it; `speed` 10 makes ten seconds of the lab pass in one. */
export function wallClock(speed = 1): LabClock {
  const started = Date.now();
  const from = performance.now();
  return {
    now: () => new Date(started + (performance.now() - from) * speed),
    sleep: async (ms, signal) => {
      const until = performance.now() + ms / speed;
      // A timer may fire a moment early, and then the clock would not have moved that far.
      do await sleepWall(until - performance.now(), signal);
      while (performance.now() < until);
    },
  };
}

/** Time as the wall has it, which may hurry at first: then it begins earlier, and is back with the wall when it calms down. */
export interface HurriedClock extends LabClock {
  calm(): void;
}

const earlierMs = 1_800_000;

export function hurriedClock(speed: number, hurry?: number): HurriedClock {
  let pace = hurry === undefined ? speed : Math.max(speed, hurry);
  let began = Date.now() - (hurry === undefined ? 0 : earlierMs);
  let from = performance.now();
  const now = (): number => began + (performance.now() - from) * pace;
  return {
    now: () => new Date(now()),
    sleep: async (ms, signal) => {
      const until = now() + ms;
      do await sleepWall(Math.max(0, (until - now()) / pace), signal);
      while (now() < until);
    },
    calm: () => {
      if (pace === speed) return;
      began = Math.max(now(), Date.now());
      from = performance.now();
      pace = speed;
    },
  };
}

function sleepWall(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(reasonOf(signal));
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

const reasonOf = (signal: AbortSignal | undefined): Error =>
  (signal?.reason as Error | undefined) ?? new Error('ended');

/** Time that stands still until somebody moves it. */
export interface VirtualClock extends LabClock {
  /** Wakes every sleeper whose time has come, in order, and lets each do what it does before the next one wakes. */
  advance(ms: number): Promise<void>;
}

type Sleeper = { readonly at: number; readonly wake: () => void };

export function virtualClock(start = new Date()): VirtualClock {
  let now = start.getTime();
  const sleepers = new Set<Sleeper>();
  return {
    now: () => new Date(now),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(reasonOf(signal));
        const stop = (): void => {
          sleepers.delete(sleeper);
          reject(reasonOf(signal));
        };
        const sleeper: Sleeper = {
          at: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', stop, { once: true });
      }),
    advance: async (ms) => {
      const until = now + ms;
      await settle();
      for (;;) {
        let next: Sleeper | undefined;
        for (const sleeper of sleepers)
          if (sleeper.at <= until && (next === undefined || sleeper.at < next.at)) next = sleeper;
        if (next === undefined) break;
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = until;
    },
  };
}

// Whoever was woken may go through sockets of this process before it sleeps again.
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};
