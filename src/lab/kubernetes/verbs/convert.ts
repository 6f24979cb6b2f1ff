import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { groupVersion } from '../discovery/registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import { converters } from './converters.ts';

const converted = new WeakMap<KubeObject, Map<string, KubeObject>>();

/** An object in the version that somebody asks for, or that it is kept in. */
export function convert(object: KubeObject, definition: ResourceDefinition): KubeObject {
  const wanted = groupVersion(definition);
  if (object.apiVersion === wanted) return object;
  let versions = converted.get(object);
  if (versions === undefined) converted.set(object, (versions = new Map<string, KubeObject>()));
  let found = versions.get(wanted);
  if (found === undefined) {
    const change = converters[`${definition.kind} ${object.apiVersion} ${wanted}`];
    versions.set(wanted, (found = { ...(change?.(object) ?? object), apiVersion: wanted }));
  }
  return found;
}
