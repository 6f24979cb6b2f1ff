import type { Live } from './live.ts';
import { conditionOf, conditionsOf, conditionWords } from './readiness/conditions.ts';

/** Annotation of a node that a drain of ours cordoned. */
export const drainedMark = 'ichor.dev/drained';

/** A node, and what it lacks; ready when it lacks nothing. */
export type NodeStanding = { readonly node: string; readonly missing: readonly string[] };

/** Conditions that a node in good health does not have. */
const pressures: ReadonlySet<string> = new Set(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable']);

/** The gate "all nodes are Ready": every node that is expected, by name, and what it misses with its own reason and message. */
export function nodeStandings(nodes: readonly Live[], expected: readonly string[]): readonly NodeStanding[] {
  const byName = new Map(nodes.map((node) => [node.metadata.name ?? '', node]));
  const names = [...new Set([...expected, ...byName.keys()])].toSorted();
  return names.map((node) => {
    const live = byName.get(node);
    return { node, missing: live === undefined ? ['it has not joined the cluster yet'] : missingOf(live) };
  });
}

function missingOf(node: Live): readonly string[] {
  const readiness = conditionOf(node, 'Ready');
  return [
    ...(readiness === undefined ? ['its kubelet has not said yet whether it is Ready'] : []),
    ...(readiness !== undefined && readiness.status !== 'True' ? [conditionWords(readiness)] : []),
    ...conditionsOf(node)
      .filter(({ type, status }) => pressures.has(type) && status === 'True')
      .map(conditionWords),
  ];
}

export const isReadyNode = ({ missing }: NodeStanding): boolean => missing.length === 0;

/** `cp-1: Ready is False: KubeletNotReady, cni plugin not initialized`. */
export const standingWords = ({ node, missing }: NodeStanding): string => `${node}: ${missing.join('; ')}`;
