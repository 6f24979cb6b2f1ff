import type { KubeObject, ManagedFields, ObjectMeta } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { groupVersion, resourceKey } from '../discovery/registry.ts';
import { afterUpdate, differInTimeOnly } from '../managed/update.ts';
import { conflict, failed, invalid, notFound, quote } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import { same } from './clone.ts';
import { contextOf, storedForm } from './cluster.ts';
import type { Cluster, Write } from './cluster.ts';
import { convert } from './convert.ts';
import { createNamed } from './create.ts';
import { metaOf } from './meta.ts';
import { ownedSchema } from './owned-schema.ts';
import { hasGeneration, isCreatedByUpdate, keepsLabels, updatesWithoutVersion } from './traits.ts';
import { validateChange } from './validate.ts';

const staleVersion = 'the object has been modified; please apply your changes to the latest version and try again';

export type Updated = { readonly object: KubeObject; readonly created: boolean };

/** Replaces what is stored by `next`, which has been decoded, with defaults, and is ours to change. */
export function update(cluster: Cluster, definition: ResourceDefinition, next: Mutable, write: Write): Updated {
  const { name = '', namespace, uid = '', resourceVersion } = metaOf(next);
  const old = cluster.store.get(resourceKey(definition), namespace, name);
  if (old === undefined) {
    if (write.subresource !== undefined || !isCreatedByUpdate(definition)) throw notFound(definition, name);
    return { object: createNamed(cluster, definition, next, write), created: true };
  }
  if (uid !== '' && uid !== old.metadata.uid) {
    const where = [definition.group, definition.resource, namespace, name].filter((each) => (each ?? '') !== '');
    const because = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`;
    throw conflict(
      definition,
      name,
      `StorageError: invalid object, Code: 4, Key: /registry/${where.join('/')}, ResourceVersion: 0, AdditionalErrorMsg: ${because}`,
    );
  }
  checkVersion(definition, name, resourceVersion, old);
  return { object: replace(cluster, definition, old, next, write), created: false };
}

/** Whoever says which version they have seen must have seen the last one. */
export function checkVersion(
  definition: ResourceDefinition,
  name: string,
  version: string | undefined,
  old: KubeObject,
): void {
  if (version !== undefined && version !== '' && version !== '0') {
    if (!/^\d+$/.test(version)) throw failed(500, `strconv.ParseUint: parsing ${quote(version)}: invalid syntax`);
    if (version !== old.metadata.resourceVersion) throw conflict(definition, name, staleVersion);
  } else if (!updatesWithoutVersion(definition)) {
    throw invalid({ group: definition.group, kind: definition.resource }, name, [
      {
        reason: 'FieldValueInvalid',
        field: 'metadata.resourceVersion',
        message: 'Invalid value: 0: must be specified for an update',
      },
    ]);
  }
}

/** The second half of every change: what may not change is put back, the rest is checked, and stored if it differs. */
export function replace(
  cluster: Cluster,
  definition: ResourceDefinition,
  old: KubeObject,
  next: Mutable,
  write: Write,
  managed?: ManagedFields[],
): KubeObject {
  const { strategy } = definition;
  const context = contextOf(cluster, write);
  const live = convert(old, definition);
  const managedFields = managed ?? managedBy(cluster, definition, live, next, write);
  const given: ObjectMeta = { ...(next['metadata'] as ObjectMeta | undefined) };
  keepIdentity(next, live);
  keepOtherHalf(definition, next, live, write.subresource);
  cluster.guard(definition, next as KubeObject, live, write.user);
  strategy.prepareUpdate?.(next, live, context);
  settleGeneration(definition, next, live);
  const errors = validateChange(definition, next as KubeObject, live, given, context);
  const meta = metaOf(next);
  if (errors.length > 0) throw invalid(definition, meta.name ?? '', errors);
  for (const warning of strategy.warnings?.(next as KubeObject) ?? []) write.warn(warning);
  meta.resourceVersion = old.metadata.resourceVersion;
  settleManagers(next, live, managedFields);
  const stored = storedForm(cluster, definition, next);
  if (isOver(definition, stored, old)) {
    if (!write.dryRun) cluster.store.remove(resourceKey(definition), meta.namespace, meta.name ?? '');
    return stored;
  }
  if (same(stored, old)) return old;
  return write.dryRun ? stored : cluster.store.put(resourceKey(definition), stored);
}

const managedBy = (
  cluster: Cluster,
  definition: ResourceDefinition,
  live: KubeObject,
  next: Mutable,
  write: Write,
): ManagedFields[] => {
  const managed = afterUpdate({
    schema: ownedSchema(definition),
    live,
    next,
    manager: write.manager,
    apiVersion: groupVersion(definition),
    now: cluster.clock.now(),
    custom: definition.custom,
    hasStatus: definition.subresources['status'] !== undefined,
    ...(write.subresource === undefined ? {} : { subresource: write.subresource }),
  });
  return write.subresource === 'scale' ? timeless(managed) : managed;
};

/** Whoever scales is remembered without a time, and so before everybody else. */
function timeless(managed: readonly ManagedFields[]): ManagedFields[] {
  const scaling = managed.filter(({ subresource }) => subresource === 'scale').map(({ time: _time, ...each }) => each);
  return [...scaling, ...managed.filter(({ subresource }) => subresource !== 'scale')];
}

/** That somebody wrote the same again is no news. */
function settleManagers(next: Mutable, live: KubeObject, managedFields: ManagedFields[]): void {
  const meta = metaOf(next);
  const before = live.metadata.managedFields ?? [];
  const settled = differInTimeOnly(managedFields, before) ? [...before] : managedFields;
  if (settled.length === 0) delete meta.managedFields;
  else meta.managedFields = settled;
  const withBefore = { ...next, metadata: { ...meta, managedFields: before } };
  const isSame = same(withBefore, { ...live, metadata: { ...live.metadata, managedFields: before } });
  if (!isSame && settled !== managedFields && !differInTimeOnly(managedFields, before))
    meta.managedFields = managedFields;
}

function isOver(definition: ResourceDefinition, next: KubeObject, old: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false;
  return (next.metadata.finalizers ?? []).length === 0 && !isHeld(definition, next);
}

/** A namespace has finalizers of its own besides. */
const isHeld = (definition: ResourceDefinition, object: KubeObject): boolean =>
  resourceKey(definition) === '/namespaces' &&
  ((object['spec'] as { finalizers?: readonly string[] } | undefined)?.finalizers ?? []).length > 0;

const unchangeable = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation'];

function keepIdentity(next: Mutable, old: KubeObject): void {
  const meta: Mutable = metaOf(next);
  for (const field of unchangeable) keep(meta, old.metadata, field);
  delete meta['selfLink'];
}

const keep = (next: Mutable, old: object, field: string): void => {
  const value = (old as Mutable)[field];
  if (value === undefined) delete next[field];
  else next[field] = value;
};

/** What a subresource writes that is a window to a part of its object. */
const parts: Readonly<Record<string, readonly [string, string]>> = {
  finalize: ['spec', 'finalizers'],
  approval: ['status', 'conditions'],
  ephemeralcontainers: ['spec', 'ephemeralContainers'],
};

function keepAllBut([half, field]: readonly [string, string], next: Mutable, old: KubeObject): void {
  const given = (next[half] as Mutable | undefined)?.[field];
  for (const name of Object.keys(next)) if (!always.has(name)) delete next[name];
  for (const name of Object.keys(old)) if (name !== 'metadata') next[name] = old[name];
  const { [field]: _before, ...rest } = (old[half] ?? {}) as Mutable;
  next[half] = given === undefined ? rest : { ...rest, [field]: given };
}

const always = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Whoever writes the status writes nothing else, and the other way round. */
function keepOtherHalf(
  definition: ResourceDefinition,
  next: Mutable,
  old: KubeObject,
  subresource: string | undefined,
): void {
  if (subresource === undefined) {
    if (definition.subresources['status'] !== undefined) keep(next, old, 'status');
    return;
  }
  const part = parts[subresource];
  if (part !== undefined) return keepAllBut(part, next, old);
  if (subresource !== 'status') return;
  for (const field of Object.keys(next)) if (!always.has(field)) delete next[field];
  for (const field of Object.keys(old)) if (!always.has(field)) next[field] = old[field];
  if (definition.custom) next['metadata'] = { ...old.metadata };
  else if (keepsLabels(definition)) keep(metaOf(next), old.metadata, 'labels');
}

function settleGeneration(definition: ResourceDefinition, next: Mutable, old: KubeObject): void {
  if (!hasGeneration(definition)) return;
  const changed = definition.strategy.specChanged ?? (definition.custom ? contentChanged : specChanged);
  if (changed(next as KubeObject, old)) metaOf(next).generation = (old.metadata.generation ?? 0) + 1;
}

const specChanged = (next: KubeObject, old: KubeObject): boolean => !same(next['spec'], old['spec']);

/** Of a kind that nobody knows: everything that is not told by somebody else. */
const contentChanged = (next: KubeObject, old: KubeObject): boolean => {
  const fields = new Set([...Object.keys(next), ...Object.keys(old)]);
  return [...fields].some((field) => !['metadata', 'status'].includes(field) && !same(next[field], old[field]));
};
