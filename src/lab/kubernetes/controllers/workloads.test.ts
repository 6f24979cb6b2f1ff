import { expect, test } from 'vitest';
import { aCluster, aNamespace, deployment, me, must, template } from './fixture.ts';
import type { World } from './fixture.ts';
import type { Deployment, ReplicaSet } from './shapes.ts';

const phases = ({ pods }: World): readonly string[] => pods().map((line) => line.split(' ')[1] ?? '');
const setsOf = ({ api, namespace }: World): readonly ReplicaSet[] =>
  api.list('apps/replicasets', namespace) as unknown as readonly ReplicaSet[];
const statusOf = (world: World): Deployment['status'] =>
  (world.get('Deployment', 'web') as unknown as Deployment).status;
const image = (world: World, to: string): void =>
  world.change('Deployment', 'web', ({ spec }) => {
    (spec['template'] as { spec: { containers: { image: string }[] } }).spec.containers[0]!.image = to;
  });

test('a deployment comes up and says so', async () => {
  const world = await aNamespace();
  world.create(deployment('web'));
  await world.pass(1);
  expect(statusOf(world)?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
    'Available False MinimumReplicasUnavailable',
    'Progressing True ReplicaSetUpdated',
  ]);
  await world.pass(5);
  expect(statusOf(world)).toMatchObject({
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
  });
  expect(statusOf(world)?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
    'Available True MinimumReplicasAvailable',
    'Progressing True NewReplicaSetAvailable',
  ]);
  expect(world.events('web')).toEqual([
    `ScalingReplicaSet: Scaled up replica set ${setsOf(world)[0]?.metadata.name} from 0 to 3`,
  ]);
});

test('a new image is rolled out step by step, and never are there too few or too many', async () => {
  const world = await aNamespace();
  world.create(
    deployment('web', { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
  );
  await world.pass(5);
  image(world, 'nginx:2');
  const seen = new Set<string>();
  for (let step = 0; step < 40; step++) {
    await world.pass(0.5);
    const active = world.pods().filter((line) => !line.includes('Terminating'));
    seen.add(
      `${active.length} there, ${active.filter((line) => line.includes('Running')).length >= 3 ? 'enough' : 'too few'} running`,
    );
  }
  expect([...seen].toSorted()).toEqual(['3 there, enough running', '4 there, enough running']);
  expect(
    setsOf(world)
      .map(({ spec, metadata }) => `${spec.replicas} ${metadata.annotations?.['deployment.kubernetes.io/revision']}`)
      .toSorted(),
  ).toEqual(['0 1', '3 2']);
});

test('going back takes the old replica set again, with the next revision', async () => {
  const world = await aNamespace();
  world.create(deployment('web'));
  await world.pass(5);
  image(world, 'nginx:2');
  await world.pass(30);
  image(world, 'nginx:1');
  await world.pass(30);
  const revisions = setsOf(world).map(({ spec, metadata }) => ({
    replicas: spec.replicas,
    revision: metadata.annotations?.['deployment.kubernetes.io/revision'],
    history: metadata.annotations?.['deployment.kubernetes.io/revision-history'],
  }));
  expect(revisions.toSorted((one, other) => Number(one.revision) - Number(other.revision))).toEqual([
    { replicas: 0, revision: '2', history: undefined },
    { replicas: 3, revision: '3', history: '1' },
  ]);
});

test('whoever recreates has all of the old ones gone before a new one comes', async () => {
  const world = await aNamespace();
  world.create(deployment('web', { strategy: { type: 'Recreate' } }));
  await world.pass(5);
  const [before] = setsOf(world);
  image(world, 'nginx:2');
  await world.pass(0.1);
  expect(world.pods().every((line) => line.startsWith(before?.metadata.name ?? ''))).toBe(true);
  await world.pass(10);
  expect(phases(world)).toEqual(['Running', 'Running', 'Running']);
});

test('a deployment that gets nowhere says when its time is over', async () => {
  const world = await aNamespace();
  world.create(
    deployment('web', {
      progressDeadlineSeconds: 60,
      template: template({ app: 'web' }, {}, 'registry.invalid/app:1'),
    }),
  );
  await world.pass(70);
  expect(statusOf(world)?.conditions?.find(({ type }) => type === 'Progressing')).toMatchObject({
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
  });
});

test('a pod without an owner that matches is adopted, and a surplus one goes', async () => {
  const world = await aNamespace();
  world.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'stray', labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image: 'nginx:1' }] },
  });
  await world.pass(5);
  world.create({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web' },
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: template({ app: 'web' }) },
  });
  await world.pass(5);
  expect(world.pods()).toEqual([expect.stringMatching(/^stray Running /)]);
  world.change('ReplicaSet', 'web', ({ spec }) => (spec['replicas'] = 0));
  await world.pass(5);
  expect(world.pods()).toEqual([]);
});

