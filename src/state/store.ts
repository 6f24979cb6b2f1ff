import type { RunFacts } from '../model/event.ts';
import type { Memory } from '../model/world.ts';

/** Who holds the lock, since when, and where. */
export type Holder = {
  readonly run: string;
  readonly command: string;
  readonly who: string;
  readonly host: string;
  readonly pid: number;
  /** When that process began, as the system counts it: a number that is used again is not the same process. */
  readonly started: string;
  readonly since: string;
};

/** One line of a journal. The intent is on disk before anything is changed. Nothing in it is secret. */
export type JournalEntry = { readonly at: string } & (
  | { readonly kind: 'began'; readonly run: Omit<RunFacts, 'began'> & { readonly command: string } }
  | { readonly kind: 'planned'; readonly pass: number; readonly steps: number; readonly digest: string }
  | { readonly kind: 'intent'; readonly step: string; readonly attempt: number; readonly because: string }
  | { readonly kind: 'done'; readonly step: string; readonly ms: number }
  | { readonly kind: 'failed'; readonly step: string; readonly code: string; readonly message: string }
  | { readonly kind: 'ended'; readonly outcome: 'converged' | 'stuck' | 'stopped'; readonly changed: number }
);

/** A run as its journal tells it. */
export type PastRun = {
  readonly id: string;
  readonly entries: readonly JournalEntry[];
};

/** Appends; each entry is durable when the promise resolves. Entries that come together may share one flush. */
export interface Journal extends AsyncDisposable {
  write(entry: JournalEntry): Promise<void>;
}

/**
 * What the world cannot tell, and the files that people get. One place for each platform and workspace. Files are whole or not
 * there; secrets are made once and never written over.
 */
export interface Store {
  /** For people: a path, a bucket. */
  readonly where: string;
  /** Undefined: nothing is remembered. A place that belongs to another platform is a problem that says so. */
  memory(platform: string): Promise<Memory>;
  remember(memory: Memory): Promise<void>;
  /** Text of `secrets.yaml`; undefined: there is none. */
  secrets(): Promise<string | undefined>;
  /** Only where none are: others that came meanwhile are a problem. */
  makeSecrets(text: string): Promise<void>;
  deleteSecrets(): Promise<void>;
  /** A file for people, by its path below the folder; `secrets.yaml` is none of them. */
  artifact(path: string): Promise<string | undefined>;
  writeArtifact(path: string, text: string): Promise<void>;
  deleteArtifact(path: string): Promise<void>;
  /** Refused with `locked` while somebody else holds it; a holder that is proved to be gone holds nothing. */
  lock(holder: Holder): Promise<AsyncDisposable>;
  /** Who holds it now; undefined: nobody. */
  holder(): Promise<{ readonly holder: Holder; readonly alive: 'yes' | 'no' | 'unknown' } | undefined>;
  /** Because a person says so. Who held it. */
  unlock(): Promise<Holder | undefined>;
  begin(run: string): Promise<Journal>;
  /** Newest first. */
  runs(): Promise<readonly PastRun[]>;
}
