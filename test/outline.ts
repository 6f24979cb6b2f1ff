import type { Plan } from '../src/model/plan.ts';

/** A plan as a reviewer reads it: each step, and what it waits for. */
export const outline = ({ steps }: Plan): readonly string[] =>
  steps.map(({ id, after }) => (after.length === 0 ? id : `${id}, after ${after.join(', ')}`));
