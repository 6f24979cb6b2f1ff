import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { groupVersion, resourceKey } from '../discovery/registry.ts';
import { alreadyExists, badRequest, invalid, noUniqueName } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import { admitCreate } from './admission.ts';
import { contextOf } from './cluster.ts';
import type { Cluster, Write } from './cluster.ts';
import { afterUpdate } from './fields.ts';
import { generatedName, metaOf, timestamp, uuid } from './meta.ts';
import { hasGeneration } from './traits.ts';
import { validate } from './validate.ts';

const attempts = 8;

/** `object` has been decoded, and is ours to change. */
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
  const isGenerated = (meta.name ?? '') === '' && generateName !== undefined && generateName !== '';
  if (!isGenerated) return createNamed(cluster, definition, object, write);
  for (let attempt = 1; ; attempt++) {
    meta.name = generatedName(generateName, cluster.random);
    if (cluster.store.get(resourceKey(definition), meta.namespace, meta.name) === undefined || attempt === attempts)
      return createNamed(cluster, definition, object, write, true);
  }
}

/** Whether the object and the path agree about where it is. */
export function settleNamespace(definition: ResourceDefinition, namespace: string | undefined, object: Mutable): void {
  const meta = metaOf(object);
  if (!definition.namespaced) {
    if ((meta.namespace ?? '') === '') delete meta.namespace;
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
  isGenerated = false,
): KubeObject {
  const { strategy } = definition;
  const meta = metaOf(object);
  const context = contextOf(cluster, write);
  fillIdentity(cluster, definition, object);
  const answer = strategy.answer ?? cluster.answer(definition);
  if (answer !== undefined) return answer(object as KubeObject, context);
  cluster.guard(definition, object as KubeObject, undefined, write.user);
  admitCreate(cluster, definition, object, write);
  strategy.prepareCreate?.(object, context);
  if (hasGeneration(definition)) meta.generation = 1;
  if (definition.custom && definition.subresources['status'] !== undefined) delete object['status'];
  const errors = validate(definition, object as KubeObject, undefined, context);
  if (errors.length > 0) throw invalid(definition, meta.name ?? '', errors);
  for (const warning of strategy.warnings?.(object as KubeObject) ?? []) write.warn(warning);
  meta.managedFields = afterUpdate({
    schema: definition.schema,
    live: undefined,
    next: object,
    manager: write.manager,
    apiVersion: groupVersion(definition),
    now: context.now,
    ...(write.subresource === undefined ? {} : { subresource: write.subresource }),
  });
  if (meta.managedFields.length === 0) delete meta.managedFields;
  if (cluster.store.get(resourceKey(definition), meta.namespace, meta.name ?? '') !== undefined)
    throw isGenerated ? noUniqueName(definition, meta.name ?? '') : alreadyExists(definition, meta.name ?? '');
  return write.dryRun ? (object as KubeObject) : cluster.store.put(resourceKey(definition), object as KubeObject);
}

function fillIdentity(cluster: Cluster, definition: ResourceDefinition, object: Mutable): void {
  const meta = metaOf(object);
  object['apiVersion'] = groupVersion(definition);
  object['kind'] = definition.kind;
  if ((meta.resourceVersion ?? '') !== '' && meta.resourceVersion !== '0')
    throw badRequest('resourceVersion should not be set on objects to be created');
  delete meta.resourceVersion;
  delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  delete (meta as Mutable)['selfLink'];
  delete meta.generation;
  meta.creationTimestamp = timestamp(cluster.clock.now());
  meta.uid = uuid(cluster.random);
}
