/** What is to be looked at when: one moment for each name, and the earliest is found without looking at the others. */
export class Agenda {
  readonly #at = new Map<string, number>();
  readonly #heap: { readonly id: string; readonly at: number }[] = [];

  set(id: string, at: number): void {
    if (this.#at.get(id) === at) return;
    this.#at.set(id, at);
    const heap = this.#heap;
    let place = heap.push({ id, at }) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#key(parent) <= this.#key(place)) break;
      this.#swap(place, parent);
      place = parent;
    }
  }

  delete(id: string): void {
    this.#at.delete(id);
  }

  next(): number | undefined {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined) return undefined;
      if (this.#at.get(first.id) === first.at) return first.at;
      this.#take();
    }
  }

  /** Everything whose moment has come; it is not kept any longer. */
  due(now: number): readonly string[] {
    const ids: string[] = [];
    for (let next = this.next(); next !== undefined && next <= now; next = this.next()) {
      const { id } = this.#take();
      this.#at.delete(id);
      ids.push(id);
    }
    return ids;
  }

  #take(): { readonly id: string } {
    const heap = this.#heap;
    this.#swap(0, heap.length - 1);
    const taken = heap.pop() ?? { id: '' };
    for (let place = 0; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      let least = place;
      if (this.#key(left) < this.#key(least)) least = left;
      if (this.#key(right) < this.#key(least)) least = right;
      if (least === place) return taken;
      this.#swap(place, least);
      place = least;
    }
  }

  #key(place: number): number {
    return this.#heap[place]?.at ?? Infinity;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return;
    this.#heap[one] = second;
    this.#heap[other] = first;
  }
}
