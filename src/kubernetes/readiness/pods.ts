import { at, listAt, textAt, type Live } from '../live.ts';
import { conditionOf, oneLine } from './conditions.ts';
import { failed, ready, waiting, type Rule } from './readiness.ts';

const isReadyPod = (pod: Live): boolean => conditionOf(pod, 'Ready')?.status === 'True';

/** Ran to its end, one way or the other. */
export const isFinished = (pod: Live): boolean => ['Succeeded', 'Failed'].includes(phaseOf(pod));

const phaseOf = (pod: Live): string => textAt(pod, 'status', 'phase') ?? 'Pending';

export const podRule: Rule = (pod) => {
  if (phaseOf(pod) === 'Succeeded') return ready;
  if (phaseOf(pod) === 'Failed') return failed(`it failed: ${whyPod(pod)}`);
  return isReadyPod(pod) ? ready : waiting(whyPod(pod));
};

/** What a pod waits for, in as few words as its own status allows: `ImagePullBackOff`. */
function whyPod(pod: Live): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  return unscheduled(pod) ?? container(pod) ?? unready(pod) ?? textAt(pod, 'status', 'reason') ?? phaseOf(pod);
}

function unscheduled(pod: Live): string | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status === 'False') return oneLine(scheduled.message) || scheduled.reason || 'no node takes it';
  if (textAt(pod, 'spec', 'nodeName') === undefined) return 'no node has been chosen for it yet';
  return undefined;
}

function container(pod: Live): string | undefined {
  const statuses = [...listAt(pod, 'status', 'initContainerStatuses'), ...listAt(pod, 'status', 'containerStatuses')];
  for (const status of statuses) {
    const reason = textAt(status, 'state', 'waiting', 'reason');
    if (reason !== undefined && !meansNothing.has(reason)) return reason;
    const ended = at(status, 'state', 'terminated');
    if (ended !== undefined && at(ended, 'exitCode') !== 0)
      return `${textAt(status, 'name')} ended with ${textAt(ended, 'reason') ?? 'an error'} (exit code ${String(at(ended, 'exitCode'))})`;
  }
  const waits = statuses.some((status) => at(status, 'state', 'waiting') !== undefined);
  return waits ? 'its containers are being created' : undefined;
}

const meansNothing = new Set(['ContainerCreating', 'PodInitializing']);

function unready(pod: Live): string | undefined {
  const containers = conditionOf(pod, 'ContainersReady') ?? conditionOf(pod, 'Ready');
  return containers?.status === 'False' ? oneLine(containers.message) || containers.reason || undefined : undefined;
}

/** The first pod that is not ready, the same one every time: `cilium-x7k2p on cp-1 waits: ImagePullBackOff`. */
export function firstWaiting(pods: readonly Live[]): string | undefined {
  const [pod] = pods
    .filter((candidate) => !isReadyPod(candidate) && !isFinished(candidate))
    .toSorted(({ metadata: one }, { metadata: other }) => ((one.name ?? '') < (other.name ?? '') ? -1 : 1));
  if (pod === undefined) return undefined;
  const node = textAt(pod, 'spec', 'nodeName');
  return `${pod.metadata.name}${node === undefined ? '' : ` on ${node}`} waits: ${whyPod(pod)}`;
}
