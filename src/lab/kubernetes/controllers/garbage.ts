import type { KubeObject, OwnerReference } from '../../../wire/kubernetes/objects.ts';
import type { ResourceKey } from '../api.ts';
import type { Controller } from './loop.ts';
import { change, controllerManager, keyOf, splitKey } from './tools.ts';
import type { Tools } from './tools.ts';

type Named = KubeObject & { readonly metadata: { readonly name: string } };

/** Takes away what belongs to nobody any longer, in the way that whoever deleted its owner has asked for. */
export function garbage(tools: Tools): Controller {
  const { api } = tools;
  const dependents = new Map<string, Set<string>>();
  const idOf = (resource: ResourceKey, object: KubeObject): string => `${resource} ${keyOf(object)}`;
  const look = (id: string): void => tools.look('garbage', id);
  const lookAtOwners = (object: KubeObject): void => {
    for (const reference of object.metadata.ownerReferences ?? []) {
      const owner = ownerOf(tools, object, reference);
      if (owner.kind === 'found') look(idOf(owner.resource, owner.object));
    }
  };
  for (const definition of api.definitions()) {
    const resource = `${definition.group}/${definition.resource}`;
    for (const object of api.list(resource)) note(dependents, idOf(resource, object), undefined, object);
  }
  api.onChange(undefined, ({ kind, resource, object, old }) => {
    const { uid = '', ownerReferences = [], deletionTimestamp, finalizers = [] } = object.metadata;
    const id = idOf(resource, object);
    if (kind === 'DELETED') {
      note(dependents, id, object, undefined);
      for (const each of dependents.get(uid) ?? []) look(each);
      return lookAtOwners(object);
    }
    if (ownerReferences.length > 0 || old?.metadata.ownerReferences !== undefined) {
      note(dependents, id, old, object);
      if (JSON.stringify(ownerReferences) !== JSON.stringify(old?.metadata.ownerReferences ?? [])) {
        look(id);
        if (old !== undefined) lookAtOwners(old);
      }
    }
    if (
      deletionTimestamp !== undefined &&
      finalizers.some((each) => each === 'orphan' || each === 'foregroundDeletion')
    )
      look(id);
  });
  return {
    name: 'garbage',
    watches: {},
    reconcile: (id) => {
      const [resource = '', key = ''] = id.split(' ');
      const object = api.get(resource, ...splitKey(key)) as Named | undefined;
      if (object === undefined) return;
      const { deletionTimestamp, finalizers = [], uid = '' } = object.metadata;
      const own = [...(dependents.get(uid) ?? [])];
      if (deletionTimestamp !== undefined && finalizers.includes('orphan')) return orphan(tools, resource, object, own);
      if (deletionTimestamp !== undefined && finalizers.includes('foregroundDeletion'))
        return deleteDependents(
          tools,
          resource,
          object,
          own,
          (dependent) => (dependents.get(dependent)?.size ?? 0) > 0,
        );
      if (deletionTimestamp === undefined) judge(tools, resource, object);
    },
  };
}

function note(
  dependents: Map<string, Set<string>>,
  id: string,
  old: KubeObject | undefined,
  now: KubeObject | undefined,
): void {
  for (const { uid } of old?.metadata.ownerReferences ?? []) {
    dependents.get(uid)?.delete(id);
    if (dependents.get(uid)?.size === 0) dependents.delete(uid);
  }
  for (const { uid } of now?.metadata.ownerReferences ?? []) {
    const own = dependents.get(uid) ?? new Set<string>();
    dependents.set(uid, own.add(id));
  }
}

type Owner =
  | { readonly kind: 'found'; readonly resource: ResourceKey; readonly object: Named }
  | { readonly kind: 'absent' }
  /** Of a kind that nobody serves, or where it may not be: nothing is concluded. */
  | { readonly kind: 'unclear' };

