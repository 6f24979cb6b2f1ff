import type { Manifest } from '../model/manifest.ts';
import { found, hasKeys, ownedPaths, pathText, type FieldPath, type FieldStep } from './fields.ts';
import type { Live } from './live.ts';
import { masked } from './mask.ts';
import { isMapping, same, type Values } from './values.ts';

/** One field that is not as it should be; undefined: it is not there. */
export type Difference = { readonly path: string; readonly from: unknown; readonly to: unknown };

/** What the server keeps for itself: nobody wants it, everybody gets it. */
const servers: ReadonlySet<string> = new Set([
  'metadata.managedFields',
  'metadata.resourceVersion',
  'metadata.uid',
  'metadata.generation',
  'metadata.creationTimestamp',
  'metadata.selfLink',
  'status',
]);

/** How an object would change: what the server has, against what a dry run answered. Secrets are shown as marks. */
export function changesOf(before: Live | undefined, after: Live, salt: string): readonly Difference[] {
  const [from, to] = [before === undefined ? {} : masked(before, salt), masked(after, salt)];
  return between(from, to, [])
    .filter(({ path }) => !kept(path))
    .map(({ path, from: was, to: becomes }) => ({ path: pathText(path), from: was, to: becomes }));
}

type Raw = { readonly path: FieldPath; readonly from: unknown; readonly to: unknown };

const kept = (path: FieldPath): boolean => path.some((_, index) => servers.has(pathText(path.slice(0, index + 1))));

function between(from: unknown, to: unknown, path: FieldPath): readonly Raw[] {
  if (same(from, to)) return [];
  if (isMapping(from) && isMapping(to))
    return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) =>
      between(from[name], to[name], [...path, { kind: 'field', name }]),
    );
  if (isList(from) && isList(to)) {
    const key = keyOfItems([...from, ...to]);
    return key === undefined ? [{ path, from, to }] : betweenKeyed(from, to, key, path);
  }
  return [{ path, from, to }];
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** What tells the items of a list apart, where something does. */
function keyOfItems(items: readonly unknown[]): string | undefined {
  const keys = ['name', 'mountPath', 'type', 'key', 'containerPort', 'port', 'ip', 'uid'];
  return keys.find((key) => items.every((item) => isMapping(item) && ['string', 'number'].includes(typeof item[key])));
}

function betweenKeyed(from: readonly unknown[], to: readonly unknown[], key: string, path: FieldPath): readonly Raw[] {
  const ids = [...from, ...to].map((item) => (isMapping(item) ? item[key] : undefined));
  const unique = [from, to].every(
    (list) => new Set(list.map((item) => isMapping(item) && item[key])).size === list.length,
  );
  if (!unique) return [{ path, from, to }];
  return [...new Set(ids)].flatMap((id) => {
    const keys = { [key]: id };
    const item = (list: readonly unknown[]): unknown => list.find((one) => hasKeys(one, keys));
    return between(item(from), item(to), [...path, { kind: 'keyed', keys }]);
  });
}

/**
 * What we want against what is there, by the fields that are ours: those that we want, and those that we once applied under
 * this manager and want no longer. What others own and we never mention is theirs. Needs no server, so that a plan can use it.
 */
export function driftOf(
  wanted: Manifest,
  live: Live | undefined,
  manager: string,
  salt: string,
): readonly Difference[] {
  if (live === undefined) return [{ path: '', from: undefined, to: masked(wanted, salt) }];
  const ours = appliedBy(live, manager);
  const [want, have] = [withKeys(plain(masked(wanted, salt)), ours, []), plain(masked(live, salt))];
  const missing = wantedLeaves(want, ours, [])
    .map((path) => ({ path, from: found(have, path), to: found(want, path) }))
    .filter(({ from, to }) => !satisfies(from, to));
  const leftover = ours
    .map((path) => ({ path, from: found(have, path), to: found(want, path) }))
    .filter(({ from, to }) => to === undefined && from !== undefined);
  return [...missing, ...leftover]
    .map(({ path, from, to }) => ({ path: pathText(path), from, to }))
    .toSorted(({ path: one }, { path: other }) => (one < other ? -1 : one > other ? 1 : 0));
}