test('pods of a stateful set come one after the other, each with a claim of its own', async () => {
  const world = await aNamespace();
  world.create({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: template({ app: 'db' }),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  });
  await world.pass(1);
  expect(world.pods().map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['db-0 Pending']);
  await world.pass(10);
  expect(world.pods().map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'db-0 Running',
    'db-1 Running',
    'db-2 Running',
  ]);
  expect(
    world.api
      .list('/persistentvolumeclaims', world.namespace)
      .map(({ metadata, status }) => `${metadata.name} ${(status as { phase: string }).phase}`),
  ).toEqual(['data-db-0 Bound', 'data-db-1 Bound', 'data-db-2 Bound']);
  world.change('StatefulSet', 'db', ({ spec }) => (spec['replicas'] = 1));
  await world.pass(10);
  expect(world.pods().map((line) => line.split(' ')[0])).toEqual(['db-0']);
});

test('a daemon runs on every node that it bears, and follows those that come', async () => {
  const world = await aNamespace();
  world.create({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: { selector: { matchLabels: { app: 'agent' } }, template: template({ app: 'agent' }) },
  });
  await world.pass(5);
  expect(
    world
      .pods()
      .map((line) => line.split(' ')[2] ?? '')
      .toSorted(),
  ).toEqual(['worker-1', 'worker-2']);
  expect(world.get('DaemonSet', 'agent')?.['status']).toMatchObject({
    desiredNumberScheduled: 2,
    numberReady: 2,
    numberAvailable: 2,
  });
  world.change('DaemonSet', 'agent', ({ spec }) => {
    Object.assign((spec['template'] as { spec: object }).spec, { tolerations: [{ operator: 'Exists' }] });
  });
  await world.pass(20);
  expect(
    world
      .pods()
      .map((line) => line.split(' ')[2] ?? '')
      .toSorted(),
  ).toEqual(['cp-1', 'worker-1', 'worker-2']);
  expect(world.get('DaemonSet', 'agent')?.['status']).toMatchObject({ updatedNumberScheduled: 3, numberReady: 3 });
});

const job = (name: string, spec: object = {}, command: readonly string[] = ['work']): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: {
    completions: 1,
    parallelism: 1,
    ...spec,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox:1', command }] } },
  },
});

test('a job is complete when enough of its pods have succeeded', async () => {
  const world = await aNamespace();
  world.create(job('work', { completions: 3, parallelism: 2 }));
  await world.pass(4);
  expect(world.get('Job', 'work')?.['status']).toMatchObject({ active: 2 });
  await world.pass(20);
  const { conditions, ...status } = must(world.get('Job', 'work'))['status'] as {
    conditions: { type: string; status: string; reason: string }[];
  };
  expect(status).toMatchObject({ succeeded: 3, ready: 0, terminating: 0 });
  expect(conditions.map(({ type, status: is, reason }) => `${type} ${is} ${reason}`)).toEqual([
    'SuccessCriteriaMet True CompletionsReached',
    'Complete True CompletionsReached',
  ]);
  expect(world.events('work')).toContain('Completed: Job completed');
});

test('a job whose pods fail gives up after its limit, with longer and longer pauses', async () => {
  const world = await aNamespace();
  world.create(job('work', { backoffLimit: 1 }, ['sh', '-c', 'exit 3']));
  await world.pass(8);
  expect(world.get('Job', 'work')?.['status']).toMatchObject({ failed: 1 });
  await world.pass(30);
  const { conditions, failed } = must(world.get('Job', 'work'))['status'] as {
    failed: number;
    conditions: { type: string; reason: string }[];
  };
  expect([failed, conditions.map(({ type, reason }) => `${type} ${reason}`)]).toEqual([
    2,
    ['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded'],
  ]);
});

test('a finished job goes after its time, and takes its pods along', async () => {
  const world = await aNamespace();
  world.create(job('work', { ttlSecondsAfterFinished: 30 }));
  await world.pass(15);
  expect(world.pods()).toHaveLength(1);
  await world.pass(40);
  expect([world.get('Job', 'work'), world.pods()]).toEqual([undefined, []]);
});

test('a cron job starts a job whenever its time has come, and keeps the last three', async () => {
  const world = await aCluster();
  world.create({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: { schedule: '*/5 * * * *', jobTemplate: { spec: (job('x') as { spec: object }).spec } },
  });
  await world.pass(1500);
  expect(world.api.list('batch/jobs', world.namespace)).toHaveLength(3);
  expect(world.get('CronJob', 'tick')?.['status']).toMatchObject({ lastScheduleTime: '2026-05-01T10:25:00Z' });
  world.api.delete('batch/cronjobs', world.namespace, 'tick', {}, me);
  await world.pass(1);
  expect(world.api.list('batch/jobs', world.namespace)).toEqual([]);
});
