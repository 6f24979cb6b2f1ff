/** Lets so many in at a time; the others wait in the order in which they came. */
export class Gate {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(width: number) {
    this.#free = width;
  }

  /** Resolves to nothing where there is room, so that the usual case costs nothing. */
  enter(signal: AbortSignal): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.delete(enter);
        reject(signal.reason as Error);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Whoever leaves hands the place on. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
