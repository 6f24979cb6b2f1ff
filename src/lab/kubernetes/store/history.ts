import type { Change } from './store.ts';

/** As long as etcd keeps old versions before the API server has them compacted. */
const keptMs = 5 * 60_000;
const keptChanges = 20_000;

/** The last changes of one resource, oldest first. */
export class History {
  readonly #changes: { readonly change: Change; readonly at: number }[] = [];
  #first = 0;
  /** Changes up to this version are not here any more. */
  forgotten: number;

  constructor(forgotten: number) {
    this.forgotten = forgotten;
  }

  add(change: Change, at: number): void {
    this.#changes.push({ change, at });
    for (;;) {
      const oldest = this.#changes[this.#first];
      if (oldest === undefined) break;
      if (oldest.at >= at - keptMs && this.#changes.length - this.#first <= keptChanges) break;
      this.forgotten = oldest.change.version;
      this.#first += 1;
    }
    if (this.#first > 1000 && this.#first * 2 > this.#changes.length) {
      this.#changes.splice(0, this.#first);
      this.#first = 0;
    }
  }

  /** Undefined: not all of it is known. */
  since(version: number): readonly Change[] | undefined {
    if (version < this.forgotten) return undefined;
    let [low, high] = [this.#first, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.change.version ?? 0) <= version) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low).map(({ change }) => change);
  }
}
