import { conditionOf } from './conditions.ts';
import { nextTime } from './cron.ts';
import type { Controller } from './loop.ts';
import type { CronJob, Job } from './shapes.ts';
import {
  all,
  controllerManager,
  controllerOf,
  find,
  isLeaving,
  itself,
  ownedBy,
  ownerOfKind,
  timestamp,
  writeStatus,
} from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'batch/cronjobs';
const from = 'cronjob-controller';

/** A job whenever its time has come; schedules are read in UTC. */
export function cronJobs(tools: Tools): Controller {
  const { api, clock } = tools;
  return {
    name: 'cronjob',
    watches: { [resource]: itself, 'batch/jobs': ownerOfKind('CronJob') },
    reconcile: (key) => {
      const cron = find(api, resource, key);
      if (cron === undefined || isLeaving(cron)) return undefined;
      const now = clock.now();
      const started = runIfDue(tools, cron, now);
      tell(tools, cron, started);
      if (cron.spec.suspend === true) return undefined;
      const next = nextTime(cron.spec.schedule, now);
      return next === undefined ? undefined : next.getTime() - now.getTime();
    },
  };
}

const jobsOf = ({ api }: Tools, cron: CronJob): readonly Job[] =>
  all(api, 'batch/jobs', cron.metadata.namespace).filter((job) => controllerOf(job)?.uid === cron.metadata.uid);

const ended = (job: Job): boolean =>
  job.status?.conditions?.some(({ type, status }) => ['Complete', 'Failed'].includes(type) && status === 'True') ===
  true;

function runIfDue(tools: Tools, cron: CronJob, now: Date): string | undefined {
  if (cron.spec.suspend === true) return undefined;
  const since = new Date(cron.status?.lastScheduleTime ?? cron.metadata.creationTimestamp ?? now);
  let due: Date | undefined;
  for (
    let next = nextTime(cron.spec.schedule, since);
    next !== undefined && next <= now;
    next = nextTime(cron.spec.schedule, next)
  ) {
    due = next;
    if (now.getTime() - next.getTime() > 86_400_000)
      due = nextTime(cron.spec.schedule, new Date(now.getTime() - 86_400_000));
  }
  if (due === undefined) return undefined;
  const running = jobsOf(tools, cron).filter((job) => !ended(job));
  if (cron.spec.concurrencyPolicy === 'Forbid' && running.length > 0) {
    tools.record({
      about: cron,
      reason: 'JobAlreadyActive',
      message: 'Not starting job because prior execution is running and concurrency policy is Forbid',
      from,
    });
    return undefined;
  }
  if (cron.spec.concurrencyPolicy === 'Replace')
    for (const { metadata } of running)
      tools.api.delete(
        'batch/jobs',
        metadata.namespace,
        metadata.name,
        { propagation: 'Background' },
        controllerManager,
      );
  const name = `${cron.metadata.name}-${Math.floor(due.getTime() / 60_000)}`;
  if (tools.api.get('batch/jobs', cron.metadata.namespace, name) === undefined) {
    tools.api.create(
      'batch/jobs',
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: {
          ...cron.spec.jobTemplate.metadata,
          name,
          namespace: cron.metadata.namespace ?? '',
          annotations: {
            ...cron.spec.jobTemplate.metadata?.annotations,
            'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(due),
          },
          ownerReferences: [ownedBy(cron)],
        },
        spec: structuredClone(cron.spec.jobTemplate.spec),
      },
      controllerManager,
    );
    tools.record({ about: cron, reason: 'SuccessfulCreate', message: `Created job ${name}`, from });
  }
  return timestamp(due);
}

function tell(tools: Tools, cron: CronJob, started: string | undefined): void {
  const own = jobsOf(tools, cron);
  const completed = own.filter((job) => conditionOf(job.status?.conditions, 'Complete')?.status === 'True');
  const failed = own.filter((job) => conditionOf(job.status?.conditions, 'Failed')?.status === 'True');
  forget(tools, completed, cron.spec.successfulJobsHistoryLimit ?? 3);
  forget(tools, failed, cron.spec.failedJobsHistoryLimit ?? 1);
  const last = completed
    .flatMap(({ status }) => status?.completionTime ?? [])
    .toSorted()
    .at(-1);
  const active = own
    .filter((job) => !ended(job))
    .map(({ apiVersion, kind, metadata }) => ({
      kind,
      namespace: metadata.namespace,
      name: metadata.name,
      uid: metadata.uid,
      apiVersion,
    }));
  writeStatus(
    tools.api,
    resource,
    cron,
    {
      active: active.length === 0 ? undefined : active,
      lastScheduleTime: started ?? cron.status?.lastScheduleTime,
      lastSuccessfulTime: last ?? cron.status?.lastSuccessfulTime,
    },
    controllerManager,
  );
}

function forget({ api }: Tools, done: readonly Job[], keep: number): void {
  const old = done.toSorted((one, other) => (one.status?.startTime ?? '').localeCompare(other.status?.startTime ?? ''));
  for (const { metadata } of old.slice(0, Math.max(0, old.length - keep)))
    api.delete('batch/jobs', metadata.namespace, metadata.name, { propagation: 'Background' }, controllerManager);
}
