import { setTimeout as sleep } from 'node:timers/promises';
import { shared } from '../../model/signals.ts';

/** Ends early, with the signal’s own reason, when it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: shared(signal) }).catch(() => undefined);
  signal.throwIfAborted();
}

/** Longer after every failure, and never the same for two who failed together. */
export class Backoff {
  #failures = 0;
  readonly #firstMs: number;
  readonly #mostMs: number;
  readonly #chance: () => number;

  constructor(firstMs: number, mostMs: number, chance: () => number) {
    this.#firstMs = firstMs;
    this.#mostMs = mostMs;
    this.#chance = chance;
  }

  /** Between half and the whole of what has grown so far. */
  next(): number {
    const grown = Math.min(this.#mostMs, this.#firstMs * 2 ** Math.min(this.#failures++, 30));
    return grown * (0.5 + this.#chance() / 2);
  }

  reset(): void {
    this.#failures = 0;
  }
}
