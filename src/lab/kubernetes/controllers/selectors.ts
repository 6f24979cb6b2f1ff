import type { LabelSelector, Labels, SelectorRequirement } from './shapes.ts';

/** Undefined selects nothing; an empty one everything. */
export function matches(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  return (
    hasAll(selector.matchLabels ?? {}, labels) &&
    (selector.matchExpressions ?? []).every((requirement) => meets(requirement, labels))
  );
}

export const hasAll = (wanted: Labels, labels: Labels = {}): boolean =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);

/** Operators of label selectors, and those that only node selectors have. */
export function meets({ key, operator, values = [] }: SelectorRequirement, labels: Labels): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    case 'Lt':
      return Number(value) < Number(values[0]);
    default:
      return false;
  }
}
