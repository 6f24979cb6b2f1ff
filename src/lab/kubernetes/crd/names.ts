import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { quote } from '../refusal.ts';
import { specOf, statusOf } from './crd.ts';
import type { CrdCondition, CrdNames, CrdStatus } from './crd.ts';

/** Names of the same group that others have been given already. */
type Taken = { readonly resources: ReadonlySet<string>; readonly kinds: ReadonlySet<string> };

/** What a definition is told about its names; the same again when nothing changed. */
export function namesAccepted(crd: KubeObject, others: readonly KubeObject[], now: string): CrdStatus {
  const spec = specOf(crd);
  const status = statusOf(crd);
  const wanted = spec.names ?? {};
  const taken = takenBy(
    others.filter((each) => specOf(each).group === spec.group && each.metadata.name !== crd.metadata.name),
  );
  const { accepted, problem } = accept(wanted, status.acceptedNames ?? {}, taken);
  const naming: CrdCondition =
    problem === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', reason: problem.reason, message: problem.message };
  const isEstablished =
    status.conditions?.some((each) => each.type === 'Established' && each.status === 'True') === true;
  const established: CrdCondition =
    isEstablished || problem === undefined
      ? {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        }
      : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  return {
    ...status,
    conditions: withConditions(status.conditions ?? [], [naming, established], now),
    acceptedNames: accepted,
  };
}

function takenBy(others: readonly KubeObject[]): Taken {
  const names = others.map((each) => statusOf(each).acceptedNames ?? {});
  const given = (list: readonly (string | undefined)[]): ReadonlySet<string> =>
    new Set(list.filter((each): each is string => each !== undefined && each !== ''));
  return {
    resources: given(names.flatMap(({ plural, singular, shortNames = [] }) => [plural, singular, ...shortNames])),
    kinds: given(names.flatMap(({ kind, listKind }) => [kind, listKind])),
  };
}

type Problem = { readonly reason: string; readonly message: string };

function accept(
  wanted: CrdNames,
  had: CrdNames,
  taken: Taken,
): { readonly accepted: CrdNames; readonly problem: Problem | undefined } {
  const accepted: { -readonly [K in keyof CrdNames]: CrdNames[K] } = {
    plural: had.plural ?? '',
    kind: had.kind ?? '',
    ...had,
  };
  let problem: Problem | undefined;
  const inUse = (name: string): string => `${quote(name)} is already in use`;
  const give = (
    field: 'plural' | 'singular' | 'kind' | 'listKind',
    isTaken: ReadonlySet<string>,
    reason: string,
  ): void => {
    const name = wanted[field] ?? '';
    if (isTaken.has(name)) problem = { reason, message: inUse(name) };
    else if (name !== '') accepted[field] = name;
  };
  give('plural', taken.resources, 'PluralConflict');
  give('singular', taken.resources, 'SingularConflict');
  const clashes = (wanted.shortNames ?? []).filter((name) => taken.resources.has(name));
  const [first] = clashes;
  if (first !== undefined)
    problem = {
      reason: 'ShortNamesConflict',
      message: clashes.length === 1 ? inUse(first) : `[${clashes.map(inUse).join(', ')}]`,
    };
  else if (wanted.shortNames !== undefined) accepted.shortNames = wanted.shortNames;
  else delete accepted.shortNames;
  give('kind', taken.kinds, 'KindConflict');
  give('listKind', taken.kinds, 'ListKindConflict');
  if (wanted.categories !== undefined) accepted.categories = wanted.categories;
  else delete accepted.categories;
  return { accepted, problem };
}

/** A condition keeps its time for as long as its status is the same. */
export function withConditions(
  old: readonly CrdCondition[],
  next: readonly CrdCondition[],
  now: string,
): readonly CrdCondition[] {
  const result = [...old];
  for (const condition of next) {
    const at = result.findIndex((each) => each.type === condition.type);
    const before = result[at];
    const dated = {
      ...condition,
      lastTransitionTime: before?.status === condition.status ? (before.lastTransitionTime ?? now) : now,
    };
    const { type, status, lastTransitionTime, reason, message } = dated;
    const ordered = {
      type,
      status,
      lastTransitionTime,
      ...(reason !== undefined && { reason }),
      ...(message !== undefined && { message }),
    };
    if (before === undefined) result.push(ordered);
    else if (!isDeepStrictEqual(before, ordered)) result[at] = ordered;
  }
  return result;
}
