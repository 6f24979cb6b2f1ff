import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { ChangeKind, ResourceKey } from '../api.ts';
import { Collection, keyOf } from './collection.ts';
import { History } from './history.ts';

export type Change = {
  readonly kind: ChangeKind;
  readonly resource: ResourceKey;
  /** What it is now; of a DELETED one what it was, with the version of its end. */
  readonly object: KubeObject;
  readonly old: KubeObject | undefined;
  readonly version: number;
};

type Listener = (change: Change) => void;

/** What etcd would hold: objects by resource and key, one counter of versions, and the changes of a while. */
export class Store {
  readonly #collections = new Map<ResourceKey, Collection>();
  readonly #histories = new Map<ResourceKey, History>();
  readonly #listeners = new Set<Listener>();
  readonly #listenersOf = new Map<ResourceKey, Set<Listener>>();
  readonly #now: () => Date;
  readonly #pending: Change[] = [];
  #telling = false;
  #version = 1;
  /** Nothing before it is remembered. */
  #forgotten = 0;

  constructor(now: () => Date) {
    this.#now = now;
  }

  get version(): number {
    return this.#version;
  }

  get(resource: ResourceKey, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#collections.get(resource)?.get(keyOf(namespace, name));
  }

  list(resource: ResourceKey, namespace?: string): readonly KubeObject[] {
    return this.#collections.get(resource)?.list(namespace) ?? [];
  }

  resources(): Iterable<ResourceKey> {
    return this.#collections.keys();
  }

  /** Writes `object`, whatever was there; it must not be changed afterwards. Returns it with its version. */
  put(resource: ResourceKey, object: KubeObject): KubeObject {
    const { namespace, name } = object.metadata;
    const collection = this.#collection(resource);
    const old = collection.get(keyOf(namespace, name ?? ''));
    const version = ++this.#version;
    const stored = withVersion(object, version);
    collection.set(keyOf(namespace, name ?? ''), stored);
    this.#tell({ kind: old === undefined ? 'ADDED' : 'MODIFIED', resource, object: stored, old, version });
    return stored;
  }

  /** Undefined: it was not there. */
  remove(resource: ResourceKey, namespace: string | undefined, name: string): KubeObject | undefined {
    const collection = this.#collections.get(resource);
    const old = collection?.get(keyOf(namespace, name));
    if (collection === undefined || old === undefined) return undefined;
    collection.delete(keyOf(namespace, name));
    const version = ++this.#version;
    const object = withVersion(old, version);
    this.#tell({ kind: 'DELETED', resource, object, old, version });
    return object;
  }

  /** All objects as they were at a version; undefined when that is forgotten. */
  listAt(resource: ResourceKey, version: number, namespace?: string): readonly KubeObject[] | undefined {
    const since = this.changesSince(resource, version);
    if (since === undefined) return undefined;
    if (since.length === 0) return this.list(resource, namespace);
    const then = this.#collection(resource).copy();
    for (const { object, old } of since.toReversed()) {
      const key = keyOf(object.metadata.namespace, object.metadata.name ?? '');
      if (old === undefined) then.delete(key);
      else then.set(key, old);
    }
    return then.list(namespace);
  }

  /** What happened after a version; undefined when some of it is forgotten. */
  changesSince(resource: ResourceKey, version: number): readonly Change[] | undefined {
    if (version < this.#forgotten) return undefined;
    const history = this.#histories.get(resource);
    return history === undefined ? [] : history.since(version);
  }

  /** The newest version of which not everything is known any more. */
  forgottenUntil(resource: ResourceKey): number {
    return this.#histories.get(resource)?.forgotten ?? this.#forgotten;
  }

  /** From now on nothing that was before now is known. */
  forget(): void {
    this.#forgotten = this.#version;
    this.#histories.clear();
  }

  onChange(resource: ResourceKey | undefined, listener: Listener): () => void {
    const listeners = resource === undefined ? this.#listeners : this.#of(resource);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  #of(resource: ResourceKey): Set<Listener> {
    let set = this.#listenersOf.get(resource);
    if (set === undefined) this.#listenersOf.set(resource, (set = new Set()));
    return set;
  }

  #collection(resource: ResourceKey): Collection {
    let collection = this.#collections.get(resource);
    if (collection === undefined) this.#collections.set(resource, (collection = new Collection()));
    return collection;
  }

  #tell(change: Change): void {
    let history = this.#histories.get(change.resource);
    if (history === undefined) this.#histories.set(change.resource, (history = new History(this.#forgotten)));
    history.add(change, this.#now().getTime());
    this.#pending.push(change);
    if (this.#telling) return;
    // A listener may write itself: everybody hears of everything in the order in which it happened.
    this.#telling = true;
    try {
      for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
        for (const listener of this.#listenersOf.get(next.resource) ?? []) listener(next);
        for (const listener of this.#listeners) listener(next);
      }
    } finally {
      this.#telling = false;
    }
  }
}

const withVersion = (object: KubeObject, version: number): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(version) },
});