/** The API server stores what was written plainly among the rest of a secret. */
function plain(object: Live | Manifest): Readonly<Record<string, unknown>> {
  const { stringData, data, ...rest } = object;
  if (stringData === undefined) return object;
  return { ...rest, data: { ...(isMapping(data) ? data : {}), ...(isMapping(stringData) ? stringData : {}) } };
}

/** Fields that we applied. Other operations under our name, such as a scale, own nothing for good. */
const appliedBy = ({ metadata: { managedFields = [] } }: Live, manager: string): readonly FieldPath[] =>
  managedFields
    .filter((entry) => entry.manager === manager && entry.operation === 'Apply' && entry.subresource === undefined)
    .flatMap(({ fieldsV1 = {} }) => ownedPaths(fieldsV1));

/** Every field that is wanted, as deep as one can say which; lists are told apart as the server does where it told us. */
function wantedLeaves(wanted: unknown, ours: readonly FieldPath[], path: FieldPath): readonly FieldPath[] {
  if (isMapping(wanted) && Object.keys(wanted).length > 0)
    return Object.entries(wanted)
      .filter(([name]) => path.length > 0 || !identity.has(name))
      .flatMap(([name, value]) => wantedLeaves(value, ours, [...path, { kind: 'field', name }]));
  if (isList(wanted)) {
    const steps = itemSteps(wanted, ours, path);
    if (steps !== undefined) return steps.flatMap(([step, item]) => wantedLeaves(item, ours, [...path, step]));
  }
  return [path];
}

const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'status']);

/** What the server calls the items of a list, or a field, at a path of ours. */
const stepsAt = (ours: readonly FieldPath[], path: FieldPath): readonly FieldStep[] =>
  ours.flatMap((owned) => {
    const step = owned[path.length];
    return step !== undefined && same(owned.slice(0, path.length), path) ? [step] : [];
  });

const keysOf = (steps: readonly FieldStep[]): readonly Values[] =>
  steps.flatMap((step) => (step.kind === 'keyed' ? [step.keys] : []));

/** Fills in what makes an item of a list itself and people leave out: the protocol of a port. */
function withKeys(wanted: unknown, ours: readonly FieldPath[], path: FieldPath): unknown {
  if (isMapping(wanted))
    return Object.fromEntries(
      Object.entries(wanted).map(([name, value]) => [name, withKeys(value, ours, [...path, { kind: 'field', name }])]),
    );
  if (!isList(wanted)) return wanted;
  const known = keysOf(stepsAt(ours, path));
  return wanted.map((item) => {
    const keys = isMapping(item)
      ? known.find((candidate) => Object.entries(candidate).every(([key, value]) => (item[key] ?? value) === value))
      : undefined;
    return keys === undefined
      ? item
      : withKeys({ ...keys, ...(item as Values) }, ours, [...path, { kind: 'keyed', keys }]);
  });
}

/** Items with the keys that the server used for this list; undefined where it keeps the list as one. */
function itemSteps(
  items: readonly unknown[],
  ours: readonly FieldPath[],
  path: FieldPath,
): readonly (readonly [FieldStep, unknown])[] | undefined {
  const steps = stepsAt(ours, path);
  const [keyed] = keysOf(steps);
  if (keyed !== undefined)
    return items.map((item) => {
      const keys = isMapping(item) ? Object.entries(item).filter(([name]) => name in keyed) : [];
      return [{ kind: 'keyed', keys: inOrderOf(keyed, Object.fromEntries(keys)) }, item];
    });
  if (steps.some((step) => step.kind === 'value')) return items.map((item) => [{ kind: 'value', value: item }, item]);
  return undefined;
}

/** As the server writes them, so that a path reads the same every time. */
const inOrderOf = (keyed: Values, keys: Values): Values =>
  Object.fromEntries(Object.keys(keyed).flatMap((name) => (name in keys ? [[name, keys[name]]] : [])));

/** Whether what is there says what is wanted: servers fill in what people leave out, and leave out what is empty. */
function satisfies(have: unknown, want: unknown): boolean {
  if (same(have, want)) return true;
  if (have === undefined) return isEmpty(want);
  if (isMapping(want) && isMapping(have))
    return Object.entries(want).every(([name, value]) => satisfies(have[name], value));
  if (Array.isArray(want) && Array.isArray(have))
    return want.length === have.length && want.every((item, index) => satisfies(have[index], item));
  return false;
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) ? value.length === 0 : isMapping(value) && Object.keys(value).length === 0);
