/** What a recorded run and this one call differently: tasks and secrets, as they come up. */
export class Memory {
  readonly #tasks = new Map<string, string>();
  /** Of configurations. */
  readonly #digests = new Map<string, string>();
  /** By `USER!TOKEN`. */
  readonly secrets = new Map<string, string>();

  /** Learns from two answers that mean the same. */
  learn(recorded: unknown, actual: unknown): void {
    if (isTask(recorded) && isTask(actual)) this.#tasks.set(recorded, actual);
    if (isDigest(recorded) && isDigest(actual)) this.#digests.set(recorded, actual);
    if (typeof recorded !== 'object' || recorded === null || typeof actual !== 'object' || actual === null) return;
    const token = (actual as Record<string, unknown>)['full-tokenid'];
    const value = (actual as Record<string, unknown>)['value'];
    if (typeof token === 'string' && typeof value === 'string') this.secrets.set(token, value);
    for (const [key, each] of Object.entries(recorded)) this.learn(each, (actual as Record<string, unknown>)[key]);
  }

  knows(task: string): boolean {
    return this.#tasks.has(task);
  }

  /** A recorded text as it is here; tasks may be escaped. */
  translated(text: string): string {
    const digested = text.replaceAll(/\b[0-9a-f]{40}\b/g, (found) => this.#digests.get(found) ?? found);
    return digested.replaceAll(/UPID(?::|%3A)[^/?\s"&]*/g, (found) => {
      const plain = decodeURIComponent(found);
      const here = this.#tasks.get(plain);
      if (here === undefined) return found;
      return found.includes('%3A') ? encodeURIComponent(here) : here;
    });
  }
}

const isTask = (value: unknown): value is string => typeof value === 'string' && value.startsWith('UPID:');

const isDigest = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{40}$/.test(value);

/** Tasks that a recorded path or body speaks of. */
export const tasksIn = (text: string): readonly string[] =>
  [...text.matchAll(/UPID(?::|%3A)[^/?\s"&]*/g)].map(([found]) => decodeURIComponent(found));
