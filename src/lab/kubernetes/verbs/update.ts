import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { groupVersion, resourceKey } from '../discovery/registry.ts';
import { conflict, invalid, notFound } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import { same } from './clone.ts';
import { contextOf } from './cluster.ts';
import type { Cluster, Write } from './cluster.ts';
import { createNamed } from './create.ts';
import { afterUpdate } from './fields.ts';
import { metaOf } from './meta.ts';
import { hasGeneration, isCreatedByUpdate, updatesWithoutVersion } from './traits.ts';
import { validate } from './validate.ts';

export const staleVersion =
  'the object has been modified; please apply your changes to the latest version and try again';

export type Updated = { readonly object: KubeObject; readonly created: boolean };

/** Replaces what is stored by `next`, which has been decoded and is ours to change. */
export function update(cluster: Cluster, definition: ResourceDefinition, next: Mutable, write: Write): Updated {
  const meta = metaOf(next);
  const name = meta.name ?? '';
  const old = cluster.store.get(resourceKey(definition), meta.namespace, name);
  if (old === undefined) {
    if (write.subresource !== undefined || !isCreatedByUpdate(definition)) throw notFound(definition, name);
    return { object: createNamed(cluster, definition, next, write), created: true };
  }
  if (meta.uid !== undefined && meta.uid !== '' && meta.uid !== old.metadata.uid)
    throw conflict(
      definition,
      name,
      `Precondition failed: UID in precondition: ${meta.uid}, UID in object meta: ${old.metadata.uid ?? ''}`,
    );
  checkVersion(definition, name, meta.resourceVersion, old);
  return { object: replace(cluster, definition, old, next, write), created: false };
}

function checkVersion(
  definition: ResourceDefinition,
  name: string,
  version: string | undefined,
  old: KubeObject,
): void {
  if (version !== undefined && version !== '' && version !== '0') {
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
  managed?: MutableManaged,
): KubeObject {
  const { strategy } = definition;
  const context = contextOf(cluster, write);
  keepIdentity(definition, next, old);
  cluster.guard(definition, next as KubeObject, old, write.user);
  keepOtherHalf(definition, next, old, write.subresource);
  strategy.prepareUpdate?.(next, old, context);
  settleGeneration(definition, next, old);
  const meta = metaOf(next);
  const errors = validate(definition, next as KubeObject, old, context);
  if (errors.length > 0) throw invalid(definition, meta.name ?? '', errors);
  for (const warning of strategy.warnings?.(next as KubeObject) ?? []) write.warn(warning);
  meta.managedFields =
    managed ??
    afterUpdate({
      schema: definition.schema,
      live: old,
      next,
      manager: write.manager,
      apiVersion: groupVersion(definition),
      now: context.now,
      ...(write.subresource === undefined ? {} : { subresource: write.subresource }),
    });
  if (meta.managedFields.length === 0) delete meta.managedFields;
  meta.resourceVersion = old.metadata.resourceVersion;
  const isOver =
    old.metadata.deletionTimestamp !== undefined &&
    (old.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    (meta.finalizers ?? []).length === 0 &&
    !isHeld(definition, next);
  if (isOver) {
    if (!write.dryRun) cluster.store.remove(resourceKey(definition), meta.namespace, meta.name ?? '');
    return next as KubeObject;
  }
  if (write.dryRun || same(next, old)) return next as KubeObject;
  return cluster.store.put(resourceKey(definition), next as KubeObject);
}

type MutableManaged = ReturnType<typeof afterUpdate>;

/** A namespace has finalizers of its own besides. */
const isHeld = (definition: ResourceDefinition, object: Mutable): boolean =>
  resourceKey(definition) === '/namespaces' &&
  ((object['spec'] as { finalizers?: readonly string[] } | undefined)?.finalizers ?? []).length > 0;

function keepIdentity(definition: ResourceDefinition, next: Mutable, old: KubeObject): void {
  const meta = metaOf(next);
  next['apiVersion'] = groupVersion(definition);
  next['kind'] = definition.kind;
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const)
    keep(meta as Mutable, old.metadata as Mutable, field);
  keep(meta as Mutable, old.metadata as Mutable, 'generation');
  delete (meta as Mutable)['selfLink'];
}

const keep = (next: Mutable, old: Mutable, field: string): void => {
  if (old[field] === undefined) delete next[field];
  else next[field] = old[field];
};

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
  if (subresource !== 'status') return;
  const meta = metaOf(next);
  for (const field of Object.keys(next))
    if (!['apiVersion', 'kind', 'metadata', 'status'].includes(field) && !(field in old)) delete next[field];
  for (const field of Object.keys(old)) if (!['metadata', 'status'].includes(field)) next[field] = old[field];
  if (definition.custom) {
    const { managedFields } = meta;
    next['metadata'] = { ...old.metadata, managedFields };
  }
}

function settleGeneration(definition: ResourceDefinition, next: Mutable, old: KubeObject): void {
  if (!hasGeneration(definition)) return;
  const changed = definition.strategy.specChanged ?? (definition.custom ? contentChanged : specChanged);
  if (changed(next as KubeObject, old)) metaOf(next).generation = (old.metadata.generation ?? 0) + 1;
}

const specChanged = (next: KubeObject, old: KubeObject): boolean => !same(next['spec'], old['spec']);

const contentChanged = (next: KubeObject, old: KubeObject): boolean => {
  const fields = new Set([...Object.keys(next), ...Object.keys(old)]);
  return [...fields].some((field) => !['metadata', 'status'].includes(field) && !same(next[field], old[field]));
};
