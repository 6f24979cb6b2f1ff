import { conditionOf } from './conditions.ts';
import type { Condition, Node } from './shapes.ts';
import { secondsSince, timestamp } from './tools.ts';
import type { Tools } from './tools.ts';

/** Unless something changes a kubelet repeats itself that seldom. */
const heartbeatSeconds = 300;

const networkMissing =
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';

/** What a kubelet says about its node. */
export function nodeConditions({ clock, kubelets }: Tools, node: Node): readonly Condition[] {
  const now = timestamp(clock.now());
  const ready = kubelets.life(node.metadata.name)?.network !== undefined;
  const fine = (type: string, what: string, words: string): Condition => ({
    type,
    status: 'False',
    reason: `KubeletHas${what}`,
    message: `kubelet has ${words} available`,
  });
  const conditions: readonly Condition[] = [
    fine('MemoryPressure', 'SufficientMemory', 'sufficient memory'),
    {
      type: 'DiskPressure',
      status: 'False',
      reason: 'KubeletHasNoDiskPressure',
      message: 'kubelet has no disk pressure',
    },
    fine('PIDPressure', 'SufficientPID', 'sufficient PID'),
    ready
      ? { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
      : { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: networkMissing },
  ];
  const before = node.status?.conditions;
  const changed = conditions.some(({ type, status }) => conditionOf(before, type)?.status !== status);
  const due = secondsSince(before?.[0]?.lastHeartbeatTime, clock.now()) >= heartbeatSeconds;
  const foreign = (before ?? []).filter(({ type }) => !conditions.some((each) => each.type === type));
  return [
    ...foreign,
    ...conditions.map((each) => {
      const last = conditionOf(before, each.type);
      return {
        ...each,
        lastHeartbeatTime: changed || due || last?.lastHeartbeatTime === undefined ? now : last.lastHeartbeatTime,
        lastTransitionTime: last?.status === each.status ? (last.lastTransitionTime ?? now) : now,
      };
    }),
  ];
}
