import { sizes, surgeOf } from './deployment-history.ts';
import { shareOf } from './quantity.ts';
import type { Deployment, ReplicaSet } from './shapes.ts';
import { change, controllerManager, isOver } from './tools.ts';
import type { Tools } from './tools.ts';

const wanted = ({ spec }: ReplicaSet): number => spec.replicas ?? 0;
const available = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;
const sum = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number =>
  sets.reduce((total, set) => total + of(set), 0);
const byAge = (one: ReplicaSet, other: ReplicaSet): number =>
  (one.metadata.creationTimestamp ?? '').localeCompare(other.metadata.creationTimestamp ?? '');

export function scaleTo(tools: Tools, deployment: Deployment, set: ReplicaSet, replicas: number): void {
  const before = wanted(set);
  const annotations = sizes(deployment);
  const sized = Object.entries(annotations).every(([key, value]) => set.metadata.annotations?.[key] === value);
  if (before === replicas && sized) return;
  change(
    tools.api,
    'apps/replicasets',
    set,
    (object) => {
      const { metadata, spec } = object as { metadata: ReplicaSet['metadata']; spec: object };
      Object.assign(metadata, { annotations: { ...metadata.annotations, ...annotations } });
      Object.assign(spec, { replicas });
    },
    controllerManager,
  );
  if (before === replicas) return;
  tools.record({
    about: deployment,
    reason: 'ScalingReplicaSet',
    message: `Scaled ${before < replicas ? 'up' : 'down'} replica set ${set.metadata.name} from ${before} to ${replicas}`,
    from: 'deployment-controller',
  });
}

/** The old ones go first, and all of them. */
export function recreate(tools: Tools, deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): void {
  const busy = old.filter((set) => wanted(set) > 0);
  for (const set of busy) scaleTo(tools, deployment, set, 0);
  const left = old.some((set) => tools.pods.of(set).some((pod) => !isOver(pod)));
  if (busy.length === 0 && !left) scaleTo(tools, deployment, current, deployment.spec.replicas ?? 1);
}

/** A step of a rolling update: up as far as the surge allows, down as far as nobody misses it. */
export function rollOut(tools: Tools, deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): void {
  const replicas = deployment.spec.replicas ?? 1;
  const total = wanted(current) + sum(old, wanted);
  if (wanted(current) > replicas) return scaleTo(tools, deployment, current, replicas);
  const up = Math.min(replicas - wanted(current), replicas + surgeOf(deployment) - total);
  if (up > 0) return scaleTo(tools, deployment, current, wanted(current) + up);
  scaleTo(tools, deployment, current, wanted(current));
  scaleDownOld(tools, deployment, current, old);
}

function scaleDownOld(tools: Tools, deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): void {
  const replicas = deployment.spec.replicas ?? 1;
  const least = replicas - unavailableOf(deployment);
  const total = wanted(current) + sum(old, wanted);
  let mayGo = total - least - (wanted(current) - available(current));
  let spare = available(current) + sum(old, available) - least;
  for (const set of old.filter((each) => wanted(each) > 0).toSorted(byAge)) {
    // Those that are not available are missed by nobody.
    const broken = Math.max(0, Math.min(mayGo, wanted(set) - available(set)));
    const healthy = Math.max(0, Math.min(mayGo - broken, spare, wanted(set) - broken));
    if (broken + healthy === 0) continue;
    mayGo -= broken + healthy;
    spare -= healthy;
    scaleTo(tools, deployment, set, wanted(set) - broken - healthy);
  }
}

/** When both would be none, one may be missing: nothing would ever move. */
export function unavailableOf(deployment: Deployment): number {
  if (deployment.spec.strategy?.type === 'Recreate') return 0;
  const replicas = deployment.spec.replicas ?? 1;
  const { maxUnavailable = '25%' } = deployment.spec.strategy?.rollingUpdate ?? {};
  const share = shareOf(maxUnavailable, replicas, 'down');
  return Math.min(replicas, share === 0 && surgeOf(deployment) === 0 ? 1 : share);
}
