import { isDeepStrictEqual } from 'node:util';
import type { ResourceContent, TwinResource } from './resource.ts';

export type Change =
  | { readonly kind: 'created' | 'destroyed'; readonly resource: TwinResource; readonly position: number }
  | {
      readonly kind: 'updated';
      readonly resource: TwinResource;
      readonly old: TwinResource;
      readonly position: number;
    };

type Unplaced = Change extends infer Each ? (Each extends Change ? Omit<Each, 'position'> : never) : never;

const firstCapacity = 8;
const lastCapacity = 1024;
/** So far back from the oldest entry that is kept, a watch may no longer begin. */
const gap = 4;

/** Resources of one type in one namespace, with the last changes to them. */
export class Collection {
  readonly namespace: string;
  readonly type: string;
  readonly #items = new Map<string, TwinResource>();
  readonly #wakers = new Set<() => void>();
  #history: Change[] = [];
  #written = 0;
  #capacity = firstCapacity;

  constructor(namespace: string, type: string) {
    this.namespace = namespace;
    this.type = type;
  }

  get(id: string): TwinResource | undefined {
    return this.#items.get(id);
  }

  list(): readonly TwinResource[] {
    return [...this.#items.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  set(content: ResourceContent, now: Date): void {
    const old = this.#items.get(content.id);
    const resource = { ...filled(content), ...lifeOf(old, now) };
    if (old !== undefined && sameContent(old, resource)) return;
    this.#items.set(content.id, resource);
    this.#publish(old === undefined ? { kind: 'created', resource } : { kind: 'updated', resource, old });
  }

  destroy(id: string): void {
    const resource = this.#items.get(id);
    if (resource === undefined) return;
    this.#items.delete(id);
    this.#publish({ kind: 'destroyed', resource });
  }

  /** Position that the next change will have. */
  get written(): number {
    return this.#written;
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** The oldest position that a watch may begin at; below zero as long as nothing was lost. */
  get oldestStart(): number {
    return this.#written - this.#capacity + gap;
  }

  /** Changes from a position on; undefined when the oldest of them are gone. */
  since(position: number): readonly Change[] | undefined {
    const first = this.#written - this.#history.length;
    return position < first ? undefined : this.#history.slice(position - first);
  }

  /** Calls back at the next change, once. */
  onChange(wake: () => void): () => void {
    this.#wakers.add(wake);
    return () => this.#wakers.delete(wake);
  }

  #publish(change: Unplaced): void {
    if (this.#written === this.#capacity) this.#capacity = Math.min(this.#capacity * 2, lastCapacity);
    this.#history.push({ ...change, position: this.#written });
    this.#written += 1;
    if (this.#history.length > this.#capacity) this.#history.shift();
    const wakers = [...this.#wakers];
    this.#wakers.clear();
    for (const wake of wakers) wake();
  }
}

type Content = Omit<TwinResource, 'version' | 'created' | 'updated'>;

const filled = ({ owner, labels, annotations, finalizers, ...content }: ResourceContent): Content => ({
  ...content,
  owner: owner ?? '',
  labels: labels ?? nothing,
  annotations: annotations ?? nothing,
  finalizers: finalizers ?? noFinalizers,
  phase: 'running',
});

const nothing: Readonly<Record<string, string>> = Object.freeze({});
const noFinalizers: readonly string[] = Object.freeze([]);

const lifeOf = (old: TwinResource | undefined, now: Date): Pick<TwinResource, 'version' | 'created' | 'updated'> =>
  old === undefined
    ? { version: 1, created: now, updated: now }
    : { version: old.version + 1, created: old.created, updated: now };

function sameContent(a: TwinResource, b: TwinResource): boolean {
  return (
    a.yaml === b.yaml &&
    a.owner === b.owner &&
    Buffer.compare(a.proto, b.proto) === 0 &&
    isDeepStrictEqual([a.labels, a.annotations, a.finalizers], [b.labels, b.annotations, b.finalizers])
  );
}
