import { Collection } from './collection.ts';
import { declarations, definitionOf, metaNamespace } from './definitions.ts';
import type { ResourceContent, ResourceStore, TwinResource } from './resource.ts';

const mostWaiting = 1000;

/**
 * The state of one twin. It costs next to nothing until somebody looks: what happened until then is done when he does, in its
 * order and with its times. Declarations and empty kinds are made when somebody asks for them.
 */
export class TwinState implements ResourceStore {
  readonly #collections = new Map<string, Collection>();
  readonly #now: () => Date;
  readonly #started: Date;
  #declared = false;
  #waiting: (() => void)[] | undefined = [];

  constructor(now: () => Date) {
    this.#now = now;
    this.#started = now();
  }

  set(given: ResourceContent | (() => ResourceContent)): void {
    const now = this.#now();
    this.#do(() => {
      const content = typeof given === 'function' ? given() : given;
      this.#collectionOf(content.namespace, content.type).set(content, now);
    });
  }

  /** Without a namespace: in the one where the type is at home. */
  destroy(type: string, id: string, namespace?: string): void {
    this.#do(() => this.#collectionOf(namespace ?? definitionOf(type)?.namespace ?? '', type).destroy(id));
  }

  #do(work: () => void): void {
    if (this.#waiting === undefined) return work();
    this.#waiting.push(work);
    if (this.#waiting.length > mostWaiting) this.#look();
  }

  #look(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const work of waiting) work();
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
    this.#look();
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
