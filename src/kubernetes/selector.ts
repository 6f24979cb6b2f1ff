import { at, listAt, textAt } from './live.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether a label selector, as objects have it, means something with these labels; what an empty one means differs by kind. */
export function selects(selector: unknown, labels: Labels, empty: 'everything' | 'none'): boolean {
  const wanted = Object.entries((at(selector, 'matchLabels') ?? {}) as Labels);
  const expressions = listAt(selector, 'matchExpressions');
  if (wanted.length === 0 && expressions.length === 0) return empty === 'everything';
  return wanted.every(([key, value]) => labels[key] === value) && expressions.every((one) => holds(one, labels));
}

function holds(expression: unknown, labels: Labels): boolean {
  const value = labels[textAt(expression, 'key') ?? ''];
  const values = listAt(expression, 'values');
  switch (textAt(expression, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
