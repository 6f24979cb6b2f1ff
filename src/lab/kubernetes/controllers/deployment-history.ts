import { isDeepStrictEqual } from 'node:util';
import { hashOf } from './names.ts';
import { matches } from './selectors.ts';
import type { Deployment, PodTemplate, ReplicaSet } from './shapes.ts';
import { all, change, controllerManager, controllerOf, isLeaving, ownedBy, withoutNothing } from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'apps/replicasets';
const hashLabel = 'pod-template-hash';
const revisionAnnotation = 'deployment.kubernetes.io/revision';
const historyAnnotation = 'deployment.kubernetes.io/revision-history';
/** Of a deployment; not handed on to its replica sets. */
const own = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
]);

export const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[revisionAnnotation] ?? 0);

/** Its replica sets, with those that match and belong to nobody. */
export function replicaSetsOf({ api }: Tools, deployment: Deployment): readonly ReplicaSet[] {
  for (const set of all(api, resource, deployment.metadata.namespace))
    if (controllerOf(set) === undefined && !isLeaving(set) && matches(deployment.spec.selector, set.metadata.labels))
      change(
        api,
        resource,
        set,
        ({ metadata }) => {
          const owners = (metadata as ReplicaSet['metadata']).ownerReferences ?? [];
          Object.assign(metadata as object, { ownerReferences: [...owners, ownedBy(deployment)] });
        },
        controllerManager,
      );
  return all(api, resource, deployment.metadata.namespace).filter(
    (set) => controllerOf(set)?.uid === deployment.metadata.uid,
  );
}

export const isOfTemplate = (set: ReplicaSet, template: PodTemplate): boolean =>
  isDeepStrictEqual(withoutHash(set.spec.template), withoutHash(template));

function withoutHash(template: PodTemplate): unknown {
  const { [hashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  return withoutNothing({ ...template, metadata: { ...template.metadata, labels, creationTimestamp: undefined } });
}

/** The replica set of the template as it is now: an earlier one again, with the next revision, or a new one. */
export function newReplicaSet(
  tools: Tools,
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): ReplicaSet | undefined {
  const { api } = tools;
  const found = sets
    .toSorted((one, other) =>
      (one.metadata.creationTimestamp ?? '').localeCompare(other.metadata.creationTimestamp ?? ''),
    )
    .find((set) => isOfTemplate(set, deployment.spec.template));
  const last = Math.max(0, ...sets.filter((set) => set !== found).map(revisionOf));
  const revision = found === undefined ? last + 1 : Math.max(revisionOf(found), last + 1);
  const set = found ?? create(tools, deployment, revision);
  if (set === undefined) return undefined;
  if (found !== undefined && revisionOf(found) !== revision)
    change(
      api,
      resource,
      found,
      ({ metadata }) => {
        const annotations = { ...(metadata as ReplicaSet['metadata']).annotations };
        const before = annotations[revisionAnnotation];
        if (before !== undefined)
          annotations[historyAnnotation] = [annotations[historyAnnotation], before].filter(Boolean).join(',');
        annotations[revisionAnnotation] = String(revision);
        Object.assign(metadata as object, { annotations });
      },
      controllerManager,
    );
  if (deployment.metadata.annotations?.[revisionAnnotation] !== String(revision))
    change(
      api,
      'apps/deployments',
      deployment,
      ({ metadata }) => {
        const annotations = {
          ...(metadata as Deployment['metadata']).annotations,
          [revisionAnnotation]: String(revision),
        };
        Object.assign(metadata as object, { annotations });
      },
      controllerManager,
    );
  return set;
}

function create({ api }: Tools, deployment: Deployment, revision: number): ReplicaSet | undefined {
  const { template, selector } = deployment.spec;
  const { namespace = '', name } = deployment.metadata;
  const free = [0, 1, 2, 3, 4, 5, 6, 7]
    .map((collisions) => hashOf(template, collisions))
    .find((each) => api.get(resource, namespace, `${name}-${each}`) === undefined);
  if (free === undefined) return undefined;
  const handedOn = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !own.has(key));
  return api.create(
    resource,
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${name}-${free}`,
        namespace,
        labels: { ...template.metadata?.labels, [hashLabel]: free },
        annotations: { ...Object.fromEntries(handedOn), ...sizes(deployment), [revisionAnnotation]: String(revision) },
        ownerReferences: [ownedBy(deployment)],
      },
      spec: {
        replicas: 0,
        ...(deployment.spec.minReadySeconds === undefined ? {} : { minReadySeconds: deployment.spec.minReadySeconds }),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: free } },
        template: {
          ...structuredClone(template),
          metadata: { ...template.metadata, labels: { ...template.metadata?.labels, [hashLabel]: free } },
        },
      },
    },
    controllerManager,
  ) as unknown as ReplicaSet;
}

/** How many there should be and may be, for whoever scales in proportion. */
export const sizes = (deployment: Deployment): Readonly<Record<string, string>> => ({
  'deployment.kubernetes.io/desired-replicas': String(deployment.spec.replicas ?? 1),
  'deployment.kubernetes.io/max-replicas': String((deployment.spec.replicas ?? 1) + surgeOf(deployment)),
});

export function surgeOf({ spec }: Deployment): number {
  if (spec.strategy?.type === 'Recreate') return 0;
  const { maxSurge = '25%' } = spec.strategy?.rollingUpdate ?? {};
  const replicas = spec.replicas ?? 1;
  return typeof maxSurge === 'number' ? maxSurge : Math.ceil((Number.parseFloat(maxSurge) * replicas) / 100);
}

export function cleanHistory({ api }: Tools, deployment: Deployment, old: readonly ReplicaSet[]): void {
  const limit = deployment.spec.revisionHistoryLimit ?? 10;
  const idle = old
    .filter((set) => set.spec.replicas === 0 && (set.status?.replicas ?? 0) === 0 && !isLeaving(set))
    .toSorted((one, other) => revisionOf(one) - revisionOf(other));
  for (const { metadata } of idle.slice(0, Math.max(0, idle.length - limit)))
    api.delete(resource, metadata.namespace, metadata.name, { uid: metadata.uid }, controllerManager);
}
