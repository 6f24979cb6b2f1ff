import type { KubeObject } from '../../wire/kubernetes/objects.ts';

export type Change =
  | { readonly kind: 'added' | 'removed'; readonly key: string; readonly object: KubeObject }
  | { readonly kind: 'updated'; readonly key: string; readonly object: KubeObject; readonly old: KubeObject }
  /** Nothing changed; a reminder that it is there. */
  | { readonly kind: 'same'; readonly key: string; readonly object: KubeObject };

export type Handler = (change: Change) => void | Promise<void>;

/**
 * One who wants to hear of changes, at their own pace. What is waiting is a difference between what they heard last and what
 * is there now: however slow they are, no more waits for them than there are objects, and nothing waits for them.
 */
export class Listener {
  readonly #handle: Handler;
  readonly #current: (key: string) => KubeObject | undefined;
  readonly #failed: (error: unknown) => void;
  /** What they heard last of an object that may be another one by now. */
  readonly #waiting = new Map<string, KubeObject | undefined>();
  readonly #reminders = new Set<string>();
  #telling: Promise<void> | undefined;
  #ended = false;

  constructor(handle: Handler, current: (key: string) => KubeObject | undefined, failed: (error: unknown) => void) {
    this.#handle = handle;
    this.#current = current;
    this.#failed = failed;
  }

  /** `old` is what the object was before this change. */
  changed(key: string, old: KubeObject | undefined): void {
    if (!this.#waiting.has(key)) this.#waiting.set(key, old);
    this.#wake();
  }

  remind(key: string): void {
    this.#reminders.add(key);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
  }

  /** Everything that has happened so far has been heard. */
  async idle(): Promise<void> {
    while (this.#telling !== undefined) await this.#telling;
  }

  #wake(): void {
    this.#telling ??= this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    // Whoever reads the stream goes on first.
    await Promise.resolve();
    for (;;) {
      const [next] = this.#waiting;
      if (this.#ended) break;
      if (next !== undefined) {
        const [key, heard] = next;
        this.#waiting.delete(key);
        this.#reminders.delete(key);
        for (const change of between(key, heard, this.#current(key))) await this.#tell(change);
        continue;
      }
      const [key] = this.#reminders;
      if (key === undefined) break;
      this.#reminders.delete(key);
      const object = this.#current(key);
      if (object !== undefined) await this.#tell({ kind: 'same', key, object });
    }
    // In the same breath as nothing more was found: what comes a moment later wakes it again.
    this.#telling = undefined;
  }

  async #tell(change: Change): Promise<void> {
    try {
      await this.#handle(change);
    } catch (error) {
      this.#failed(error);
    }
  }
}

/** The same name with another uid is another object. */
function between(key: string, old: KubeObject | undefined, now: KubeObject | undefined): readonly Change[] {
  if (old === undefined) return now === undefined ? [] : [{ kind: 'added', key, object: now }];
  if (now === undefined) return [{ kind: 'removed', key, object: old }];
  if (old.metadata.uid !== now.metadata.uid) {
    return [
      { kind: 'removed', key, object: old },
      { kind: 'added', key, object: now },
    ];
  }
  if (old.metadata.resourceVersion === now.metadata.resourceVersion) return [];
  return [{ kind: 'updated', key, object: now, old }];
}
