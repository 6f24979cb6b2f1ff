import type { PlannedStep } from '../model/plan.ts';

/** A plan as the walk needs it: who comes after whom, and how long the way is from each step to the end. */
export type Graph = {
  readonly children: ReadonlyMap<string, readonly PlannedStep[]>;
  /** The step’s own time included. */
  readonly remainingMs: ReadonlyMap<string, number>;
};

/** A plan stands in an order in which it could be done one by one; what does not is a bug, found before anything is begun. */
export function graphOf(steps: readonly PlannedStep[]): Graph {
  const children = new Map<string, PlannedStep[]>();
  for (const step of steps) {
    if (children.has(step.id)) throw new Error(`The plan has "${step.id}" twice.`);
    for (const parent of new Set(step.after)) {
      const siblings = children.get(parent);
      if (siblings === undefined) throw new Error(`"${step.id}" is to come after "${parent}", which is not before it.`);
      siblings.push(step);
    }
    children.set(step.id, []);
  }
  const remainingMs = new Map<string, number>();
  for (const { id, expectedMs } of steps.toReversed()) {
    const after = (children.get(id) ?? []).map((child) => remainingMs.get(child.id) ?? 0);
    remainingMs.set(id, expectedMs + after.reduce((most, each) => Math.max(most, each), 0));
  }
  return { children, remainingMs };
}
