import type { KubeObject, ManagedFields } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { groupVersion, resourceKey } from '../discovery/registry.ts';
import { afterUpdate } from '../managed/update.ts';
import { alreadyExists, badRequest, failed, invalid, noUniqueName } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import { admitCreate } from './admission.ts';
import { contextOf, storedForm } from './cluster.ts';
import type { Cluster, Write } from './cluster.ts';
import { generatedName, metaOf, timestamp, uuid } from './meta.ts';
import { ownedSchema } from './owned-schema.ts';
import { hasGeneration } from './traits.ts';
import { validateNew } from './validate.ts';

const attempts = 8;

/** `object` has been decoded, with defaults, and is ours to change. */
export function create(
  cluster: Cluster,
  definition: ResourceDefinition,
  namespace: string | undefined,
  object: Mutable,
  write: Write,
): KubeObject {
  const meta = metaOf(object);
  settleNamespace(definition, namespace, object);
  const { generateName } = meta;
  if ((meta.name ?? '') !== '' || generateName === undefined || generateName === '')
    return createNamed(cluster, definition, object, write);
  for (let attempt = 1; ; attempt++) {
    meta.name = generatedName(generateName, cluster.random);
    if (cluster.store.get(resourceKey(definition), meta.namespace, meta.name) === undefined || attempt === attempts)
      return createNamed(cluster, definition, object, write, { isGenerated: true });
  }
}

/** Whether the object and the path agree about where it is. */
export function settleNamespace(definition: ResourceDefinition, namespace: string | undefined, object: Mutable): void {
  const meta = metaOf(object);
  if (!definition.namespaced) {
    delete meta.namespace;
    return;
  }
  if ((meta.namespace ?? '') === '') meta.namespace = namespace;
  else if (meta.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

export function createNamed(
  cluster: Cluster,
  definition: ResourceDefinition,
  object: Mutable,
  write: Write,
  { isGenerated = false, managed }: { readonly isGenerated?: boolean; readonly managed?: ManagedFields[] } = {},
): KubeObject {
  const { strategy } = definition;
  const meta = metaOf(object);
  const context = contextOf(cluster, write);
  const answer = strategy.answer ?? cluster.answer(definition);
  if (answer !== undefined) return answer(object as KubeObject, context);
  fillIdentity(cluster, object);
  // What the server chooses from here on is nobody’s.
  const managedFields = managed ?? managedBy(cluster, definition, object, write);
  cluster.guard(definition, object as KubeObject, undefined, write.user);
  admitCreate(cluster, definition, object);
  if (hasGeneration(definition)) meta.generation = 1;
  if (definition.custom && definition.subresources['status'] !== undefined) delete object['status'];
  strategy.prepareCreate?.(object, context);
  const errors = validateNew(definition, object as KubeObject, context);
  if (errors.length > 0) throw invalid(definition, meta.name ?? '', errors);
  for (const warning of strategy.warnings?.(object as KubeObject) ?? []) write.warn(warning);
  if (managedFields.length > 0) meta.managedFields = managedFields;
  const name = meta.name ?? '';
  if (cluster.store.get(resourceKey(definition), meta.namespace, name) !== undefined)
    throw isGenerated ? noUniqueName(definition, name) : alreadyExists(definition, name);
  const stored = storedForm(cluster, definition, object);
  return write.dryRun ? stored : cluster.store.put(resourceKey(definition), stored);
}

const managedBy = (cluster: Cluster, definition: ResourceDefinition, next: Mutable, write: Write): ManagedFields[] =>
  afterUpdate({
    schema: ownedSchema(definition),
    live: undefined,
    next,
    manager: write.manager,
    apiVersion: groupVersion(definition),
    now: cluster.clock.now(),
    custom: definition.custom,
    hasStatus: definition.subresources['status'] !== undefined,
    ...(write.subresource === undefined ? {} : { subresource: write.subresource }),
  });

function fillIdentity(cluster: Cluster, object: Mutable): void {
  const meta = metaOf(object);
  if ((meta.resourceVersion ?? '') !== '' && meta.resourceVersion !== '0')
    throw failed(500, 'resourceVersion should not be set on objects to be created');
  delete meta.resourceVersion;
  delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  delete (meta as Mutable)['selfLink'];
  delete meta.managedFields;
  if ((meta.generation ?? 0) >= 0) delete meta.generation;
  meta.creationTimestamp = timestamp(cluster.clock.now());
  meta.uid = uuid(cluster.random);
}
