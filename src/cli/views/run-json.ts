import type { Outcome } from '../../model/event.ts';
import { allSteps, runMs, type RunState, type StepState } from '../../model/run-state.ts';
import { outcomeJson, problemJson } from './run-jsonl.ts';

/** A whole run as one document. */
export function runJson(state: RunState, outcome: Outcome, now: Date): Record<string, unknown> {
  const { run, began, warnings, passes } = state;
  const ended = state.ended ?? now;
  return {
    run: run?.id ?? null,
    platform: run?.platform ?? passes[0]?.plan?.platform ?? null,
    intent: run?.intent ?? passes[0]?.plan?.intent ?? null,
    began: began?.toISOString() ?? null,
    ended: ended.toISOString(),
    ms: runMs(state, ended),
    passes: passes.length,
    outcome: outcomeJson(outcome),
    steps: allSteps(state).map(stepJson),
    warnings: warnings.map(problemJson),
  };
}

const stepJson = ({ id, planned, phase, attempts, began, ended, problem, because }: StepState) => ({
  id,
  layer: planned?.layer ?? null,
  machine: planned?.machine ?? null,
  phase,
  attempts,
  began: began?.toISOString() ?? null,
  ended: ended?.toISOString() ?? null,
  ms: began === undefined || ended === undefined ? null : ended.getTime() - began.getTime(),
  problem: problem === undefined ? null : problemJson(problem),
  because: because ?? null,
});
