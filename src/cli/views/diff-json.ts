import type { Differences } from '../../engine/drift.ts';
import type { Drift } from '../../model/plan.ts';

/** For programs. */
export const diffJson = ({ platform, correct, keep, danger, steps, asks, doubts, any }: Differences): unknown => ({
  platform,
  differences: any,
  correct: correct.map(driftJson),
  keep: keep.map(driftJson),
  danger: danger.map(driftJson),
  steps: steps.map(({ id, layer, machine, step, because, disruption }) => ({
    id,
    layer,
    machine: machine ?? null,
    kind: step.kind,
    because,
    disruption,
  })),
  asks,
  doubts,
});

const driftJson = ({ machine, what, wanted, found, because, remedy }: Drift): unknown => ({
  machine: machine ?? null,
  what,
  wanted: wanted ?? null,
  found: found ?? null,
  because,
  remedy: remedy ?? null,
});
