import { setMaxListeners } from 'node:events';

/** A signal that lets go of those it was made of when the scope that made it ends: `using soon = within(5000, signal)`. */
export type OwnSignal = AbortSignal & Disposable;

/**
 * Ends with the first of several. Node's own `AbortSignal.any` forgets: on Node 20 a deadline in it never comes once memory was
 * tidied up, and on Node 24 an end that nobody listened for, once whoever brought it about is gone.
 */
export function firstOf(...signals: readonly AbortSignal[]): OwnSignal {
  const own = new AbortController();
  const ends = signals.map((signal) => ({ signal: shared(signal), end: () => own.abort(signal.reason) }));
  const over = signals.find(({ aborted }) => aborted);
  if (over !== undefined) own.abort(over.reason);
  else for (const { signal, end } of ends) signal.addEventListener('abort', end, { once: true });
  return Object.assign(own.signal, {
    [Symbol.dispose]: () => {
      for (const { signal, end } of ends) signal.removeEventListener('abort', end);
    },
  });
}

/** Ends with the signal, or when the time is up. Alone, and with somebody who listens, Node does not forget a deadline. */
export const within = (ms: number, signal: AbortSignal): OwnSignal => firstOf(signal, AbortSignal.timeout(ms));

/** The same signal; any number may listen to it without looking like a leak. */
export function shared(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
