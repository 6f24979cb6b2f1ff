import type { Ask, Doubt, Drift, Plan, PlannedStep } from '../model/plan.ts';
import { onlyWaits } from '../model/step.ts';

/** What is other than the file says, told apart by what becomes of it. */
export type Differences = {
  readonly platform: string;
  /** Ours: the next run does it. */
  readonly correct: readonly Drift[];
  /** Theirs: it stays. */
  readonly keep: readonly Drift[];
  /** Correcting it could lose data: a person decides. */
  readonly danger: readonly Drift[];
  /** What a run would change besides, such as machines that are not there yet. */
  readonly steps: readonly PlannedStep[];
  readonly asks: readonly Ask[];
  readonly doubts: readonly Doubt[];
  readonly any: boolean;
};

export function differencesIn({ platform, drift, steps, asks, doubts }: Plan): Differences {
  const of = (kind: Drift['kind']): readonly Drift[] => drift.filter((each) => each.kind === kind);
  const changing = steps.filter(({ step }) => !onlyWaits(step));
  return {
    platform,
    correct: of('correct'),
    keep: of('keep'),
    danger: of('danger'),
    steps: changing,
    asks,
    doubts,
    any: drift.length + changing.length + asks.length > 0,
  };
}
