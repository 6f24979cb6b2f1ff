import type { Condition } from './shapes.ts';

export const conditionOf = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((each) => each.type === type);

/** A condition in its place; when it changed last stays unless its status is another one now. */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  next: Condition,
  now: string,
): readonly Condition[] {
  const before = conditionOf(conditions, next.type);
  const lastTransitionTime = before?.status === next.status ? (before.lastTransitionTime ?? now) : now;
  const made = { lastTransitionTime, ...next };
  if (before === undefined) return [...(conditions ?? []), made];
  return (conditions ?? []).map((each) => (each.type === next.type ? made : each));
}

export const withoutCondition = (conditions: readonly Condition[] | undefined, type: string): readonly Condition[] =>
  (conditions ?? []).filter((each) => each.type !== type);
