import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import { conflict, forbidden, notFound } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import { mutable } from './clone.ts';
import type { Cluster, Write } from './cluster.ts';
import { metaOf, timestamp } from './meta.ts';

export type Deletion = {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
};

/** What became of it: it is gone as it was last, or goes when its time or its finalizers are over. */
export type Deleted = { readonly kind: 'gone' | 'going'; readonly object: KubeObject };

/** Namespaces that a cluster cannot be without. */
const immortal = new Set(['default', 'kube-system', 'kube-public']);

export function remove(
  cluster: Cluster,
  definition: ResourceDefinition,
  namespace: string | undefined,
  name: string,
  deletion: Deletion,
  write: Write,
): Deleted {
  const key = resourceKey(definition);
  const old = cluster.store.get(key, namespace, name);
  if (old === undefined) throw notFound(definition, name);
  if (key === '/namespaces' && immortal.has(name))
    throw forbidden(definition, name, 'this namespace may not be deleted');
  checkPreconditions(definition, old, deletion);
  const next = mutable(old);
  const ending = markEnding(cluster, definition, old, next, deletion);
  definition.strategy.prepareDelete?.(next);
  const finalizers = finalizersFor(definition, next as KubeObject, deletion);
  metaOf(next).finalizers = finalizers.length === 0 ? undefined : finalizers;
  if (finalizers.length === 0) delete metaOf(next).finalizers;
  if (key === '/namespaces') return endNamespace(cluster, old, next, write);
  if (finalizers.length > 0) {
    if (ending === 'now') begin(cluster, next, 0);
    return { kind: 'going', object: settle(cluster, key, old, next, write) };
  }
  if (ending === 'pending') return { kind: 'going', object: settle(cluster, key, old, next, write) };
  const gone = write.dryRun ? old : cluster.store.remove(key, namespace, name);
  return { kind: 'gone', object: gone ?? old };
}

const settle = (cluster: Cluster, key: string, old: KubeObject, next: Mutable, write: Write): KubeObject =>
  write.dryRun || JSON.stringify(old) === JSON.stringify(next)
    ? (next as KubeObject)
    : cluster.store.put(key, next as KubeObject);

function checkPreconditions(definition: ResourceDefinition, old: KubeObject, { preconditions = {} }: Deletion): void {
  const what = { group: definition.group, resource: definition.kind };
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== old.metadata.uid)
    throw conflict(
      what,
      old.metadata.name ?? '',
      `the UID in the precondition (${uid}) does not match the UID in record (${old.metadata.uid ?? ''}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion)
    throw conflict(
      what,
      old.metadata.name ?? '',
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${old.metadata.resourceVersion ?? ''}). The object might have been modified`,
    );
}

function begin(cluster: Cluster, next: Mutable, seconds: number): void {
  const meta = metaOf(next);
  if (meta.deletionTimestamp === undefined) {
    if ((meta.generation ?? 0) > 0) meta.generation = (meta.generation ?? 0) + 1;
    meta.deletionTimestamp = timestamp(new Date(cluster.clock.now().getTime() + seconds * 1000));
    meta.deletionGracePeriodSeconds = seconds;
  } else if (seconds === 0) {
    meta.deletionGracePeriodSeconds = 0;
  }
}

/** `now`: nobody waits for it any more. `pending`: whoever runs it has to end it first. */
function markEnding(
  cluster: Cluster,
  { strategy }: ResourceDefinition,
  old: KubeObject,
  next: Mutable,
  { gracePeriodSeconds }: Deletion,
): 'now' | 'pending' {
  if (strategy.graceSeconds === undefined) return 'now';
  const wanted = gracePeriodSeconds === undefined ? undefined : gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata;
  if (deletionTimestamp === undefined) {
    const seconds = wanted ?? strategy.graceSeconds(old);
    if (seconds === 0) return 'now';
    begin(cluster, next, seconds);
    return 'pending';
  }
  if (deletionGracePeriodSeconds === 0) return 'now';
  if (wanted === undefined || wanted >= deletionGracePeriodSeconds) return 'pending';
  const meta = metaOf(next);
  const started = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  const ends = started + wanted * 1000;
  const now = cluster.clock.now().getTime();
  meta.deletionTimestamp = timestamp(new Date(Math.max(ends, now)));
  meta.deletionGracePeriodSeconds = ends < now && wanted !== 0 ? 1 : wanted;
  return wanted === 0 ? 'now' : 'pending';
}

/** Who has to do something before it may go: those that are there, and the garbage collector when it is asked for. */
function finalizersFor(definition: ResourceDefinition, old: KubeObject, deletion: Deletion): readonly string[] {
  const present = old.metadata.finalizers ?? [];
  if (resourceKey(definition) === '/events') return present;
  const others = present.filter((each) => each !== 'orphan' && each !== 'foregroundDeletion');
  const wantsOrphan = has(deletion, 'Orphan', true, present, 'orphan');
  const wantsForeground = has(deletion, 'Foreground', undefined, present, 'foregroundDeletion');
  const wanted = [...others, ...(wantsOrphan ? ['orphan'] : []), ...(wantsForeground ? ['foregroundDeletion'] : [])];
  const isUnchanged = wanted.length === present.length && wanted.every((each) => present.includes(each));
  return isUnchanged ? present : wanted;
}

function has(
  { propagation, orphanDependents }: Deletion,
  policy: 'Orphan' | 'Foreground',
  orphan: true | undefined,
  present: readonly string[],
  finalizer: string,
): boolean {
  if (orphanDependents !== undefined) return orphan === true && orphanDependents;
  if (propagation !== undefined) return propagation === policy;
  return present.includes(finalizer);
}

/** A namespace goes in two steps: everybody is told, and when it is empty and finalized it is deleted again. */
function endNamespace(cluster: Cluster, old: KubeObject, next: Mutable, write: Write): Deleted {
  const spec = (next['spec'] ?? {}) as { finalizers?: readonly string[] };
  if (old.metadata.deletionTimestamp === undefined) {
    metaOf(next).deletionTimestamp = timestamp(cluster.clock.now());
    next['status'] = { ...(next['status'] as Mutable | undefined), phase: 'Terminating' };
    return { kind: 'going', object: settle(cluster, '/namespaces', old, next, write) };
  }
  if ((spec.finalizers ?? []).length > 0 || (metaOf(next).finalizers ?? []).length > 0)
    return { kind: 'going', object: settle(cluster, '/namespaces', old, next, write) };
  const gone = write.dryRun ? old : cluster.store.remove('/namespaces', undefined, old.metadata.name ?? '');
  return { kind: 'gone', object: gone ?? old };
}
