import { conditionOf, withCondition } from './conditions.ts';
import { completedIndexes, indexOf, indexesText } from './job-indexes.ts';
import type { Controller } from './loop.ts';
import { makePod, removePod } from './pod-making.ts';
import type { Condition, Job, Pod } from './shapes.ts';
import {
  change,
  controllerManager,
  controllerOf,
  find,
  isLeaving,
  isOver,
  isReady,
  itself,
  ownerOfKind,
  secondsSince,
  soonest,
  splitKey,
  timestamp,
  writeStatus,
} from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'batch/jobs';
const from = 'job-controller';
const tracking = 'batch.kubernetes.io/job-tracking';
const retryMs = { first: 10_000, most: 600_000 };

/** Pods that are to succeed, so and so often. */
export function jobs(tools: Tools): Controller {
  const { api } = tools;
  const owner = ownerOfKind('Job');
  return {
    name: 'job',
    watches: { [resource]: itself, '/pods': (pod, old) => [...owner(pod), ...(old === undefined ? [] : owner(old))] },
    reconcile: (key) => {
      const job = find(api, resource, key);
      if (job === undefined || isLeaving(job)) return releaseOrphans(tools, key);
      if (hasEnded(job)) return expire(tools, job);
      return sync(tools, job);
    },
  };
}

const hasEnded = (job: Job): boolean =>
  ['Complete', 'Failed'].some((type) => conditionOf(job.status?.conditions, type)?.status === 'True');

/** Nobody counts pods of a job that is gone. */
function releaseOrphans(tools: Tools, key: string): undefined {
  const [namespace, name] = splitKey(key);
  for (const pod of tools.api.list('/pods', namespace) as unknown as readonly Pod[])
    if (controllerOf(pod)?.kind === 'Job' && controllerOf(pod)?.name === name) release(tools, pod);
}

function release({ api }: Tools, pod: Pod): void {
  if (pod.metadata.finalizers?.includes(tracking) !== true) return;
  change(
    api,
    '/pods',
    pod,
    ({ metadata }) => {
      const finalizers = ((metadata as Pod['metadata']).finalizers ?? []).filter((each) => each !== tracking);
      Object.assign(metadata as object, { finalizers: finalizers.length === 0 ? undefined : finalizers });
    },
    controllerManager,
  );
}

function expire(tools: Tools, job: Job): number | undefined {
  for (const pod of tools.pods.of(job)) release(tools, pod);
  const ttl = job.spec.ttlSecondsAfterFinished;
  if (ttl === undefined) return undefined;
  const ended = job.status?.conditions?.find(
    ({ type }) => type === 'Complete' || type === 'Failed',
  )?.lastTransitionTime;
  const left = ttl - secondsSince(ended, tools.clock.now());
  if (left > 0) return left * 1000;
  tools.api.delete(
    resource,
    job.metadata.namespace,
    job.metadata.name,
    { propagation: 'Foreground', uid: job.metadata.uid },
    controllerManager,
  );
  return undefined;
}

function sync(tools: Tools, job: Job): number | undefined {
  const now = tools.clock.now();
  const pods = tools.pods.of(job);
  const finished = pods.filter((pod) => isOver(pod) && pod.metadata.finalizers?.includes(tracking) === true);
  const count = (phase: string): number => finished.filter(({ status }) => status?.phase === phase).length;
  const indexed = job.spec.completionMode === 'Indexed';
  const done = completedIndexes(job, indexed ? finished.filter(({ status }) => status?.phase === 'Succeeded') : []);
  const succeeded = indexed ? done.size : (job.status?.succeeded ?? 0) + count('Succeeded');
  const failed = (job.status?.failed ?? 0) + count('Failed');
  const active = pods.filter((pod) => !isOver(pod) && !isLeaving(pod));
  const completions = job.spec.completions;
  const verdict = verdictOf(job, { succeeded, failed, active: active.length, now });
  if (verdict !== undefined || job.spec.suspend === true) for (const pod of active) removePod(tools, job, from, pod);
  const wait =
    verdict !== undefined || job.spec.suspend === true
      ? undefined
      : create(tools, job, { active, succeeded, failed, done, completions, now });
  const running = tools.pods.of(job).filter((pod) => !isOver(pod) && !isLeaving(pod));
  tell(tools, job, verdict, {
    active: running.length,
    ready: running.filter(isReady).length,
    terminating: tools.pods.of(job).filter((pod) => isLeaving(pod) && !isOver(pod)).length,
    succeeded,
    failed,
    completedIndexes: indexed ? indexesText(done) : undefined,
  });
  for (const pod of finished) release(tools, pod);
  const deadline = job.spec.activeDeadlineSeconds;
  return soonest(
    wait,
    deadline === undefined || verdict !== undefined
      ? undefined
      : (deadline - secondsSince(job.status?.startTime ?? timestamp(now), now)) * 1000,
  );
}

type Verdict = { readonly type: 'Complete' | 'Failed'; readonly reason: string; readonly message: string };

