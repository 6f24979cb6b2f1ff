import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { groupVersion } from '../discovery/registry.ts';
import type { ResourceDefinition } from '../resource.ts';

const converted = new WeakMap<KubeObject, Map<string, KubeObject>>();

/** A stored object in the version that somebody asks for. */
export function convert(object: KubeObject, definition: ResourceDefinition): KubeObject {
  const wanted = groupVersion(definition);
  if (object.apiVersion === wanted) return object;
  let versions = converted.get(object);
  if (versions === undefined) converted.set(object, (versions = new Map()));
  let found = versions.get(wanted);
  if (found === undefined) versions.set(wanted, (found = { ...object, apiVersion: wanted }));
  return found;
}
