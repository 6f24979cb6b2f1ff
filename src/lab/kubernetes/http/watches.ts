import { isMeant } from '../faults.ts';
import type { KubernetesFault } from '../twin.ts';

/** A watch while it is open. */
export type OpenWatch = {
  readonly method: string;
  readonly path: string;
  readonly drop: () => void;
  readonly silence: () => void;
};

/** All watches that are open, for whoever wants them to end. */
export class Watches {
  readonly #open = new Set<OpenWatch>();

  add(watch: OpenWatch): () => void {
    this.#open.add(watch);
    return () => void this.#open.delete(watch);
  }

  get size(): number {
    return this.#open.size;
  }

  strike(fault: KubernetesFault, chance: () => number): void {
    let left = fault.times ?? Number.POSITIVE_INFINITY;
    for (const watch of this.#open) {
      if (left <= 0) return;
      if (!isMeant(fault.match, watch)) continue;
      if (fault.share !== undefined && chance() >= fault.share) continue;
      left -= 1;
      if (fault.kind === 'drop-watch') watch.drop();
      else watch.silence();
    }
  }

  dropAll(): void {
    for (const watch of this.#open) watch.drop();
  }
}
