import { at, numberAt, textAt, type Live } from '../live.ts';
import { selects } from '../selector.ts';
import { conditionOf, conditionsOf, conditionWords, isStale, notSeenYet, oneLine } from './conditions.ts';
import { firstWaiting } from './pods.ts';
import { failed, ready, share, waiting, type Around, type Readiness, type Rule } from './readiness.ts';

/** How many pods there should be, and how far they are. */
type Counts = {
  readonly wanted: number;
  readonly updated: number;
  readonly ready: number;
  /** Pods of older versions that are still there. */
  readonly old: number;
};

const workload =
  (countsOf: (object: Live) => Counts): Rule =>
  (object, around) => {
    if (isStale(object)) return waiting(notSeenYet);
    const counts = countsOf(object);
    const short = shortOf(counts);
    return short === undefined ? ready : waiting([withPod(short, object, around), ...troubles(object)].join('; '));
  };

/** Why no pods come, or why they do not get on, where the controller says so itself. */
const troubles = (object: Live): readonly string[] =>
  conditionsOf(object)
    .filter(
      ({ type, status: is }) =>
        (type === 'ReplicaFailure' && is === 'True') || (type === 'Progressing' && is === 'False'),
    )
    .map(conditionWords);

function shortOf({ wanted, updated, ready: up, old }: Counts): string | undefined {
  if (updated < wanted) return share(updated, wanted, 'pod', 'up to date');
  if (up < wanted) return share(up, wanted, 'pod', 'ready');
  if (old > 0) return `${old} old pod${old === 1 ? ' is' : 's are'} still there`;
  return undefined;
}

const withPod = (short: string, object: Live, { pods }: Around): string => {
  const pod = firstWaiting(podsOf(object, pods));
  return pod === undefined ? short : `${short}; ${pod}`;
};

const podsOf = ({ metadata, spec }: Live, pods: readonly Live[]): readonly Live[] =>
  pods.filter(
    (pod) =>
      pod.metadata.namespace === metadata.namespace && selects(at(spec, 'selector'), pod.metadata.labels ?? {}, 'none'),
  );

const status = (object: Live, field: string): number => numberAt(object, 'status', field) ?? 0;
const replicas = (object: Live): number => numberAt(object, 'spec', 'replicas') ?? 1;

export const deployment = workload((object) => ({
  wanted: replicas(object),
  updated: status(object, 'updatedReplicas'),
  ready: status(object, 'availableReplicas'),
  old: status(object, 'replicas') - status(object, 'updatedReplicas'),
}));

export const replicaSet = workload((object) => ({
  wanted: replicas(object),
  updated: status(object, 'fullyLabeledReplicas'),
  ready: status(object, 'availableReplicas'),
  old: status(object, 'replicas') - replicas(object),
}));

const onDelete = (object: Live): boolean => textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete';

export const daemonSet: Rule = (object, around) => {
  // Until its controller has counted, zero wanted pods mean nothing.
  if (numberAt(object, 'status', 'observedGeneration') === undefined) return waiting(notSeenYet);
  const wanted = status(object, 'desiredNumberScheduled');
  return workload(() => ({
    wanted,
    updated: onDelete(object) ? wanted : status(object, 'updatedNumberScheduled'),
    ready: status(object, 'numberAvailable'),
    // Pods on nodes that it no longer wants are not in its way.
    old: 0,
  }))(object, around);
};

export const statefulSet = workload((object) => {
  const wanted = replicas(object);
  const kept = numberAt(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0;
  return {
    wanted,
    updated: onDelete(object) ? wanted : status(object, 'updatedReplicas') + Math.min(kept, wanted),
    ready: status(object, 'readyReplicas'),
    old: status(object, 'replicas') - wanted,
  };
});

export const job: Rule = (object, around): Readiness => {
  if (conditionOf(object, 'Complete')?.status === 'True') return ready;
  const failure = conditionOf(object, 'Failed');
  if (failure?.status === 'True')
    return failed(`it failed: ${[failure.reason, oneLine(failure.message)].filter((part) => part !== '').join(', ')}`);
  if (at(object, 'spec', 'suspend') === true) return failed('it is suspended, and runs when it is resumed');
  const wanted = numberAt(object, 'spec', 'completions') ?? 1;
  const done = share(status(object, 'succeeded'), wanted, 'pod', 'done');
  const lost = status(object, 'failed');
  return waiting(
    withPod(
      lost === 0 ? done : `${done}, ${lost} failed and ${lost === 1 ? 'was' : 'were'} tried again`,
      object,
      around,
    ),
  );
};
