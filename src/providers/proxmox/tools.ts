import type { Clock } from '../../model/clock.ts';
import type { Connector } from '../../model/connector.ts';
import type { FetchFile, TryFile } from '../../model/file.ts';
import type { Pause } from '../../model/pause.ts';
import type { Problem } from '../../model/problem.ts';

/** What the provider is handed, so that a test decides about time, chance and the network. */
export type ProxmoxTools = {
  readonly clock: Clock;
  readonly pause: Pause;
  /** From 0 up to 1; spreads out what would otherwise knock at the same moment. */
  readonly random: () => number;
  /** Told what a person should know and nothing stops for. */
  readonly warn: (problem: Problem) => void;
  /** Opens byte streams to hosts, directly or through a tunnel. */
  readonly connect: Connector;
  /** Brings images here, for hosts that cannot fetch them. */
  readonly fetchFile: FetchFile;
  /** Whether they could be brought. */
  readonly tryFile: TryFile;
  /** Milliseconds of the wall’s clock. */
  readonly deadlines?: Partial<Deadlines>;
};

export type Deadlines = {
  /** Until a connection stands. */
  readonly dial: number;
  /** A little more than the 30 s after which a host gives up on another one. */
  readonly answer: number;
  /** For every word of an upload. */
  readonly upload: number;
};

export const usualDeadlines: Deadlines = { dial: 10_000, answer: 35_000, upload: 60_000 };
