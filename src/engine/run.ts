import type { Tools } from '../execute/tools.ts';
import type { Outcome, RunEvent } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Proof } from '../model/proof.ts';
import type { World } from '../model/world.ts';
import type { Platform } from '../spec/platform.ts';
import type { PatchSource } from '../talos/patch/select.ts';

/** What the engine is handed; opened by the door, closed by the door. */
export type EngineTools = Omit<Tools, 'material' | 'found'> & {
  /** What is not committed of the repository that the platform’s file is in; undefined: nothing, or it is in none. */
  readonly gitClean?: (signal: AbortSignal) => Promise<Problem | undefined>;
  /** The certificate that a server shows, as PEM; for `verify` alone. */
  readonly shownCertificate?: (
    place: { readonly host: string; readonly port: number },
    signal: AbortSignal,
  ) => Promise<string>;
};

/** A platform, and everything that its file only refers to. */
export type Meant = {
  readonly platform: Platform;
  readonly source: PatchSource;
  /** Texts of the references of the file, by their key (`referencesOf`). Secret. */
  readonly resolved: ReadonlyMap<string, string>;
};

export type RunOptions = {
  readonly intent: 'converge' | 'destroy';
  /** A layer or a machine: only what it needs. */
  readonly target?: string;
  /** With a destroy: the secrets too. */
  readonly everything?: boolean;
  /** With a destroy: somebody named the platform, so that what cannot be proved to be ours goes, too. */
  readonly confirmed?: boolean;
};

/** What would be done, and the proof that it fits. Nothing is written, anywhere. */
export type Preview = { readonly plan: Plan; readonly proof: Proof; readonly world: World };

type Runner = {
  readonly who: string;
  readonly host: string;
  readonly pid: number;
  /** When this process began, as the system counts it. */
  readonly started: string;
  /** As it was typed, without anything secret. */
  readonly command: string;
};

export type RunRequest = RunOptions & {
  /** Steps at a time, over all systems. */
  readonly parallelism: number;
  /** The longest that one gate may be waited for. */
  readonly atMostMs: number;
  /** A plan that somebody signed off: anything else is refused. */
  readonly saved?: Plan;
  readonly runner: Runner;
  /** Asked once, with the first plan that is not empty; false ends the run before anything is written. */
  readonly confirm: (preview: Preview) => Promise<boolean>;
  readonly tell: (event: RunEvent) => void;
};

/** `gentle`: nothing new begins, what cannot be left alone is finished. `now`: everything stops where it is. */
export type Stop = { readonly gentle: AbortSignal; readonly now: AbortSignal };

export type PreviewRun = (
  meant: Meant,
  options: RunOptions,
  tools: EngineTools,
  signal: AbortSignal,
) => Promise<Preview>;
export type Run = (meant: Meant, request: RunRequest, tools: EngineTools, stop: Stop) => Promise<Outcome>;
