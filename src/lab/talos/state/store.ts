import { Collection } from './collection.ts';
import { declarations, definitionOf, metaNamespace } from './definitions.ts';
import type { ResourceContent, ResourceStore, TwinResource } from './resource.ts';

/** The state of one twin. It costs what was set: declarations and empty kinds are made when somebody asks for them. */
export class TwinState implements ResourceStore {
  readonly #collections = new Map<string, Collection>();
  readonly #now: () => Date;
  readonly #started: Date;
  #declared = false;

  constructor(now: () => Date) {
    this.#now = now;
    this.#started = now();
  }

  set(content: ResourceContent): void {
    this.collection(content.namespace, content.type).set(content, this.#now());
  }

  /** Without a namespace: in the one where the type is at home. */
  destroy(type: string, id: string, namespace?: string): void {
    this.collection(namespace ?? definitionOf(type)?.namespace ?? '', type).destroy(id);
  }

  get(namespace: string, type: string, id: string): TwinResource | undefined {
    return this.collection(namespace, type).get(id);
  }

  list(namespace: string, type: string): readonly TwinResource[] {
    return this.collection(namespace, type).list();
  }

  now(): Date {
    return this.#now();
  }

  collection(namespace: string, type: string): Collection {
    if (namespace === metaNamespace) this.#declare();
    return this.#collectionOf(namespace, type);
  }

  #collectionOf(namespace: string, type: string): Collection {
    const key = `${namespace}/${type}`;
    const found = this.#collections.get(key);
    if (found !== undefined) return found;
    const made = new Collection(namespace, type);
    this.#collections.set(key, made);
    return made;
  }

  #declare(): void {
    if (this.#declared) return;
    this.#declared = true;
    for (const each of declarations()) this.#collectionOf(each.namespace, each.type).set(each, this.#started);
  }
}
