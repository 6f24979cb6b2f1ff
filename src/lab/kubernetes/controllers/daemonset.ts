import type { Controller } from './loop.ts';
import { mayGoTo, untolerated } from './placement.ts';
import { makePod, removePod } from './pod-making.ts';
import { shareOf } from './quantity.ts';
import { currentRevision } from './revisions.ts';
import type { Affinity, DaemonSet, Node, Pod, PodSpec, Toleration } from './shapes.ts';
import {
  all,
  availableIn,
  controllerManager,
  find,
  isLeaving,
  isOver,
  isReady,
  itself,
  keyOf,
  ownerOfKind,
  soonest,
  writeStatus,
} from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'apps/daemonsets';
const from = 'daemonset-controller';

/** A pod on every node that it may go to. */
export function daemonSets(tools: Tools): Controller {
  const { api } = tools;
  const owner = ownerOfKind('DaemonSet');
  return {
    name: 'daemonset',
    watches: {
      [resource]: itself,
      '/pods': (pod, old) => [...owner(pod), ...(old === undefined ? [] : owner(old))],
      '/nodes': (node, old) => (matters(node, old) ? api.list(resource).map(keyOf) : []),
    },
    reconcile: (key) => {
      const set = find(api, resource, key);
      if (set === undefined || isLeaving(set)) return undefined;
      const { hash } = currentRevision(tools, set, new Set(tools.pods.of(set).map(hashOf)));
      sync(tools, set, hash);
      return tellStatus(tools, set, hash);
    },
  };
}

const hashOf = ({ metadata }: Pod): string => metadata.labels?.['controller-revision-hash'] ?? '';

/** Heartbeats of nodes are no news to it. */
function matters(node: object, old: object | undefined): boolean {
  if (old === undefined) return true;
  const face = ({ metadata, spec }: Node): string =>
    JSON.stringify([metadata.labels, spec, metadata.deletionTimestamp]);
  return face(node as Node) !== face(old as Node);
}

/** Names of nodes in a pod’s own affinity: where it is to go before anybody has put it there. */
function targetOf(pod: Pod): string | undefined {
  if ((pod.spec.nodeName ?? '') !== '') return pod.spec.nodeName;
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms[0]?.matchFields?.[0]?.values?.[0];
}

function sync(tools: Tools, set: DaemonSet, hash: string): void {
  const byNode = podsByNode(tools, set);
  const wanted = wantedNodes(tools, set);
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  for (const [node, pods] of byNode)
    if (!names.has(node)) for (const pod of pods) if (!isLeaving(pod)) removePod(tools, set, from, pod);
  for (const { metadata } of wanted) {
    const pods = byNode.get(metadata.name) ?? [];
    const failed = pods.find(isOver);
    if (failed !== undefined && !isLeaving(failed)) {
      tools.record({
        about: set,
        type: 'Warning',
        reason: 'FailedDaemonPod',
        message: `Found failed daemon pod ${keyOf(failed)} on node ${metadata.name}, will try to kill it`,
        from,
      });
      removePod(tools, set, from, failed);
    } else if (pods.length === 0) create(tools, set, metadata.name, hash);
    else
      for (const pod of pods
        .filter((each) => !isLeaving(each))
        .toSorted(byAge)
        .slice(1))
        removePod(tools, set, from, pod);
  }
  update(tools, set, hash, wanted.length);
}

const byAge = (one: Pod, other: Pod): number =>
  (one.metadata.creationTimestamp ?? '').localeCompare(other.metadata.creationTimestamp ?? '');

function podsByNode(tools: Tools, set: DaemonSet): ReadonlyMap<string, readonly Pod[]> {
  const found = new Map<string, Pod[]>();
  for (const pod of tools.pods.of(set)) {
    const node = targetOf(pod) ?? '';
    found.set(node, [...(found.get(node) ?? []), pod]);
  }
  return found;
}

const wantedNodes = ({ api }: Tools, { spec }: DaemonSet): readonly Node[] =>
  all(api, '/nodes').filter(
    (node) =>
      !isLeaving(node) &&
      mayGoTo(node, spec.template.spec) &&
      untolerated(node, tolerationsOf(spec.template.spec)) === undefined,
  );

/** Old pods go as far as others may miss them; those that do not run go at once. */
function update(tools: Tools, set: DaemonSet, hash: string, wanted: number): void {
  if (set.spec.updateStrategy?.type === 'OnDelete') return;
  const most = Math.max(1, shareOf(set.spec.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, wanted, 'up'));
  const now = tools.clock.now();
  const pods = tools.pods.of(set).filter((pod) => !isOver(pod));
  const runs = (pod: Pod): boolean => !isLeaving(pod) && availableIn(pod, set.spec.minReadySeconds ?? 0, now) === 0;
  let missing = wanted - pods.filter(runs).length;
  for (const pod of pods.filter((each) => !isLeaving(each) && hashOf(each) !== hash)) {
    if (runs(pod) && missing >= most) continue;
    if (runs(pod)) missing++;
    removePod(tools, set, from, pod);
  }
}

function create(tools: Tools, set: DaemonSet, node: string, hash: string): void {
  const { spec } = set.spec.template;
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const affinity: Affinity = {
    ...spec.affinity,
    nodeAffinity: {
      ...spec.affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms === undefined ? [term] : terms.map((each) => ({ ...each, ...term })),
      },
    },
  };
  makePod(tools, set, from, {
    template: set.spec.template,
    labels: { 'controller-revision-hash': hash },
    spec: { affinity, tolerations: tolerationsOf(spec) },
  });
}

/** What happens to a node does not drive its daemons away. */
function tolerationsOf(spec: PodSpec): readonly Toleration[] {
  const own = spec.tolerations ?? [];
  const added = [
    ['not-ready', 'NoExecute'],
    ['unreachable', 'NoExecute'],
    ['disk-pressure', 'NoSchedule'],
    ['memory-pressure', 'NoSchedule'],
    ['pid-pressure', 'NoSchedule'],
    ['unschedulable', 'NoSchedule'],
    ...(spec.hostNetwork === true ? [['network-unavailable', 'NoSchedule']] : []),
  ].map(([key = '', effect = '']) => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect }));
  return [
    ...own,
    ...added.filter(
      ({ key, effect }) =>
        !own.some((each) => each.key === key && each.effect === effect && each.operator === 'Exists'),
    ),
  ];
}

function tellStatus(tools: Tools, set: DaemonSet, hash: string): number | undefined {
  const now = tools.clock.now();
  const wanted = wantedNodes(tools, set).map(({ metadata }) => metadata.name);
  const byNode = podsByNode(tools, set);
  const oldest = (node: string): Pod | undefined =>
    byNode
      .get(node)
      ?.filter((pod) => !isLeaving(pod))
      .toSorted(byAge)[0];
  const pods = wanted.flatMap((node) => oldest(node) ?? []);
  const waits = pods.map((pod) => availableIn(pod, set.spec.minReadySeconds ?? 0, now));
  const available = waits.filter((wait) => wait === 0).length;
  const some = (count: number): number | undefined => (count === 0 ? undefined : count);
  writeStatus(
    tools.api,
    resource,
    set,
    {
      currentNumberScheduled: pods.length,
      numberMisscheduled: [...byNode.keys()].filter((node) => !wanted.includes(node)).length,
      desiredNumberScheduled: wanted.length,
      numberReady: pods.filter(isReady).length,
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: some(pods.filter((pod) => hashOf(pod) === hash).length),
      numberAvailable: some(available),
      numberUnavailable: some(wanted.length - available),
    },
    controllerManager,
  );
  return soonest(...waits.filter((wait) => wait !== 0));
}
