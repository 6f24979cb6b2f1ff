import type { Found } from '../execute/tools.ts';
import type { Outcome, RunEvent } from '../model/event.ts';
import { layers } from '../model/layer.ts';
import { Problem, Problems } from '../model/problem.ts';
import type { World } from '../model/world.ts';
import type { PlatformMaterial } from './material.ts';
import type { Patience } from './patience.ts';
import type { EngineTools, Meant, RunRequest, Stop } from './run.ts';
import { noteLife } from './life.ts';
import { askProblem } from './run-problems.ts';
import { look, type Sight, type Stages } from './stages.ts';

/** One run on its way. */
export type Journey = {
  readonly id: string;
  readonly meant: Meant;
  readonly request: RunRequest;
  readonly tools: EngineTools;
  readonly stages: Stages;
  readonly stop: Stop;
  /** Either kind of stop: what only looks ends with both. */
  readonly ending: AbortSignal;
  readonly found: Found;
  readonly material: PlatformMaterial;
  readonly patience: Patience;
  readonly tell: (event: RunEvent) => void;
  /** What has come of it so far. */
  readonly tally: { pass: number; changed: number; left: readonly string[]; stopping: boolean; locked: boolean };
};

/** There is something to do, or there is not. */
export type Look =
  | { readonly kind: 'sight'; readonly sight: Sight }
  | { readonly kind: 'ended'; readonly outcome: Outcome; readonly world?: World };

/** Looks until it is clear whether there is something to do. */
export async function lookUntilClear(journey: Journey): Promise<Look> {
  const { request, patience } = journey;
  for (;;) {
    const sight = await lookOnce(journey);
    const { steps, asks, doubts, partial } = sight.plan;
    if (steps.length > 0) return { kind: 'sight', sight };
    if (asks.length > 0) return ended(stuck(journey, asks.map(askProblem)));
    // A layer leaves things out on purpose; else what could not be seen may be what there is to do.
    if (doubts.length === 0 || !partial || isLayer(request.target))
      return { kind: 'ended', outcome: { kind: 'converged', changed: journey.tally.changed }, world: sight.world };
    const verdict = patience.afterDoubts(sight.plan);
    if (verdict.kind === 'stuck') return ended(stuck(journey, verdict.problems));
    await rest(journey, verdict.inMs);
  }
}

const isLayer = (target: string | undefined): boolean => layers.some((layer) => layer === target);

const ended = (outcome: Outcome): Look => ({ kind: 'ended', outcome });

async function lookOnce(journey: Journey): Promise<Sight> {
  const { tools, tell, tally, meant, request, ending, patience } = journey;
  const pass = ++tally.pass;
  for (;;) {
    ending.throwIfAborted();
    tell({ kind: 'looking', at: tools.clock.now(), pass });
    try {
      const sight = await look(meant, request, journey, ending);
      tell({ kind: 'planned', at: tools.clock.now(), pass, plan: sight.plan });
      if (tally.locked && request.intent === 'converge') await noteLife(sight.world, sight.tools);
      return sight;
    } catch (error) {
      const problems = problemsOf(error);
      if (ending.aborted || problems === undefined) throw error;
      const verdict = patience.afterBlindness(problems, pass === 1);
      if (verdict.kind === 'stuck') throw error;
      for (const problem of problems) tell({ kind: 'warned', at: tools.clock.now(), problem });
      await rest(journey, verdict.inMs);
    }
  }
}

export const rest = async ({ tools, ending }: Journey, ms: number): Promise<void> => {
  ending.throwIfAborted();
  if (ms > 0) await tools.pause(ms, ending);
};

/** What a person can meet; undefined: a bug. */
const problemsOf = (error: unknown): readonly Problem[] | undefined =>
  error instanceof Problems ? error.problems : error instanceof Problem ? [error] : undefined;

export const stuck = ({ tally }: Journey, problems: readonly Problem[]): Outcome => ({
  kind: 'stuck',
  problems,
  changed: tally.changed,
});

export const stopped = ({ tally }: Journey): Outcome => ({
  kind: 'stopped',
  changed: tally.changed,
  left: tally.left,
});

/** How a run ends that something was thrown in; a bug is thrown further. */
export function outcomeOfError(journey: Journey, error: unknown): Outcome {
  if (journey.ending.aborted) return stopped(journey);
  const problems = problemsOf(error);
  if (problems === undefined) throw error;
  return stuck(journey, problems);
}
