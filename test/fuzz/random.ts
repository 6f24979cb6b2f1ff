/** Chance that can be had again: the same seed gives the same numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, `below`. (mulberry32) */
  int(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  }

  /** One time in `of`. */
  once(of: number): boolean {
    return this.int(of) === 0;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.int(from.length)];
    if (picked === undefined) throw new Error('There is nothing to pick from.');
    return picked;
  }
}