function ownerOf({ api }: Tools, dependent: KubeObject, { apiVersion, kind, name, uid }: OwnerReference): Owner {
  const definition = api.definition(apiVersion, kind);
  if (definition === undefined) return { kind: 'unclear' };
  if (definition.namespaced && dependent.metadata.namespace === undefined) return { kind: 'unclear' };
  const resource = `${definition.group}/${definition.resource}`;
  const object = api.get(resource, definition.namespaced ? dependent.metadata.namespace : undefined, name) as
    | Named
    | undefined;
  return object === undefined || object.metadata.uid !== uid ? { kind: 'absent' } : { kind: 'found', resource, object };
}

/** Deleted when none of its owners is there; owners that are not are struck off otherwise. */
function judge(tools: Tools, resource: ResourceKey, object: Named): void {
  const references = object.metadata.ownerReferences ?? [];
  const absent = references.filter((each) => ownerOf(tools, object, each).kind === 'absent');
  if (absent.length === 0) return;
  const { namespace, name, uid } = object.metadata;
  if (absent.length === references.length)
    tools.api.delete(
      resource,
      namespace,
      name,
      { propagation: 'Background', ...(uid === undefined ? {} : { uid }) },
      controllerManager,
    );
  else strikeOff(tools, resource, object, absent);
}

function strikeOff({ api }: Tools, resource: ResourceKey, object: Named, owners: readonly OwnerReference[]): void {
  const gone = new Set(owners.map(({ uid }) => uid));
  change(
    api,
    resource,
    object,
    ({ metadata }) => {
      const meta = metadata as { ownerReferences?: readonly OwnerReference[] };
      const left = (meta.ownerReferences ?? []).filter(({ uid }) => !gone.has(uid));
      if (left.length === 0) delete meta.ownerReferences;
      else meta.ownerReferences = left;
    },
    controllerManager,
  );
}

function orphan(tools: Tools, resource: ResourceKey, owner: Named, dependents: readonly string[]): void {
  for (const id of dependents) {
    const dependent = objectOf(tools, id);
    const references = dependent?.metadata.ownerReferences?.filter(({ uid }) => uid === owner.metadata.uid) ?? [];
    if (dependent !== undefined) strikeOff(tools, id.split(' ')[0] ?? '', dependent, references);
  }
  release(tools, resource, owner, 'orphan');
}

/** Dependents first; those that do not block are not waited for. */
function deleteDependents(
  tools: Tools,
  resource: ResourceKey,
  owner: Named,
  dependents: readonly string[],
  hasDependents: (uid: string) => boolean,
): void {
  let blocked = false;
  for (const id of dependents) {
    const dependent = objectOf(tools, id);
    if (dependent === undefined) continue;
    const others = (dependent.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
    if (others.some((each) => ownerOf(tools, dependent, each).kind === 'found')) {
      strikeOff(
        tools,
        id.split(' ')[0] ?? '',
        dependent,
        (dependent.metadata.ownerReferences ?? []).filter(({ uid }) => uid === owner.metadata.uid),
      );
      continue;
    }
    const { namespace, name, uid = '', deletionTimestamp } = dependent.metadata;
    if (deletionTimestamp === undefined)
      tools.api.delete(
        id.split(' ')[0] ?? '',
        namespace,
        name,
        { propagation: hasDependents(uid) ? 'Foreground' : 'Background', uid },
        controllerManager,
      );
    const left = objectOf(tools, id);
    const blocks = left?.metadata.ownerReferences?.some(
      (each) => each.uid === owner.metadata.uid && each.blockOwnerDeletion === true,
    );
    if (blocks === true) blocked = true;
  }
  if (!blocked) release(tools, resource, owner, 'foregroundDeletion');
}

const objectOf = ({ api }: Tools, id: string): Named | undefined => {
  const [resource = '', key = ''] = id.split(' ');
  return api.get(resource, ...splitKey(key)) as Named | undefined;
};

function release({ api }: Tools, resource: ResourceKey, object: Named, finalizer: string): void {
  change(
    api,
    resource,
    object,
    ({ metadata }) => {
      const meta = metadata as { finalizers?: readonly string[] };
      meta.finalizers = (meta.finalizers ?? []).filter((each) => each !== finalizer);
      if (meta.finalizers.length === 0) delete meta.finalizers;
    },
    controllerManager,
  );
}
