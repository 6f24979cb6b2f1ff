import type { FieldError } from '../resource.ts';
import { labelKey, labelValueComplaints } from '../verbs/names.ts';
import { complain, forbiddenField, invalidValue, required } from './errors.ts';
import { text, texts, type Tree, tree, trees } from './tree.ts';

/** What is wrong with a label selector. */
export function checkSelector(field: string, selector: Tree): readonly FieldError[] {
  return [
    ...Object.entries(tree(selector['matchLabels'])).flatMap(([key, value]) =>
      checkLabel(`${field}.matchLabels`, key, value),
    ),
    ...trees(selector['matchExpressions']).flatMap((expression, at) =>
      checkExpression(`${field}.matchExpressions[${at}]`, expression),
    ),
  ];
}

export const checkLabel = (field: string, key: string, value: unknown): readonly FieldError[] => [
  ...complain(field, key, labelKey(key)),
  ...complain(field, value, labelValueComplaints(text(value))),
];

function checkExpression(field: string, { key, operator, values }: Tree): readonly FieldError[] {
  const wrongKey = complain(`${field}.key`, text(key), labelKey(text(key)));
  const some = texts(values);
  switch (operator) {
    case 'In':
    case 'NotIn':
      return some.length > 0
        ? wrongKey
        : [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"), ...wrongKey];
    case 'Exists':
    case 'DoesNotExist':
      return some.length === 0
        ? wrongKey
        : [
            forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
            ...wrongKey,
          ];
    default:
      return [invalidValue(`${field}.operator`, operator ?? '', 'not a valid selector operator'), ...wrongKey];
  }
}

/** An empty selector matches everything; none at all matches nothing. */
export function selectorMatches(selector: unknown, labels: Tree): boolean {
  if (selector === undefined || selector === null) return false;
  const { matchLabels, matchExpressions } = selector as Tree;
  return (
    Object.entries(tree(matchLabels)).every(([key, value]) => labels[key] === value) &&
    trees(matchExpressions).every(({ key, operator, values }) => {
      const value = labels[text(key)];
      if (operator === 'In') return value !== undefined && texts(values).includes(text(value));
      if (operator === 'NotIn') return value === undefined || !texts(values).includes(text(value));
      return operator === 'Exists' ? value !== undefined : value === undefined;
    })
  );
}

/** `a=b,c in (d,e)`: as scale and columns write it. */
export function selectorText(selector: unknown): string {
  const { matchLabels, matchExpressions } = tree(selector);
  const terms = [
    ...Object.entries(tree(matchLabels)).map(([key, value]) => [key, `${key}=${text(value)}`] as const),
    ...trees(matchExpressions).map(
      ({ key, operator, values }) => [text(key), expressionText(text(key), operator, texts(values))] as const,
    ),
  ];
  return terms
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, term]) => term)
    .join(',');
}

function expressionText(key: string, operator: unknown, values: readonly string[]): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`;
}
