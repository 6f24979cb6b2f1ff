import { conditionOf } from './conditions.ts';
import { isOfTemplate, replicaSetsOf } from './deployment-history.ts';
import { unavailableOf } from './deployment-rollout.ts';
import type { Condition, Deployment, ReplicaSet } from './shapes.ts';
import { controllerManager, secondsSince, timestamp, writeStatus } from './tools.ts';
import type { Tools } from './tools.ts';

type Counts = {
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
};

/** Says how far it is; returns when the deadline is over. */
export function tellDeploymentStatus(tools: Tools, deployment: Deployment): number | undefined {
  const { api, clock } = tools;
  const sets = replicaSetsOf(tools, deployment);
  const current = sets.find((set) => isOfTemplate(set, deployment.spec.template));
  const sum = (of: (status: NonNullable<ReplicaSet['status']>) => number | undefined, which = sets): number =>
    which.reduce((total, { status }) => total + (status === undefined ? 0 : (of(status) ?? 0)), 0);
  const counts: Counts = {
    replicas: sum(({ replicas }) => replicas),
    updated: current?.status?.replicas ?? 0,
    ready: sum(({ readyReplicas }) => readyReplicas),
    available: sum(({ availableReplicas }) => availableReplicas),
  };
  const now = clock.now();
  const progressing = progressOf(deployment, current, counts, now);
  const conditions = [availability(deployment, counts), ...(progressing === undefined ? [] : [progressing])].map(
    (each) => stamped(deployment, each, now),
  );
  const some = (value: number): number | undefined => (value === 0 ? undefined : value);
  const wanted = deployment.spec.replicas ?? 1;
  writeStatus(
    api,
    'apps/deployments',
    deployment,
    {
      observedGeneration: deployment.metadata.generation,
      replicas: some(counts.replicas),
      updatedReplicas: some(counts.updated),
      readyReplicas: some(counts.ready),
      availableReplicas: some(counts.available),
      unavailableReplicas: some(Math.max(0, Math.max(counts.replicas, wanted) - counts.available)),
      terminatingReplicas: sum(({ terminatingReplicas }) => terminatingReplicas),
      collisionCount: deployment.status?.collisionCount,
      conditions,
    },
    controllerManager,
  );
  return untilDeadline(deployment, conditionOf(conditions, 'Progressing'), now);
}

function availability(deployment: Deployment, { available }: Counts): Condition {
  const enough = available >= (deployment.spec.replicas ?? 1) - unavailableOf(deployment);
  return {
    type: 'Available',
    status: enough ? 'True' : 'False',
    reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: enough ? 'Deployment has minimum availability.' : 'Deployment does not have minimum availability.',
  };
}

function progressOf(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  counts: Counts,
  now: Date,
): Condition | undefined {
  const before = conditionOf(deployment.status?.conditions, 'Progressing');
  const name = current === undefined ? deployment.metadata.name : current.metadata.name;
  const subject = current === undefined ? 'Deployment' : 'ReplicaSet';
  const told = (status: 'True' | 'False' | 'Unknown', reason: string, message: string): Condition => ({
    type: 'Progressing',
    status,
    reason,
    message,
  });
  if (deployment.spec.paused === true)
    return before?.reason === 'NewReplicaSetAvailable'
      ? before
      : told('Unknown', 'DeploymentPaused', 'Deployment is paused');
  if (before?.reason === 'DeploymentPaused') return told('Unknown', 'DeploymentResumed', 'Deployment is resumed');
  if (current === undefined) return before;
  const wanted = deployment.spec.replicas ?? 1;
  if (counts.updated === wanted && counts.replicas === wanted && counts.available === wanted)
    return told('True', 'NewReplicaSetAvailable', `${subject} "${name}" has successfully progressed.`);
  if (before === undefined) return told('True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);
  if (hasMoved(deployment, counts) || (before.reason === 'NewReplicaSetAvailable' && counts.updated < wanted))
    return told('True', 'ReplicaSetUpdated', `${subject} "${name}" is progressing.`);
  const late = untilDeadline(deployment, before, now);
  if (late === 0) return told('False', 'ProgressDeadlineExceeded', `${subject} "${name}" has timed out progressing.`);
  return before;
}

function hasMoved({ status }: Deployment, counts: Counts): boolean {
  const before = {
    replicas: status?.replicas ?? 0,
    updated: status?.updatedReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
  };
  return (
    counts.updated > before.updated ||
    counts.replicas - counts.updated < before.replicas - before.updated ||
    counts.available > before.available
  );
}

/** Undefined: there is nothing to wait for. */
function untilDeadline(deployment: Deployment, progressing: Condition | undefined, now: Date): number | undefined {
  const deadline = deployment.spec.progressDeadlineSeconds;
  if (deadline === undefined || deadline >= 2 ** 31 - 1 || progressing === undefined) return undefined;
  if (progressing.reason === 'NewReplicaSetAvailable' || progressing.status !== 'True') return undefined;
  return Math.max(0, deadline - secondsSince(progressing.lastUpdateTime, now)) * 1000;
}

function stamped({ status }: Deployment, next: Condition, now: Date): Condition {
  const before = conditionOf(status?.conditions, next.type);
  const same = before?.status === next.status && before.reason === next.reason && before.message === next.message;
  // Progress that goes on pushes the deadline away.
  if (next === before || (same && next.reason !== 'ReplicaSetUpdated')) return before ?? next;
  return {
    ...next,
    lastUpdateTime: timestamp(now),
    lastTransitionTime: before?.status === next.status ? (before.lastTransitionTime ?? timestamp(now)) : timestamp(now),
  };
}
