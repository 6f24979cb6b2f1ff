import type { Stop } from '../engine/run.ts';

export type Stops = Disposable & {
  readonly stop: Stop;
  /** How often somebody said stop. */
  readonly said: () => number;
  /** Settles the run: what does not end within moments after the second stop is left where it is. */
  readonly orGone: <T>(work: Promise<T>) => Promise<T | 'gone'>;
};

/** Longer than a run itself waits for its steps to notice. */
const patienceMs = 5000;

/** Ctrl-C once: nothing new begins. Twice: everything stops where it is. */
export function listenForStops(): Stops {
  const gentle = new AbortController();
  const now = new AbortController();
  let said = 0;
  const hear = (): void => {
    said++;
    if (said === 1) gentle.abort();
    else now.abort();
  };
  // A lost connection leaves nothing for Node to wait for, while a deadline is still to come.
  const awake = setInterval(() => {}, 60_000);
  process.on('SIGINT', hear);
  process.on('SIGTERM', hear);
  return {
    stop: { gentle: gentle.signal, now: now.signal },
    said: () => said,
    orGone: (work) => Promise.race([work.catch(ifMeant(now.signal)), gone(now.signal)]),
    [Symbol.dispose]: () => {
      clearInterval(awake);
      process.off('SIGINT', hear);
      process.off('SIGTERM', hear);
    },
  };
}

/** What breaks because everything was told to stop is no failure. */
const ifMeant =
  (now: AbortSignal) =>
  (error: unknown): 'gone' => {
    if (now.aborted) return 'gone';
    throw error;
  };

const gone = (now: AbortSignal): Promise<'gone'> =>
  new Promise((resolve) => {
    now.addEventListener('abort', () => void setTimeout(() => resolve('gone'), patienceMs).unref(), { once: true });
  });
