import { shared } from '../../../model/signals.ts';

type Waiting = { readonly enter: () => void };

/** Lets so many in at a time, by name; the others wait in the order in which they came. */
export class Gate {
  readonly #width: number;
  readonly #inside = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(width: number) {
    this.#width = width;
  }

  async pass<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(name, signal);
    try {
      return await work();
    } finally {
      this.#leave(name);
    }
  }

  #enter(name: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const inside = this.#inside.get(name) ?? 0;
    if (inside < this.#width) {
      this.#inside.set(name, inside + 1);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(name) ?? [];
      const onAbort = (): void => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        enter: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      queue.push(waiting);
      this.#waiting.set(name, queue);
      shared(signal).addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Whoever leaves hands the place on. */
  #leave(name: string): void {
    const next = this.#waiting.get(name)?.shift();
    if (next !== undefined) return next.enter();
    this.#inside.set(name, (this.#inside.get(name) ?? 1) - 1);
  }
}
