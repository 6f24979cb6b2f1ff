import type { Preview } from '../../engine/run.ts';
import type { Plan } from '../../model/plan.ts';
import type { Proof } from '../../model/proof.ts';
import { tightestOf, totalsOf } from './plan-totals.ts';
import { stepWords, type Mark } from './step-words.ts';

const actions: Readonly<Record<Mark, string>> = { '+': 'create', '~': 'change', '-': 'delete', '>': 'wait' };

/** For programs. Field names carry their unit, and stay. */
export function planJson(plan: Plan): Record<string, unknown> {
  const { marks, disruptions, expectedMs } = totalsOf(plan.steps);
  const { none: _, ...disturbs } = disruptions;
  return {
    platform: plan.platform,
    intent: plan.intent,
    made: plan.made,
    partial: plan.partial,
    steps: plan.steps.map(({ id, layer, machine, step, after, because, disruption, expectedMs: ms, reveals }) => {
      const { mark, what, where } = stepWords(step);
      return {
        id,
        layer,
        machine: machine ?? null,
        kind: step.kind,
        action: actions[mark],
        what: where === undefined ? what : `${what}, ${where}`,
        because,
        disruption,
        expectedMs: ms,
        reveals: reveals ?? null,
        after,
        step,
      };
    }),
    drift: plan.drift.map(({ machine, kind, what, wanted, found, because, remedy }) => ({
      machine: machine ?? null,
      kind,
      what,
      wanted: wanted ?? null,
      found: found ?? null,
      because,
      remedy: remedy ?? null,
    })),
    asks: plan.asks,
    doubts: plan.doubts,
    totals: { create: marks['+'], change: marks['~'], delete: marks['-'], wait: marks['>'], disturbs, expectedMs },
  };
}

export const previewJson = ({ plan, proof }: Pick<Preview, 'plan' | 'proof'>): Record<string, unknown> => ({
  ...planJson(plan),
  proof: shortProof(proof),
});

/** The whole proof is ichor place’s. */
const shortProof = (proof: Proof): Record<string, unknown> => ({
  fits: proof.fits,
  certain: proof.certain,
  tightest: tightestOf(proof) ?? null,
});
