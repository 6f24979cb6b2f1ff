import type { Outcome, RunEvent, RunFacts } from './event.ts';
import { layers, type Layer } from './layer.ts';
import { criticalPathMs, type Plan, type PlannedStep } from './plan.ts';
import type { Problem } from './problem.ts';

type Phase = 'pending' | 'running' | 'again' | 'done' | 'failed' | 'skipped';

/** A step of a run, as far as it has come. */
export type StepState = {
  readonly id: string;
  /** Undefined: told about without having been planned. */
  readonly planned: PlannedStep | undefined;
  readonly phase: Phase;
  readonly attempts: number;
  readonly began: Date | undefined;
  readonly ended: Date | undefined;
  readonly waits: { readonly for: string; readonly because: string; readonly since: Date } | undefined;
  readonly says: string | undefined;
  /** Why it failed, or is tried again. */
  readonly problem: Problem | undefined;
  readonly again: { readonly at: Date; readonly inMs: number } | undefined;
  /** Why it was not begun. */
  readonly because: string | undefined;
};

/** One look at the world, and what was done about it. */
export type PassState = {
  readonly pass: number;
  readonly plan: Plan | undefined;
  /** In the order of the plan. */
  readonly steps: ReadonlyMap<string, StepState>;
};

export type RunState = {
  readonly run: RunFacts | undefined;
  readonly began: Date | undefined;
  readonly doing: 'beginning' | 'looking' | 'running' | 'ended';
  readonly passes: readonly PassState[];
  readonly warnings: readonly Problem[];
  /** What is still being finished after somebody said stop. */
  readonly stopping: readonly string[] | undefined;
  readonly ended: Date | undefined;
  readonly outcome: Outcome | undefined;
};

export type Following = { readonly tell: (event: RunEvent) => void; readonly state: () => RunState };

/** Follows a run by what it tells. Thousands of events come: what is told changes only the step that it is about. */
export function followRun(): Following {
  let state: RunState = {
    run: undefined,
    began: undefined,
    doing: 'beginning',
    passes: [],
    warnings: [],
    stopping: undefined,
    ended: undefined,
    outcome: undefined,
  };
  let steps = new Map<string, StepState>();
  const begin = (pass: number, plan: Plan | undefined): void => {
    steps = new Map(plan?.steps.map((planned) => [planned.id, pending(planned.id, planned)]));
    state = { ...state, doing: 'running', passes: [...state.passes, { pass, plan, steps }] };
  };
  const put = (id: string, change: Partial<StepState>): void => {
    if (state.passes.length === 0) begin(0, undefined);
    steps.set(id, { ...(steps.get(id) ?? pending(id, undefined)), ...change });
  };
  return {
    state: () => state,
    tell: (event) => {
      switch (event.kind) {
        case 'began':
          state = { ...state, run: event.run, began: event.run.began };
          return;
        case 'looking':
          state = { ...state, began: state.began ?? event.at, doing: 'looking' };
          return;
        case 'planned':
          begin(event.pass, event.plan);
          return;
        case 'warned':
          state = { ...state, warnings: [...state.warnings, event.problem] };
          return;
        case 'stopping':
          state = { ...state, stopping: event.finishing };
          return;
        case 'ended':
          state = { ...state, doing: 'ended', ended: event.at, outcome: event.outcome };
          return;
        default:
          put(event.step, stepChange(event, steps.get(event.step)));
      }
    },
  };
}

const pending = (id: string, planned: PlannedStep | undefined): StepState => ({
  id,
  planned,
  phase: 'pending',
  attempts: 0,
  began: undefined,
  ended: undefined,
  waits: undefined,
  says: undefined,
  problem: undefined,
  again: undefined,
  because: undefined,
});

type StepEvent = Extract<RunEvent, { readonly step: string }>;

