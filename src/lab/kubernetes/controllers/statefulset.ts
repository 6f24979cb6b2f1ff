import type { Controller } from './loop.ts';
import { makePod, removePod } from './pod-making.ts';
import { currentRevision } from './revisions.ts';
import type { Pod, PodTemplate, StatefulSet } from './shapes.ts';
import {
  availableIn,
  controllerManager,
  find,
  isLeaving,
  isOver,
  isReady,
  itself,
  ownedBy,
  ownerOfKind,
  soonest,
  writeStatus,
} from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'apps/statefulsets';
const from = 'statefulset-controller';

/** Pods with numbers, one after the other. */
export function statefulSets(tools: Tools): Controller {
  const { api } = tools;
  const owner = ownerOfKind('StatefulSet');
  return {
    name: 'statefulset',
    watches: { [resource]: itself, '/pods': (pod, old) => [...owner(pod), ...(old === undefined ? [] : owner(old))] },
    reconcile: (key) => {
      const set = find(api, resource, key);
      if (set === undefined || isLeaving(set)) return undefined;
      const hashes = new Set(tools.pods.of(set).map(hashOf));
      const revision = currentRevision(tools, set, hashes);
      sync(tools, set, revision.hash);
      return tellStatus(tools, set, revision);
    },
  };
}

const hashOf = ({ metadata }: Pod): string => metadata.labels?.['controller-revision-hash'] ?? '';
const ordinalOf = ({ metadata }: Pod): number => Number(/-(\d+)$/.exec(metadata.name)?.[1] ?? -1);

function sync(tools: Tools, set: StatefulSet, hash: string): void {
  const first = set.spec.ordinals?.start ?? 0;
  const wanted = Array.from({ length: set.spec.replicas ?? 1 }, (_, index) => first + index);
  const pods = new Map(tools.pods.of(set).map((pod) => [ordinalOf(pod), pod]));
  const parallel = set.spec.podManagementPolicy === 'Parallel';
  const now = tools.clock.now();
  const settled = (pod: Pod | undefined): boolean =>
    pod !== undefined && !isLeaving(pod) && availableIn(pod, set.spec.minReadySeconds ?? 0, now) === 0;
  for (const ordinal of wanted) {
    const pod = pods.get(ordinal);
    if (pod === undefined) create(tools, set, ordinal, hash);
    else if (isOver(pod) && !isLeaving(pod)) removePod(tools, set, from, pod);
    if (!parallel && !settled(pod)) return;
  }
  const surplus = [...pods.values()]
    .filter((pod) => !wanted.includes(ordinalOf(pod)))
    .toSorted((one, other) => ordinalOf(other) - ordinalOf(one));
  for (const pod of surplus) {
    if (!isLeaving(pod)) removePod(tools, set, from, pod);
    if (!parallel) return;
  }
  update(tools, set, hash, wanted, pods, settled);
}

/** From the highest number down, one at a time, as far as the partition lets it. */
function update(
  tools: Tools,
  set: StatefulSet,
  hash: string,
  wanted: readonly number[],
  pods: ReadonlyMap<number, Pod>,
  settled: (pod: Pod | undefined) => boolean,
): void {
  if (set.spec.updateStrategy?.type === 'OnDelete') return;
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const ordinal of wanted.toReversed()) {
    const pod = pods.get(ordinal);
    if (ordinal < partition || pod === undefined) return;
    if (hashOf(pod) !== hash && !isLeaving(pod)) return removePod(tools, set, from, pod);
    if (!settled(pod)) return;
  }
}

function create(tools: Tools, set: StatefulSet, ordinal: number, hash: string): void {
  const name = `${set.metadata.name}-${ordinal}`;
  const claims = set.spec.volumeClaimTemplates ?? [];
  for (const { metadata, spec } of claims) claim(tools, set, `${metadata.name}-${name}`, { metadata, spec });
  const template: PodTemplate = {
    ...set.spec.template,
    spec: {
      ...set.spec.template.spec,
      ...(claims.length === 0
        ? {}
        : {
            volumes: [
              ...(set.spec.template.spec.volumes ?? []).filter((each) =>
                claims.every(({ metadata }) => metadata.name !== each.name),
              ),
              ...claims.map(({ metadata }) => ({
                name: metadata.name,
                persistentVolumeClaim: { claimName: `${metadata.name}-${name}` },
              })),
            ],
          }),
    },
  };
  makePod(tools, set, from, {
    template,
    name,
    labels: {
      'controller-revision-hash': hash,
      'statefulset.kubernetes.io/pod-name': name,
      'apps.kubernetes.io/pod-index': String(ordinal),
    },
    spec: { hostname: name, subdomain: set.spec.serviceName ?? '' },
  });
}

function claim(tools: Tools, set: StatefulSet, name: string, template: { metadata: object; spec: object }): void {
  const { api, record } = tools;
  if (api.get('/persistentvolumeclaims', set.metadata.namespace, name) !== undefined) return;
  const deletes = set.spec.persistentVolumeClaimRetentionPolicy?.whenDeleted === 'Delete';
  api.create(
    '/persistentvolumeclaims',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...template.metadata,
        name,
        namespace: set.metadata.namespace ?? '',
        labels: { ...set.spec.selector.matchLabels },
        ...(deletes ? { ownerReferences: [ownedBy(set)] } : {}),
      },
      spec: template.spec,
    },
    controllerManager,
  );
  record({
    about: set,
    reason: 'SuccessfulCreate',
    message: `create Claim ${name} Pod ${set.metadata.name}-${name.split('-').at(-1) ?? ''} in StatefulSet ${set.metadata.name} success`,
    from,
  });
}

function tellStatus(
  tools: Tools,
  set: StatefulSet,
  { name, hash }: { name: string; hash: string },
): number | undefined {
  const pods = tools.pods.of(set).filter((pod) => !isOver(pod));
  const now = tools.clock.now();
  const waits = pods.map((pod) => availableIn(pod, set.spec.minReadySeconds ?? 0, now));
  const updated = pods.filter((pod) => hashOf(pod) === hash && !isLeaving(pod)).length;
  const before = set.status?.currentRevision;
  const done = updated === pods.length && pods.length === (set.spec.replicas ?? 1);
  const current = before === undefined || done ? name : before;
  const some = (count: number): number | undefined => (count === 0 ? undefined : count);
  writeStatus(
    tools.api,
    resource,
    set,
    {
      observedGeneration: set.metadata.generation,
      replicas: pods.length,
      readyReplicas: some(pods.filter(isReady).length),
      currentReplicas: some(pods.filter((pod) => current.endsWith(`-${hashOf(pod)}`)).length),
      updatedReplicas: some(updated),
      currentRevision: current,
      updateRevision: name,
      collisionCount: set.status?.collisionCount ?? 0,
      availableReplicas: waits.filter((wait) => wait === 0).length,
    },
    controllerManager,
  );
  return soonest(...waits.filter((wait) => wait !== 0));
}
