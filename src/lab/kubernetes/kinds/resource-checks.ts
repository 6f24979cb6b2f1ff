import type { FieldError } from '../resource.ts';
import { parseQuantity } from '../schema/quantity.ts';
import { labelKey } from '../verbs/names.ts';
import { atLeastZero, complain, invalidValue } from './errors.ts';
import { type Tree, tree, written } from './tree.ts';

const standard = new Set(['cpu', 'memory', 'ephemeral-storage', 'storage']);
const isHugePage = (name: string): boolean => name.startsWith('hugepages-');

/** Limits and requests of a container. */
export function checkResources(field: string, resources: Tree): readonly FieldError[] {
  const [limits, requests] = [tree(resources['limits']), tree(resources['requests'])];
  return [
    ...Object.entries(limits).flatMap(([name, amount]) => checkAmount(`${field}.limits[${name}]`, name, amount)),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...checkAmount(`${field}.requests[${name}]`, name, amount),
      ...checkWithin(`${field}.requests`, name, amount, limits[name]),
    ]),
  ];
}

function checkAmount(field: string, name: string, amount: unknown): readonly FieldError[] {
  return [...checkResourceName(field, name), ...notNegative(field, amount)];
}

function checkResourceName(field: string, name: string): readonly FieldError[] {
  const complaints = labelKey(name);
  if (complaints.length > 0) return complain(field, name, complaints);
  if (name.includes('/') || standard.has(name) || isHugePage(name)) return [];
  return complain(field, name, [
    'must be a standard resource type or fully qualified',
    'must be a standard resource for containers',
  ]);
}

function notNegative(field: string, amount: unknown): readonly FieldError[] {
  const quantity = parseQuantity(written(amount));
  return quantity !== undefined && quantity.nano < 0n ? [invalidValue(field, written(amount), atLeastZero)] : [];
}

function checkWithin(field: string, name: string, amount: unknown, limit: unknown): readonly FieldError[] {
  if (limit === undefined) return [];
  const [wanted, most] = [parseQuantity(written(amount)), parseQuantity(written(limit))];
  if (wanted === undefined || most === undefined) return [];
  const mayBeLess = standard.has(name);
  if (mayBeLess ? wanted.nano <= most.nano : wanted.nano === most.nano) return [];
  const rule = mayBeLess ? 'less than or equal to' : 'equal to';
  return [invalidValue(field, written(amount), `must be ${rule} ${name} limit of ${written(limit)}`)];
}
