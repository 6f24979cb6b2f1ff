import type { TwinNode } from '../twin.ts';
import { conditionOf } from './conditions.ts';
import type { Controller } from './loop.ts';
import { aboutNode } from './node-events.ts';
import { leaseNode } from './node-lease.ts';
import { applyMachine, register, nodeFacts } from './node-registration.ts';
import { nodeConditions } from './node-status.ts';
import { changedTaints, forsake, unknownConditions } from './node-lifecycle.ts';
import type { Node, Pod } from './shapes.ts';
import {
  change,
  controllerManager,
  find,
  isLeaving,
  isReady,
  keyOf,
  kubelet,
  soonest,
  timestamp,
  writeStatus,
} from './tools.ts';
import type { Tools } from './tools.ts';

/** Called for whoever is a node of the cluster, each time that its kubelet starts or reports. */
export type OnReport = (node: TwinNode, object: Node) => void;

/** Machines as nodes: what their kubelets say of themselves, and what is said of those that are silent. */
export function nodes(tools: Tools, onReport: OnReport): Controller {
  const { api, clock, kubelets, pods } = tools;
  return {
    name: 'node',
    watches: {
      '/nodes': (node, old) =>
        old === undefined || isLeaving(node) || differs(node as unknown as Node, old as unknown as Node)
          ? [keyOf(node)]
          : [],
      '/pods': (pod) => {
        const { nodeName } = (pod as unknown as Pod).spec;
        return nodeName !== undefined && kubelets.life(nodeName) !== undefined && bringsNetwork(pod as unknown as Pod)
          ? [nodeName]
          : [];
      },
    },
    reconcile: (name) => {
      const machine = tools.nodes().find((each) => each.name === name);
      const alive = machine?.alive === true;
      if (machine !== undefined && alive && kubelets.life(name) === undefined) {
        kubelets.begin(name, clock.now());
        register(tools, machine);
        for (const pod of pods.on(name)) tools.look('kubelet', keyOf(pod));
      }
      if (!alive) kubelets.end(name);
      const node = find(api, '/nodes', name);
      if (node === undefined) return abandonPods(tools, name);
      if (machine === undefined || !alive) return watchOver(tools, node);
      onReport(machine, node);
      return report(tools, machine, node);
    },
  };
}

const differs = (node: Node, old: Node): boolean =>
  JSON.stringify([node.spec, node.metadata.labels]) !== JSON.stringify([old.spec, old.metadata.labels]) ||
  conditionOf(node.status?.conditions, 'Ready')?.status !== conditionOf(old.status?.conditions, 'Ready')?.status;

const bringsNetwork = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some(({ hostPath }) => hostPath?.path.replace(/\/$/, '') === '/etc/cni/net.d');

/** What the kubelet says, as long as it is there to say it. */
function report(tools: Tools, machine: TwinNode, node: Node): number | undefined {
  const wait = awaitNetwork(tools, machine.name);
  applyMachine(tools, machine, node);
  const fresh = find(tools.api, '/nodes', machine.name) ?? node;
  const before = conditionOf(fresh.status?.conditions, 'Ready')?.status;
  const conditions = nodeConditions(tools, fresh);
  writeStatus(tools.api, '/nodes', fresh, { ...fresh.status, ...nodeFacts(tools, machine), conditions }, kubelet);
  const ready = conditionOf(conditions, 'Ready')?.status;
  if (before !== undefined && before !== ready) {
    const reason = ready === 'True' ? 'NodeReady' : 'NodeNotReady';
    tools.record({
      about: aboutNode(fresh),
      reason,
      message: `Node ${machine.name} status is now: ${reason}`,
      from: 'kubelet',
      host: machine.name,
    });
  }
  taint(tools, machine.name);
  const lease = leaseNode(tools, machine.name);
  const given = forsake(tools, find(tools.api, '/nodes', machine.name) ?? fresh);
  return soonest(wait, lease, given);
}

/** A network is there once a ready pod of this node may write its configuration. */
function awaitNetwork(tools: Tools, name: string): number | undefined {
  const { clock, durations, kubelets, pods } = tools;
  const life = kubelets.life(name);
  if (life === undefined || life.network !== undefined) return undefined;
  const bringer = pods.on(name).find((pod) => bringsNetwork(pod) && isReady(pod) && !isLeaving(pod));
  const since = conditionOf(bringer?.status?.conditions, 'Ready')?.lastTransitionTime;
  if (since === undefined || Date.parse(since) < Math.floor(life.since.getTime() / 1000) * 1000) return undefined;
  const left = Date.parse(since) + durations.networkUp - clock.now().getTime();
  if (left > 0) return left;
  kubelets.networkUp(name, clock.now());
  for (const pod of pods.on(name)) tools.look('kubelet', keyOf(pod));
  return undefined;
}

/** A node that says nothing any more: given up after a while, and its pods after another. */
function watchOver(tools: Tools, node: Node): number | undefined {
  const { api, clock, durations } = tools;
  taint(tools, node.metadata.name);
  const lease = api.get('coordination.k8s.io/leases', 'kube-node-lease', node.metadata.name);
  const renewed =
    (lease?.['spec'] as { renewTime?: string } | undefined)?.renewTime ?? node.metadata.creationTimestamp ?? '';
  const left = Date.parse(renewed) + durations.nodeGone - clock.now().getTime();
  if (left > 0) return left;
  const before = conditionOf(node.status?.conditions, 'Ready')?.status;
  writeStatus(
    api,
    '/nodes',
    node,
    { ...node.status, conditions: unknownConditions(node, timestamp(clock.now())) },
    controllerManager,
  );
  if (before !== 'Unknown') {
    tools.record({
      about: aboutNode(node),
      reason: 'NodeNotReady',
      message: `Node ${node.metadata.name} status is now: NodeNotReady`,
      from: 'node-controller',
    });
    for (const pod of tools.pods.on(node.metadata.name)) markUnready(tools, pod);
  }
  taint(tools, node.metadata.name);
  return forsake(tools, find(api, '/nodes', node.metadata.name) ?? node);
}

function markUnready({ api, clock, record }: Tools, pod: Pod): void {
  if (!isReady(pod)) return;
  const now = timestamp(clock.now());
  const conditions = (pod.status?.conditions ?? []).map((each) =>
    each.type === 'Ready' ? { ...each, status: 'False' as const, lastTransitionTime: now } : each,
  );
  writeStatus(api, '/pods', pod, { ...pod.status, conditions }, controllerManager);
  record({
    about: pod,
    type: 'Warning',
    reason: 'NodeNotReady',
    message: 'Node is not ready',
    from: 'node-controller',
  });
}

/** Taints follow the conditions of a node and whether people let pods onto it. */
function taint({ api, clock }: Tools, name: string): void {
  const node = find(api, '/nodes', name);
  if (node === undefined) return;
  const taints = changedTaints(node, timestamp(clock.now()));
  if (taints === undefined) return;
  change(
    api,
    '/nodes',
    node,
    ({ spec }) => {
      if (taints.length === 0) delete (spec as { taints?: unknown }).taints;
      else Object.assign(spec as object, { taints });
    },
    controllerManager,
  );
}

/** Somebody took the node away: nothing runs there any longer. */
function abandonPods({ api, pods }: Tools, name: string): undefined {
  for (const { metadata } of pods.on(name))
    api.delete(
      '/pods',
      metadata.namespace,
      metadata.name,
      { gracePeriodSeconds: 0, uid: metadata.uid },
      controllerManager,
    );
}
