import type { Platform } from '../engine.ts';
import type { EngineTools, PreviewRun, Run } from '../engine/run.ts';
import type { CheckHealth } from '../clients/talos.ts';
import type { Problem } from '../model/problem.ts';
import type { Terminal } from './terminal.ts';

export type EngineOptions = {
  readonly workspace: string;
  /** What it is warned of while it is open; absent: people are told at once. */
  readonly warn?: (problem: Problem) => void;
};

/** What commands that build and keep a platform are handed; loaded by the first that needs it. */
export type EngineDoor = {
  readonly terminal: () => Terminal;
  /** Opens everything that the platform needs: its provider with its secrets, the tunnel, the place where state is kept. */
  readonly open: (
    platform: Platform,
    options: EngineOptions,
  ) => Promise<EngineTools & { readonly checkHealth: CheckHealth } & AsyncDisposable>;
};

/** The same for commands that make and run plans. */
export type RunDoor = EngineDoor & {
  readonly engine: () => Promise<{ readonly preview: PreviewRun; readonly run: Run }>;
  /** This process, and when it began as the system counts it. */
  readonly self: () => Promise<{ readonly pid: number; readonly started: string }>;
  /** After the second Ctrl-C: ends the process soon, whatever is still open. */
  readonly leave?: () => void;
};
