import { Problem } from '../src/model/problem.ts';
import type { Memory } from '../src/model/world.ts';
import type { Holder, Journal, JournalEntry, Store } from '../src/state/store.ts';

/** What is kept between runs, kept by a test; `asked` has every change, in order. */
export class MemoryStore implements Store {
  readonly where = 'talos';
  readonly asked: string[] = [];
  readonly artifacts = new Map<string, string>();
  readonly entries: JournalEntry[] = [];
  remembered: Memory | undefined;
  secretsText: string | undefined;
  #held: Holder | undefined;

  constructor(secrets?: string) {
    this.secretsText = secrets;
  }

  async memory(platform: string): Promise<Memory> {
    return this.remembered ?? { platform, bootstrap: undefined, configured: {}, guarded: undefined };
  }

  async remember(memory: Memory): Promise<void> {
    this.asked.push('remember');
    this.remembered = memory;
  }

  async secrets(): Promise<string | undefined> {
    return this.secretsText;
  }

  async makeSecrets(text: string): Promise<void> {
    this.asked.push('make secrets');
    if (this.secretsText !== undefined) throw new Problem('secrets-exist', 'There are secrets already.');
    this.secretsText = text;
  }

  async deleteSecrets(): Promise<void> {
    this.asked.push('delete secrets');
    this.secretsText = undefined;
  }

  async artifact(path: string): Promise<string | undefined> {
    return this.artifacts.get(path);
  }

  async writeArtifact(path: string, text: string): Promise<void> {
    this.asked.push(`write ${path}`);
    this.artifacts.set(path, text);
  }

  async deleteArtifact(path: string): Promise<void> {
    this.asked.push(`delete ${path}`);
    this.artifacts.delete(path);
  }

  async begin(): Promise<Journal> {
    return {
      write: async (entry) => void this.entries.push(entry),
      [Symbol.asyncDispose]: async () => {},
    };
  }

  lock: Store['lock'] = async (holder) => {
    this.#held = holder;
    return { [Symbol.asyncDispose]: async () => void (this.#held = undefined) };
  };
  holder: Store['holder'] = async () => (this.#held === undefined ? undefined : { holder: this.#held, alive: 'yes' });
  unlock = async (): Promise<undefined> => undefined;
  runs = async (): Promise<readonly never[]> => [];
}
