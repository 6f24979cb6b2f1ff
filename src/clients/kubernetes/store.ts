import type { KubeObject } from '../../wire/kubernetes/objects.ts';

/** `shop/web`, or `node-1` for what is in no namespace. */
export const keyOf = ({ metadata }: KubeObject): string =>
  metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name ?? ''}`;

/** Values by which an object is found. */
export type IndexBy = (object: KubeObject) => readonly string[];

/** Objects by key, and by whatever else somebody wants to find them. */
export class Store {
  readonly #objects = new Map<string, KubeObject>();
  readonly #indexes: readonly {
    readonly name: string;
    readonly by: IndexBy;
    readonly keys: Map<string, Set<string>>;
  }[];

  constructor(indexes: Readonly<Record<string, IndexBy>>) {
    this.#indexes = Object.entries(indexes).map(([name, by]) => ({ name, by, keys: new Map() }));
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  all(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  /** Throws for an index that nobody has asked for at the beginning. */
  find(index: string, value: string): readonly KubeObject[] {
    const found = this.#indexes.find(({ name }) => name === index);
    if (found === undefined) throw new Error(`there is no index "${index}"`);
    return [...(found.keys.get(value) ?? [])].flatMap((key) => this.#objects.get(key) ?? []);
  }

  set(key: string, object: KubeObject): void {
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const { by, keys } of this.#indexes) {
      if (old !== undefined) leave(keys, by(old), key);
      for (const value of by(object)) {
        const set = keys.get(value) ?? new Set();
        keys.set(value, set.add(key));
      }
    }
  }

  delete(key: string): void {
    const old = this.#objects.get(key);
    if (old === undefined) return;
    this.#objects.delete(key);
    for (const { by, keys } of this.#indexes) leave(keys, by(old), key);
  }
}

function leave(keys: Map<string, Set<string>>, values: readonly string[], key: string): void {
  for (const value of values) {
    const set = keys.get(value);
    set?.delete(key);
    if (set?.size === 0) keys.delete(value);
  }
}