function verdictOf(
  job: Job,
  { succeeded, failed, active, now }: { succeeded: number; failed: number; active: number; now: Date },
): Verdict | undefined {
  const { completions, backoffLimit = 6, activeDeadlineSeconds } = job.spec;
  const reached = completions === undefined ? succeeded > 0 && active === 0 : succeeded >= completions;
  if (reached)
    return { type: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };
  if (failed > backoffLimit)
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  if (
    activeDeadlineSeconds !== undefined &&
    secondsSince(job.status?.startTime, now) >= activeDeadlineSeconds &&
    job.status?.startTime !== undefined
  )
    return { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  return undefined;
}

function create(
  tools: Tools,
  job: Job,
  {
    active,
    succeeded,
    failed,
    done,
    completions,
    now,
  }: {
    active: readonly Pod[];
    succeeded: number;
    failed: number;
    done: ReadonlySet<number>;
    completions: number | undefined;
    now: Date;
  },
): number | undefined {
  const parallelism = job.spec.parallelism ?? 1;
  const left = completions === undefined ? (succeeded > 0 ? active.length : parallelism) : completions - succeeded;
  const missing = Math.min(parallelism, left) - active.length;
  if (missing < 0) for (const pod of active.slice(missing)) removePod(tools, job, from, pod);
  if (missing <= 0) return undefined;
  const wait = backoff(tools, job, failed, now);
  if (wait > 0) return wait;
  const busy = new Set(active.map(indexOf));
  const free = Array.from({ length: completions ?? 0 }, (_, index) => index).filter(
    (index) => !done.has(index) && !busy.has(index),
  );
  for (let each = 0; each < missing; each++) {
    const index = job.spec.completionMode === 'Indexed' ? free[each] : undefined;
    const name = job.metadata.name;
    const label = { 'batch.kubernetes.io/job-completion-index': String(index) };
    makePod(tools, job, from, {
      template: job.spec.template,
      generateName: index === undefined ? `${name}-` : `${name}-${index}-`,
      labels: {
        'batch.kubernetes.io/controller-uid': job.metadata.uid,
        'batch.kubernetes.io/job-name': name,
        'controller-uid': job.metadata.uid,
        'job-name': name,
        ...(index === undefined ? {} : label),
      },
      ...(index === undefined ? {} : { annotations: label, spec: { hostname: `${name}-${index}` } }),
      finalizers: [tracking],
    });
  }
  return undefined;
}

/** After the n-th failure in a row it takes longer and longer until the next try. */
function backoff({ pods }: Tools, job: Job, failed: number, now: Date): number {
  if (failed === 0) return 0;
  const ends = pods
    .of(job)
    .filter(({ status }) => status?.phase === 'Failed')
    .map(({ status }) =>
      Math.max(
        0,
        ...(status?.containerStatuses ?? []).map(({ state }) => Date.parse(state.terminated?.finishedAt ?? '') || 0),
      ),
    );
  const last = Math.max(0, ...ends);
  return last + Math.min(retryMs.first * 2 ** (failed - 1), retryMs.most) - now.getTime();
}

function tell(
  tools: Tools,
  job: Job,
  verdict: Verdict | undefined,
  counts: Readonly<Record<string, number | string | undefined>>,
): void {
  const now = tools.clock.now();
  const at = timestamp(now);
  const suspended = job.spec.suspend === true;
  let conditions: readonly Condition[] = job.status?.conditions ?? [];
  const told = (type: string, { reason, message }: Omit<Verdict, 'type'>, status: 'True' | 'False' = 'True'): void => {
    conditions = withCondition(conditions, { type, status, lastProbeTime: at, reason, message }, at);
  };
  if (suspended && conditionOf(conditions, 'Suspended')?.status !== 'True') {
    told('Suspended', { reason: 'JobSuspended', message: 'Job suspended' });
    tools.record({ about: job, reason: 'Suspended', message: 'Job suspended', from });
  }
  if (!suspended && conditionOf(conditions, 'Suspended')?.status === 'True') {
    told('Suspended', { reason: 'JobResumed', message: 'Job resumed' }, 'False');
    tools.record({ about: job, reason: 'Resumed', message: 'Job resumed', from });
  }
  if (verdict !== undefined && conditionOf(conditions, target(verdict)) === undefined) told(target(verdict), verdict);
  const gone = counts['terminating'] === 0 && counts['active'] === 0;
  if (verdict !== undefined && gone) told(verdict.type, verdict);
  const some = (value: number | string | undefined): number | string | undefined => (value === 0 ? undefined : value);
  writeStatus(
    tools.api,
    resource,
    job,
    {
      startTime: job.status?.startTime ?? (suspended ? undefined : at),
      active: some(counts['active']),
      ready: counts['ready'],
      terminating: counts['terminating'],
      succeeded: some(counts['succeeded']),
      failed: some(counts['failed']),
      completedIndexes: counts['completedIndexes'] === '' ? undefined : counts['completedIndexes'],
      uncountedTerminatedPods: {},
      conditions: conditions.length === 0 ? undefined : conditions,
      completionTime: verdict?.type === 'Complete' && gone ? at : undefined,
    },
    controllerManager,
  );
  if (verdict === undefined || !gone) return;
  if (verdict.type === 'Complete') tools.record({ about: job, reason: 'Completed', message: 'Job completed', from });
  else tools.record({ about: job, type: 'Warning', reason: verdict.reason, message: verdict.message, from });
}

const target = ({ type }: Verdict): string => (type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget');
