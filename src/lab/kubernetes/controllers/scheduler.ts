import type { Controller } from './loop.ts';
import { withCondition } from './conditions.ts';
import { candidates, obstacle } from './scheduling.ts';
import type { Obstacle } from './scheduling.ts';
import type { Node, Pod } from './shapes.ts';
import { all, change, find, isLeaving, isOver, itself, keyOf, scheduler, timestamp } from './tools.ts';
import type { Tools } from './tools.ts';

const from = 'default-scheduler';

/** Finds a node for every pod that has none. */
export function scheduling(tools: Tools): Controller {
  const { api, pods } = tools;
  const waiting = (): readonly string[] => pods.unplaced().map(keyOf);
  return {
    name: 'scheduler',
    watches: {
      '/pods': (pod, old) => {
        const shape = pod as unknown as Pod;
        if ((shape.spec.nodeName ?? '') === '') return itself(pod);
        // Room may have become free.
        return isLeaving(pod) || isOver(shape) ? waiting() : old === undefined ? [] : [];
      },
      '/nodes': (node, old) =>
        old === undefined || face(node as unknown as Node) !== face(old as unknown as Node) ? waiting() : [],
      '/persistentvolumeclaims': waiting,
    },
    reconcile: (key) => {
      const pod = find(api, '/pods', key);
      if (pod === undefined || isLeaving(pod) || isOver(pod) || (pod.spec.nodeName ?? '') !== '') return;
      if ((pod.spec.schedulerName ?? from) !== from) return;
      if ((pod.spec.schedulingGates ?? []).length > 0)
        return refuse(tools, pod, 'SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates');
      const unbound = unboundClaim(tools, pod);
      if (unbound !== undefined) return refuse(tools, pod, 'Unschedulable', unbound);
      place(tools, pod);
    },
  };
}

const face = ({ metadata, spec, status }: Node): string => JSON.stringify([metadata.labels, spec, status?.allocatable]);

function unboundClaim({ api }: Tools, pod: Pod): string | undefined {
  const nodes = api.list('/nodes').length;
  for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
    if (persistentVolumeClaim === undefined) continue;
    const claim = api.get('/persistentvolumeclaims', pod.metadata.namespace, persistentVolumeClaim.claimName);
    if (claim === undefined)
      return `0/${nodes} nodes are available: persistentvolumeclaim "${persistentVolumeClaim.claimName}" not found. not found`;
    if ((claim['status'] as { phase?: string } | undefined)?.phase !== 'Bound')
      return `0/${nodes} nodes are available: pod has unbound immediate PersistentVolumeClaims. not found`;
  }
  return undefined;
}

function place(tools: Tools, pod: Pod): void {
  const nodes = all(tools.api, '/nodes').filter((node) => !isLeaving(node));
  if (nodes.length === 0) return refuse(tools, pod, 'Unschedulable', 'no nodes available to schedule pods');
  const obstacles = new Map<string, Obstacle>();
  for (const node of nodes) {
    const found = obstacle(tools, pod, node, nodes);
    if (found !== undefined) obstacles.set(node.metadata.name, found);
  }
  const best = candidates(
    tools,
    pod,
    nodes.filter(({ metadata }) => !obstacles.has(metadata.name)),
  )[0];
  if (best === undefined) return refuse(tools, pod, 'Unschedulable', unfit(nodes.length, [...obstacles.values()]));
  bind(tools, pod, best.metadata.name);
}

/** `0/3 nodes are available: …` */
function unfit(total: number, obstacles: readonly Obstacle[]): string {
  const count = (words: readonly string[]): string => {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const parts = [...counts].map(([word, times]) => `${times} ${word}`);
    return parts.toSorted((one, other) => (one < other ? -1 : 1)).join(', ');
  };
  const none = `0/${total} nodes are available:`;
  const preemption = obstacles.map(({ final }) =>
    final ? 'Preemption is not helpful for scheduling' : 'No preemption victims found for incoming pod',
  );
  return `${none} ${count(obstacles.flatMap(({ reasons }) => reasons))}. no new claims to deallocate, preemption: ${none} ${count(preemption)}.`;
}

function bind({ api, clock, record }: Tools, pod: Pod, node: string): void {
  change(
    api,
    '/pods',
    pod,
    (object) => {
      const { spec, status } = object as { spec: object; status?: Pod['status'] };
      Object.assign(spec, { nodeName: node });
      const conditions = withCondition(
        status?.conditions,
        { type: 'PodScheduled', status: 'True', lastProbeTime: null },
        timestamp(clock.now()),
      );
      object['status'] = { ...status, phase: status?.phase ?? 'Pending', conditions };
    },
    scheduler,
    'binding',
  );
  record({
    about: pod,
    reason: 'Scheduled',
    message: `Successfully assigned ${keyOf(pod)} to ${node}`,
    from,
    action: 'Binding',
  });
}

function refuse({ api, clock, record }: Tools, pod: Pod, reason: string, message: string): void {
  const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (before?.reason === reason && before.message === message) return;
  change(
    api,
    '/pods',
    pod,
    (object) => {
      const status = object['status'] as Pod['status'];
      const next = { type: 'PodScheduled', status: 'False', lastProbeTime: null, reason, message } as const;
      object['status'] = {
        ...status,
        phase: 'Pending',
        conditions: withCondition(status?.conditions, next, timestamp(clock.now())),
      };
    },
    scheduler,
    'status',
  );
  if (reason === 'Unschedulable')
    record({ about: pod, type: 'Warning', reason: 'FailedScheduling', message, from, action: 'Scheduling' });
}
