import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { groupVersion, resourceKey } from '../discovery/registry.ts';
import { applyConfiguration } from '../managed/apply.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { strategicMergePatch } from '../patch/strategic.ts';
import { badRequest, invalid, notFound, Refusal } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import { mutable } from './clone.ts';
import type { Cluster, Write } from './cluster.ts';
import { convert } from './convert.ts';
import { createNamed, settleNamespace } from './create.ts';
import { decoded, filled } from './incoming.ts';
import { metaOf } from './meta.ts';
import { ownedSchema } from './owned-schema.ts';
import type { WriteOptions } from './options.ts';
import { checkPath } from './path.ts';
import { checkVersion, replace } from './update.ts';
import type { Updated } from './update.ts';

export type PatchKind = 'json' | 'merge' | 'strategic' | 'apply';

export type Patch = {
  readonly kind: PatchKind;
  readonly body: unknown;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly options: WriteOptions;
};

/** Changes what is stored as the patch says; what is applied and not there yet is made. */
export function patch(cluster: Cluster, definition: ResourceDefinition, request: Patch, write: Write): Updated {
  const old = cluster.store.get(resourceKey(definition), request.namespace, request.name);
  if (request.kind === 'apply') return apply(cluster, definition, request, old, write);
  if (old === undefined) throw notFound(definition, request.name);
  const live = convert(old, definition);
  const patched = patchedBy(definition, live, request);
  const { object, complaints } = decodedPatch(definition, patched);
  if (complaints.length > 0 && request.options.validation === 'Strict')
    throw unpatchable(definition, patched, `strict decoding error: ${complaints.join(', ')}`);
  if (request.options.validation === 'Warn') for (const each of complaints) write.warn(each);
  filled(definition, object);
  checkPath(definition, object, request);
  checkVersion(definition, request.name, metaOf(object).resourceVersion, old);
  return { object: replace(cluster, definition, old, object, write), created: false };
}

function patchedBy(definition: ResourceDefinition, live: KubeObject, { kind, body }: Patch): Mutable {
  switch (kind) {
    case 'json':
      return jsonPatch(live, body) as Mutable;
    case 'merge':
      return mergePatch(mutable(live), body) as Mutable;
    default:
      return strategicMergePatch(definition.schema, live, body) as Mutable;
  }
}

/** The whole of the object stands in the words of whoever cannot read it any more. */
function decodedPatch(definition: ResourceDefinition, patched: Mutable): ReturnType<typeof decoded> {
  try {
    return decoded(definition, patched, []);
  } catch (error) {
    if (!(error instanceof Refusal) || definition.custom) throw error;
    const because = error.message.replace(/^.* cannot be handled as a [^:]*: /s, '');
    throw unpatchable(definition, patched, because);
  }
}

function unpatchable(_definition: ResourceDefinition, patched: Mutable, because: string): Refusal {
  const { apiVersion, kind, metadata, ...rest } = patched;
  const sorted = Object.fromEntries(
    Object.entries({ apiVersion, kind, metadata, ...rest }).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  return invalid({ group: '', kind: '' }, '', [
    {
      reason: 'FieldValueInvalid',
      field: 'patch',
      message: `Invalid value: ${JSON.stringify(JSON.stringify(sorted))}: ${because}`,
    },
  ]);
}

function apply(
  cluster: Cluster,
  definition: ResourceDefinition,
  request: Patch,
  old: KubeObject | undefined,
  write: Write,
): Updated {
  const { body, options, name, namespace } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('error decoding YAML: the patch is not an object');
  const { apiVersion, kind } = body as Mutable;
  if (apiVersion !== groupVersion(definition) || kind !== definition.kind)
    throw badRequest(`invalid object type: ${typeText((apiVersion ?? '') as string, (kind ?? '') as string)}`);
  const live = old === undefined ? undefined : convert(old, definition);
  const { object, managedFields } = applyConfiguration({
    schema: ownedSchema(definition),
    live,
    applied: body as Mutable,
    manager: write.manager,
    force: options.force ?? false,
    apiVersion: groupVersion(definition),
    now: cluster.clock.now(),
    custom: definition.custom,
    hasStatus: definition.subresources['status'] !== undefined,
    ...(write.subresource === undefined ? {} : { subresource: write.subresource }),
  });
  const { object: next, complaints } = decoded(definition, object, []);
  if (options.validation === 'Warn') for (const each of complaints) write.warn(each);
  filled(definition, next);
  const meta = metaOf(next);
  if (old === undefined) {
    if (write.subresource !== undefined) throw notFound(definition, name);
    if (meta.uid !== undefined && meta.uid !== '') throw uidGone(definition, name, meta.uid);
    meta.name ??= name;
    settleNamespace(definition, namespace, next);
    checkPath(definition, next, request);
    return { object: createNamed(cluster, definition, next, write, { managed: managedFields }), created: true };
  }
  checkPath(definition, next, request);
  checkVersion(definition, name, meta.resourceVersion, old);
  return { object: replace(cluster, definition, old, next, write, managedFields), created: false };
}

/** `/v1, Kind=Pod`, `apps/v1, Kind=Deployment` */
const typeText = (apiVersion: string, kind: string): string =>
  `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;

const uidGone = (definition: ResourceDefinition, name: string, uid: string): Refusal => {
  const { status } = notFound(definition, name);
  return new Refusal({
    ...status,
    code: 409,
    reason: 'Conflict',
    message: `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  });
};
