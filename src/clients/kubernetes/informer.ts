import type { Pause } from '../../model/pause.ts';
import { Problem } from '../../model/problem.ts';
import type { KubeObject } from '../../wire/kubernetes/objects.ts';
import type { KubernetesReader, ListQuery } from '../kubernetes.ts';
import { Listener, type Handler } from './listener.ts';
import { Backoff, pause as realPause } from './pause.ts';
import { keyOf, Store, type IndexBy } from './store.ts';
import { firstOf } from '../../model/signals.ts';

export type InformerOptions = {
  readonly indexes?: Readonly<Record<string, IndexBy>>;
  /** How often every object is told again, spread over that time. Absent: never. */
  readonly resyncMs?: number;
  /** Of what keeps it from being up to date; it goes on all the same. */
  readonly problem?: (problem: unknown) => void;
  readonly pause?: Pause;
  readonly chance?: () => number;
  readonly pageSize?: number;
};

/** Objects of one kind, as they are on the server, a moment later. */
export interface Informer extends AsyncDisposable {
  /** Everything that was there at the beginning is here. Ends with the signal’s reason when it never comes to that. */
  readonly synced: Promise<void>;
  readonly hasSynced: boolean;
  /** As of which version of the server. */
  readonly resourceVersion: string | undefined;
  get(key: string): KubeObject | undefined;
  list(): readonly KubeObject[];
  find(index: string, value: string): readonly KubeObject[];
  /** Told of everything that is there, and then of what changes. The answer ends it. */
  listen(handler: Handler): () => void;
  /** Every handler has heard of everything that has happened so far. */
  heard(): Promise<void>;
}

type Source = Pick<KubernetesReader, 'list' | 'watch'>;

/** In how many portions reminders go out over one round. */
const portions = 20;

export function startInformer(
  source: Source,
  query: ListQuery,
  options: InformerOptions,
  signal: AbortSignal,
): Informer {
  const ending = new AbortController();
  const either = firstOf(signal, ending.signal);
  const informer = new Following(source, query, options, either);
  const running = informer.run().finally(() => either[Symbol.dispose]());
  return Object.assign(informer, {
    async [Symbol.asyncDispose]() {
      ending.abort(new Error('the informer was ended by its owner'));
      await running;
    },
  });
}

class Following {
  readonly synced: Promise<void>;
  hasSynced = false;
  resourceVersion: string | undefined;
  readonly #source: Source;
  readonly #query: ListQuery;
  readonly #options: InformerOptions;
  readonly #signal: AbortSignal;
  readonly #pause: Pause;
  readonly #backoff: Backoff;
  readonly #store: Store;
  readonly #listeners = new Set<Listener>();
  #arrive: () => void = () => undefined;
  #giveUp: (reason: unknown) => void = () => undefined;

  constructor(source: Source, query: ListQuery, options: InformerOptions, signal: AbortSignal) {
    this.#source = source;
    this.#query = query;
    this.#options = options;
    this.#signal = signal;
    this.#pause = options.pause ?? realPause;
    this.#backoff = new Backoff(500, 30_000, options.chance ?? Math.random);
    this.#store = new Store(options.indexes ?? {});
    this.synced = new Promise((resolve, reject) => {
      this.#arrive = resolve;
      this.#giveUp = reject;
    });
    // Nobody has to wait for it.
    this.synced.catch(() => undefined);
  }

  get(key: string): KubeObject | undefined {
    return this.#store.get(key);
  }

  list(): readonly KubeObject[] {
    return this.#store.all();
  }

  find(index: string, value: string): readonly KubeObject[] {
    return this.#store.find(index, value);
  }

  listen(handler: Handler): () => void {
    const failed = (error: unknown): void => this.#options.problem?.(error);
    const listener = new Listener(handler, (key) => this.#store.get(key), failed);
    this.#listeners.add(listener);
    for (const key of this.#store.keys()) listener.changed(key, undefined);
    return () => {
      listener.end();
      this.#listeners.delete(listener);
    };
  }

  async heard(): Promise<void> {
    await Promise.all([...this.#listeners].map((listener) => listener.idle()));
  }

  /** Ends with the signal and with nothing else. */
  async run(): Promise<void> {
    const reminding = this.#remind().catch(() => undefined);
    while (!this.#signal.aborted) {
      try {
        await this.#follow();
        // The server has forgotten where we were. All who were there will list again, so not all of them at once.
        await this.#pause(this.#backoff.next(), this.#signal);
      } catch (error) {
        if (this.#signal.aborted) break;
        this.#options.problem?.(error);
        const longer = error instanceof Problem && error.recovery === 'ask' ? 4 : 1;
        await this.#pause(longer * this.#backoff.next(), this.#signal).catch(() => undefined);
      }
    }
    this.#giveUp(this.#signal.reason);
    for (const listener of this.#listeners) listener.end();
    await reminding;
  }

  async #follow(): Promise<void> {
    const { pageSize } = this.#options;
    const { items, metadata } = await this.#source.list(
      this.#query,
      pageSize === undefined ? {} : { pageSize },
      this.#signal,
    );
    this.#replaceAll(items);
    this.resourceVersion = metadata.resourceVersion;
    this.hasSynced = true;
    this.#arrive();
    const from = metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion };
    for await (const event of this.#source.watch(this.#query, from, this.#signal)) {
      if (event.type === 'EXPIRED') return;
      this.#backoff.reset();
      if (event.type === 'DELETED') this.#remove(keyOf(event.object));
      else if (event.type !== 'BOOKMARK') this.#put(event.object);
      this.resourceVersion = event.object.metadata.resourceVersion ?? this.resourceVersion;
    }
    this.#signal.throwIfAborted();
  }

  /** Only what differs from what is known already is told. */
  #replaceAll(items: readonly KubeObject[]): void {
    const there = new Set<string>();
    for (const object of items) {
      there.add(keyOf(object));
      this.#put(object);
    }
    for (const key of this.#store.keys()) if (!there.has(key)) this.#remove(key);
  }

  #put(object: KubeObject): void {
    const key = keyOf(object);
    const old = this.#store.get(key);
    const { uid, resourceVersion } = object.metadata;
    if (old !== undefined && old.metadata.resourceVersion === resourceVersion && old.metadata.uid === uid) return;
    this.#store.set(key, object);
    for (const listener of this.#listeners) listener.changed(key, old);
  }

  #remove(key: string): void {
    const old = this.#store.get(key);
    if (old === undefined) return;
    this.#store.delete(key);
    for (const listener of this.#listeners) listener.changed(key, old);
  }

  /** A portion of the keys at a time, so that a round never comes as a wave. */
  async #remind(): Promise<void> {
    const { resyncMs } = this.#options;
    if (resyncMs === undefined) return;
    for (let portion = 0; ; portion = (portion + 1) % portions) {
      await this.#pause(resyncMs / portions, this.#signal);
      for (const key of this.#store.keys()) {
        if (portionOf(key) === portion) for (const listener of this.#listeners) listener.remind(key);
      }
    }
  }
}

function portionOf(key: string): number {
  let hash = 0;
  for (let index = 0; index < key.length; index++) hash = (Math.imul(hash, 31) + key.charCodeAt(index)) >>> 0;
  return hash % portions;
}
