import {
  LabelTerm_Operation as Operation,
  type IDQuery,
  type LabelQuery,
  type LabelTerm,
} from '../../../wire/gen/cosi/resource_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { goRegexp } from './go-regexp.ts';
import type { TwinResource } from './resource.ts';

export type Matches = (resource: TwinResource) => boolean;

/** One of the label queries must hold, and the query for ids. */
export function matcher(labels: readonly LabelQuery[], id: IDQuery | undefined): Matches {
  const pattern = id === undefined || id.regexp === '' ? undefined : goRegexp(id.regexp);
  for (const { op } of labels.flatMap((query) => query.terms)) requireKnown(op);
  return (resource) =>
    (pattern === undefined || pattern.test(resource.id)) &&
    (labels.length === 0 || labels.some((query) => query.terms.every((term) => holds(term, resource.labels))));
}

function requireKnown(op: Operation): void {
  if (!Object.values(Operation).some((known) => known === op))
    throw new GrpcStatus('UNIMPLEMENTED', `unsupported label query operator: ${op}`);
}

function holds(term: LabelTerm, labels: TwinResource['labels']): boolean {
  const invert = term.invert || term.op === Operation.NOT_EXISTS;
  const found = compared(term, labels[term.key]);
  return found !== undefined && found !== invert;
}

/** Undefined where there is nothing to compare: then neither the term nor its opposite holds. */
function compared({ op, value: values }: LabelTerm, label: string | undefined): boolean | undefined {
  const [given = ''] = values;
  switch (op) {
    case Operation.EXISTS:
    case Operation.NOT_EXISTS:
      return label !== undefined;
    case Operation.EQUAL:
      return label !== undefined && label === given;
    case Operation.IN:
      return label !== undefined && values.includes(label);
    case Operation.LT:
      return label === undefined ? undefined : label < given;
    case Operation.LTE:
      return label === undefined ? undefined : label <= given;
    case Operation.LT_NUMERIC:
      return inNumbers(label, given, (a, b) => a < b);
    case Operation.LTE_NUMERIC:
      return inNumbers(label, given, (a, b) => a <= b);
    default:
      return undefined;
  }
}

function inNumbers(
  label: string | undefined,
  given: string,
  compare: (a: bigint, b: bigint) => boolean,
): boolean | undefined {
  const [a, b] = [numberOf(label), numberOf(given)];
  return a === undefined || b === undefined ? undefined : compare(a, b);
}

const units = 'kmgtp';

/** `4GiB`, `-1 k`: a whole number and a unit of which only the beginning counts. */
function numberOf(text: string | undefined): bigint | undefined {
  const [, digits = '', unit = ''] = /^([-\d]+)(.*)$/s.exec((text ?? '').trim()) ?? [];
  if (!/^-?\d+$/.test(digits)) return undefined;
  const named = unit.trim().toLowerCase();
  if (named === '') return BigInt(digits);
  const power = units.indexOf(named.charAt(0)) + 1;
  if (power === 0) return undefined;
  return BigInt(digits) * (named.charAt(1) === 'i' ? 1024n : 1000n) ** BigInt(power);
}
