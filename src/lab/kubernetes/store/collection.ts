import type { KubeObject } from '../../../wire/kubernetes/objects.ts';

/** Objects of one resource in the order of their keys, which is the order of lists. */
export class Collection {
  readonly #objects = new Map<string, KubeObject>();
  readonly #keys: string[] = [];

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: KubeObject): void {
    if (!this.#objects.has(key)) this.#keys.splice(this.#place(key), 0, key);
    this.#objects.set(key, object);
  }

  delete(key: string): void {
    if (this.#objects.delete(key)) this.#keys.splice(this.#place(key), 1);
  }

  /** Of one namespace or of all. */
  list(namespace: string | undefined): KubeObject[] {
    if (namespace === undefined) return this.#keys.map((key) => this.#objects.get(key) as KubeObject);
    const prefix = `${namespace}/`;
    const found: KubeObject[] = [];
    for (let index = this.#place(prefix); index < this.#keys.length; index++) {
      const key = this.#keys[index] as string;
      if (!key.startsWith(prefix)) break;
      found.push(this.#objects.get(key) as KubeObject);
    }
    return found;
  }

  copy(): Collection {
    const copy = new Collection();
    copy.#keys.push(...this.#keys);
    for (const [key, object] of this.#objects) copy.#objects.set(key, object);
    return copy;
  }

  /** Where a key is, or would be. */
  #place(key: string): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export const keyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