function stepChange(event: StepEvent, before: StepState | undefined): Partial<StepState> {
  const { at } = event;
  switch (event.kind) {
    case 'step-began':
      return {
        phase: 'running',
        attempts: event.attempt,
        began: before?.began ?? at,
        ended: undefined,
        waits: undefined,
        again: undefined,
      };
    case 'step-waits':
      return { waits: { for: event.for, because: event.because, since: event.since } };
    case 'step-says':
      return { says: event.text };
    case 'step-again':
      return { phase: 'again', problem: event.problem, again: { at, inMs: event.inMs }, waits: undefined };
    case 'step-done':
      return { phase: 'done', began: before?.began ?? new Date(at.getTime() - event.ms), ended: at, ...over };
    case 'step-failed':
      return { phase: 'failed', problem: event.problem, ended: at, waits: undefined, again: undefined };
    case 'step-skipped':
      return { phase: 'skipped', because: event.because, ended: at, waits: undefined, again: undefined };
  }
}

const over = { waits: undefined, again: undefined, problem: undefined } as const;

/** From its first beginning to its end, with what lay between two attempts; up to now while it is not over. */
export const elapsedMs = ({ began, ended }: Pick<StepState, 'began' | 'ended'>, now: Date): number =>
  began === undefined ? 0 : Math.max(0, (ended ?? now).getTime() - began.getTime());

export const runMs = ({ began, ended }: RunState, now: Date): number => elapsedMs({ began, ended }, now);

/** The pass to show: the last one in which there is anything, because the one that finds nothing left to do is empty. */
export const shownPass = ({ passes }: RunState): PassState | undefined =>
  passes.findLast(({ steps }) => steps.size > 0) ?? passes.at(-1);

export const allSteps = ({ passes }: RunState): readonly StepState[] =>
  passes.flatMap(({ steps }) => [...steps.values()]);

export type Counts = Readonly<Record<Phase, number>>;

export function countPhases(steps: Iterable<Pick<StepState, 'phase'>>): Counts {
  const counts = { pending: 0, running: 0, again: 0, done: 0, failed: 0, skipped: 0 };
  for (const { phase } of steps) counts[phase]++;
  return counts;
}

/** Steps by layer, in the order of the layers; those that nobody planned are left out. */
export function byLayer(steps: Iterable<StepState>): ReadonlyMap<Layer, readonly StepState[]> {
  const groups = new Map<Layer, StepState[]>(layers.map((layer) => [layer, []]));
  for (const step of steps) if (step.planned !== undefined) groups.get(step.planned.layer)?.push(step);
  return new Map([...groups].filter(([, group]) => group.length > 0));
}

/** How long it takes still, at least: the longest way through what is not done, at the pace of what is. */
export function leftMs({ steps }: PassState, now: Date): number {
  const all = [...steps.values()];
  const pace = paceOf(all, now);
  return criticalPathMs(
    all.flatMap((step) =>
      step.planned === undefined ? [] : [{ ...step.planned, expectedMs: stepLeftMs(step, step.planned, pace, now) }],
    ),
  );
}

/** Expected, and taken as long: what has to be outweighed before a run counts as quicker than others. */
const priorMs = 5000;

/** How long steps take, over what was expected of them. What was slow says nothing about the rest, so that it is one at most. */
function paceOf(steps: readonly StepState[], now: Date): number {
  const sums = { taken: priorMs, expected: priorMs };
  for (const step of steps) {
    if (step.phase !== 'done' || step.planned === undefined) continue;
    sums.taken += elapsedMs(step, now);
    sums.expected += step.planned.expectedMs;
  }
  return Math.min(1, sums.taken / sums.expected);
}

function stepLeftMs(step: StepState, { expectedMs }: PlannedStep, pace: number, now: Date): number {
  switch (step.phase) {
    case 'pending':
      return expectedMs * pace;
    case 'running':
    case 'again':
      return Math.max(0, expectedMs * pace - elapsedMs(step, now));
    case 'done':
    case 'failed':
    case 'skipped':
      return 0;
  }
}
