import type { Mutable } from '../api.ts';
import { badRequest } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import { settleNamespace } from './create.ts';
import { metaOf } from './meta.ts';

/** Whether an object is the one that the path names. */
export function checkPath(
  definition: ResourceDefinition,
  object: Mutable,
  { name, namespace }: { readonly name: string; readonly namespace: string | undefined },
): void {
  const meta = metaOf(object);
  if ((meta.name ?? '') === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (meta.name !== name)
    throw badRequest(`the name of the object (${meta.name}) does not match the name on the URL (${name})`);
  settleNamespace(definition, namespace, object);
}
