import { isDeepStrictEqual } from 'node:util';
import { conditionOf } from './conditions.ts';
import { tolerates } from './placement.ts';
import type { Condition, Node, Pod, Taint } from './shapes.ts';
import { controllerManager, isLeaving, isOver, keyOf, soonest } from './tools.ts';
import type { Tools } from './tools.ts';

const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';
const unschedulable = 'node.kubernetes.io/unschedulable';
/** What admission writes into pods that say nothing about it. */
const usualSeconds = 300;

/** Nobody knows how a silent node is. */
export function unknownConditions(node: Node, now: string): readonly Condition[] {
  return (node.status?.conditions ?? []).map((each) =>
    each.status === 'Unknown'
      ? each
      : {
          ...each,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: now,
        },
  );
}

/** The taints that a node should have; undefined: it has them. */
export function changedTaints(node: Node, now: string): readonly Taint[] | undefined {
  const ready = conditionOf(node.status?.conditions, 'Ready')?.status;
  const wanted = [
    ...(ready === 'False' ? both(notReady) : ready === 'Unknown' ? both(unreachable) : []),
    ...(node.spec.unschedulable === true ? [{ key: unschedulable, effect: 'NoSchedule' }] : []),
  ];
  const before = node.spec.taints ?? [];
  const ours = [notReady, unreachable, unschedulable];
  const taints = [
    ...before.filter(
      ({ key, effect }) => !ours.includes(key) || wanted.some((each) => each.key === key && each.effect === effect),
    ),
    ...wanted
      .filter(({ key, effect }) => !before.some((each) => each.key === key && each.effect === effect))
      .map((each) => ({ ...each, timeAdded: now })),
  ];
  return isDeepStrictEqual(taints, before) ? undefined : taints;
}

const both = (key: string): readonly Taint[] => [
  { key, effect: 'NoSchedule' },
  { key, effect: 'NoExecute' },
];

/** Pods leave a node whose taints they do not bear, or bear for a while only; returns when the next one does. */
export function forsake(tools: Tools, node: Node): number | undefined {
  const taints = (node.spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  if (taints.length === 0) return undefined;
  return soonest(...tools.pods.on(node.metadata.name).map((pod) => leave(tools, pod, taints)));
}

function leave({ api, clock, durations, record }: Tools, pod: Pod, taints: readonly Taint[]): number | undefined {
  if (isLeaving(pod) || isOver(pod)) return undefined;
  const waits = taints.map((taint) => {
    const bearing = (pod.spec.tolerations ?? []).filter((each) => tolerates([each], taint));
    const usual = taint.key === notReady || taint.key === unreachable;
    if (bearing.length === 0) return usual ? [taint, durations.podEviction] : [taint, 0];
    if (bearing.some(({ tolerationSeconds }) => tolerationSeconds === undefined)) return undefined;
    const seconds = Math.min(...bearing.map(({ tolerationSeconds = 0 }) => tolerationSeconds));
    return [taint, usual && seconds === usualSeconds ? durations.podEviction : seconds * 1000];
  });
  const now = clock.now().getTime();
  const left = waits.flatMap((wait) => {
    if (wait === undefined) return [];
    const [taint, ms] = wait as [Taint, number];
    return [(taint.timeAdded === undefined ? now : Date.parse(taint.timeAdded)) + ms - now];
  });
  if (left.length === 0) return undefined;
  const next = Math.min(...left);
  if (next > 0) return next;
  record({
    about: pod,
    reason: 'TaintManagerEviction',
    message: `Marking for deletion Pod ${keyOf(pod)}`,
    from: 'taint-eviction-controller',
  });
  api.delete('/pods', pod.metadata.namespace, pod.metadata.name, { uid: pod.metadata.uid }, controllerManager);
  return undefined;
}
