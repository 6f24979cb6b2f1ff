import type { Principal } from '../call.ts';
import type { Host } from '../host.ts';

/** A worker process of a host. */
export interface Task {
  readonly upid: string;
  readonly host: string;
  readonly pid: number;
  readonly pstart: number;
  readonly startedAt: Date;
  readonly type: string;
  readonly id: string;
  readonly who: Principal;
  readonly log: readonly string[];
  /** Undefined while it runs: `OK`, `WARNINGS: 1`, `unexpected status`, or what went wrong. */
  exit: string | undefined;
  endedAt: Date | undefined;
  /** Resolves when it has ended, however. */
  readonly ended: Promise<void>;
  /** TERM, then KILL: ends with `received interrupt`. */
  abort(): void;
  /** KILL: `unexpected status`, and what it did so far stays. */
  kill(): void;
}

/** What a worker has while it works. */
export type Worker = {
  readonly say: (line: string) => void;
  /** Makes the task end with WARNINGS. */
  readonly warn: (line: string) => void;
  /** Rejects when the task is aborted; never settles when it is killed or its host dies. `early`: nothing is done yet. */
  readonly sleep: (ms: number, how?: 'early') => Promise<void>;
  readonly signal: AbortSignal;
  readonly killed: AbortSignal;
};

/** What somebody outside has decided about a task before it starts. */
export type Fate =
  | { readonly kind: 'fail'; readonly reason: string }
  | { readonly kind: 'kill' }
  | { readonly kind: 'warn' };

export type NewTask = {
  readonly host: Host;
  readonly who: Principal;
  readonly type: string;
  readonly id: string;
  readonly work: (worker: Worker, upid: string) => Promise<void>;
  /** Strikes where the work first takes time, or at its end. */
  readonly fate?: Fate;
};

/** Starts workers; what it returns is the UPID. A Refusal that work throws becomes the exit status, in one line. */
export type StartTask = (task: NewTask) => string;
