import type { Pause } from '../../model/pause.ts';
import { pause as realPause } from './pause.ts';
import { firstOf } from '../../model/signals.ts';

export type QueueOptions = {
  readonly now?: () => Date;
  readonly pause?: Pause;
  /** Of one key: the first wait after a failure, doubled by every further one up to the longest. */
  readonly firstWaitMs?: number;
  readonly longestWaitMs?: number;
  /** Of all keys that failed together: so many at once, and so many a second after that. */
  readonly burst?: number;
  readonly perSecond?: number;
};

/** What became of a key. A worker that throws failed, and the key comes back later and later. */
export type Worked = { readonly kind: 'done' } | { readonly kind: 'again'; readonly afterMs: number };

const usual = { firstWaitMs: 5, longestWaitMs: 1_000_000, burst: 100, perSecond: 10 } as const;

/**
 * Keys that wait to be looked at. One that is added twice is looked at once; one that is added while somebody looks at it is
 * looked at again afterwards, never by two at a time.
 */
export class WorkQueue {
  readonly #options: Required<Omit<QueueOptions, 'now' | 'pause'>>;
  readonly #now: () => number;
  readonly #pause: Pause;
  readonly #ready = new Set<string>();
  readonly #working = new Set<string>();
  /** Added while it was worked on. */
  readonly #dirty = new Set<string>();
  readonly #later = new Map<string, { readonly at: number; readonly ending: AbortController }>();
  readonly #failures = new Map<string, number>();
  readonly #idle: (() => void)[] = [];
  readonly #bucket: { tokens: number; at: number };
  #ended = false;

  constructor(options: QueueOptions = {}) {
    this.#options = { ...usual, ...options };
    const { now } = options;
    this.#now = now === undefined ? () => performance.now() : () => now().getTime();
    this.#pause = options.pause ?? realPause;
    this.#bucket = { tokens: this.#options.burst, at: this.#now() };
  }

  /** Keys that nobody works on, those included whose time has not come. */
  get size(): number {
    return this.#ready.size + this.#dirty.size + this.#later.size;
  }

  add(key: string): void {
    if (this.#ended) return;
    this.#cancel(key);
    if (this.#working.has(key)) this.#dirty.add(key);
    else this.#ready.add(key);
    this.#idle.shift()?.();
  }

  /** The earliest of several times counts. */
  addAfter(key: string, ms: number): void {
    if (this.#ended) return;
    if (ms <= 0) return this.add(key);
    if (this.#ready.has(key) || this.#dirty.has(key)) return undefined;
    const at = this.#now() + ms;
    const planned = this.#later.get(key);
    if (planned !== undefined && planned.at <= at) return undefined;
    this.#cancel(key);
    const ending = new AbortController();
    this.#later.set(key, { at, ending });
    this.#pause(ms, ending.signal).then(
      () => this.add(key),
      () => undefined,
    );
    return undefined;
  }

  /** After a failure: later than last time, and not more often than all keys together may. */
  addLater(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const { firstWaitMs, longestWaitMs } = this.#options;
    const own = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures, 40));
    this.addAfter(key, Math.max(own, this.#turn()));
  }

  /** It went well: the next failure is the first one. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** So many at a time. With the signal nothing more is begun, and it ends when everything that was begun has ended. */
  async run(
    workers: number,
    work: (key: string, signal: AbortSignal) => Promise<Worked>,
    callers: AbortSignal,
    failed: (key: string, error: unknown) => void = () => undefined,
  ): Promise<void> {
    using signal = firstOf(callers);
    const onAbort = (): void => this.#abandon();
    if (signal.aborted) this.#abandon();
    signal.addEventListener('abort', onAbort, { once: true });
    await Promise.all(Array.from({ length: workers }, () => this.#worker(work, signal, failed)));
    signal.removeEventListener('abort', onAbort);
  }

  /** Takes nothing more in. What is ready is still worked on, what waits for its time is not. */
  end(): void {
    this.#ended = true;
    for (const { ending } of this.#later.values()) ending.abort();
    this.#later.clear();
    for (const wake of this.#idle.splice(0)) wake();
  }

  #abandon(): void {
    this.end();
    this.#ready.clear();
    this.#dirty.clear();
  }

  async #worker(
    work: (key: string, signal: AbortSignal) => Promise<Worked>,
    signal: AbortSignal,
    failed: (key: string, error: unknown) => void,
  ): Promise<void> {
    for (let key = await this.#take(); key !== undefined; key = await this.#take()) {
      try {
        const worked = await work(key, signal);
        this.forget(key);
        if (worked.kind === 'again') this.addAfter(key, worked.afterMs);
      } catch (error) {
        failed(key, error);
        this.addLater(key);
      } finally {
        this.#done(key);
      }
    }
  }

  async #take(): Promise<string | undefined> {
    for (;;) {
      const [key] = this.#ready;
      if (key !== undefined) {
        this.#ready.delete(key);
        this.#working.add(key);
        return key;
      }
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  #done(key: string): void {
    this.#working.delete(key);
    if (!this.#dirty.delete(key)) return;
    this.#ready.add(key);
    this.#idle.shift()?.();
  }

  #cancel(key: string): void {
    this.#later.get(key)?.ending.abort();
    this.#later.delete(key);
  }

  /** Milliseconds until it is this one’s turn. */
  #turn(): number {
    const { burst, perSecond } = this.#options;
    const now = this.#now();
    this.#bucket.tokens = Math.min(burst, this.#bucket.tokens + ((now - this.#bucket.at) / 1000) * perSecond);
    this.#bucket.at = now;
    this.#bucket.tokens--;
    return this.#bucket.tokens >= 0 ? 0 : (-this.#bucket.tokens / perSecond) * 1000;
  }
}
