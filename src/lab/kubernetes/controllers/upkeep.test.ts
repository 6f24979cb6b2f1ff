import { expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import type { SubresourceCall } from '../verbs/subresource.ts';
import { aCluster, aNamespace, deployment, me, must, pod, template } from './fixture.ts';
import type { World } from './fixture.ts';
import { podSubresources } from './pod-subresources.ts';

const owned = (name: string, owner: { name: string; uid: string }, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', ...owner, ...more }] },
});
const maps = ({ api, namespace }: World): readonly (string | undefined)[] =>
  api
    .list('/configmaps', namespace)
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== 'kube-root-ca.crt');
const asked = (world: World, subresource: string, name: string, query = ''): SubresourceCall =>
  ({
    parent: world.api.get('/pods', world.namespace, name),
    namespace: world.namespace,
    name,
    query: new URLSearchParams(query),
    body: {},
    manager: 'test',
    dryRun: false,
    api: world.api,
    clock: world.clock,
    subresource,
    signal: new AbortController().signal,
  }) as unknown as SubresourceCall;

test('what belongs to somebody goes with him, in the background', async () => {
  const world = await aNamespace();
  const { metadata } = world.create(deployment('web'));
  world.create(owned('child', { name: 'web', uid: metadata.uid ?? '' }));
  await world.pass(5);
  world.api.delete('apps/deployments', world.namespace, 'web', { propagation: 'Background' }, me);
  await world.pass(5);
  expect([world.api.list('apps/replicasets', world.namespace), world.pods(), maps(world)]).toEqual([[], [], []]);
});

test('who is deleted in the foreground waits for those that block him', async () => {
  const world = await aNamespace();
  const { metadata } = world.create(deployment('web'));
  world.create({ ...owned('child', { name: 'web', uid: metadata.uid ?? '' }, { blockOwnerDeletion: true }) });
  world.api.update(
    '/configmaps',
    world.namespace,
    'child',
    ({ metadata: meta }) => void Object.assign(meta as object, { finalizers: ['example.org/wait'] }),
    me,
  );
  await world.pass(5);
  world.api.delete('apps/deployments', world.namespace, 'web', { propagation: 'Foreground' }, me);
  await world.pass(5);
  expect([world.get('Deployment', 'web')?.metadata.finalizers, world.pods()]).toEqual([['foregroundDeletion'], []]);
  world.api.update(
    '/configmaps',
    world.namespace,
    'child',
    ({ metadata: meta }) => void Object.assign(meta as object, { finalizers: [] }),
    me,
  );
  await world.pass(1);
  expect([world.get('Deployment', 'web'), maps(world)]).toEqual([undefined, []]);
});

test('orphans stay, and belong to nobody', async () => {
  const world = await aNamespace();
  world.create(deployment('web'));
  await world.pass(5);
  world.api.delete('apps/deployments', world.namespace, 'web', { propagation: 'Orphan' }, me);
  await world.pass(5);
  expect([
    world.get('Deployment', 'web'),
    world.api.list('apps/replicasets', world.namespace).map(({ metadata }) => metadata.ownerReferences),
    world.pods().length,
  ]).toEqual([undefined, [undefined], 3]);
});

test('who names an owner that is not there goes; one of several that is not there is struck off', async () => {
  const world = await aNamespace();
  const { metadata } = world.create(deployment('web'));
  world.create(owned('lost', { name: 'nobody', uid: 'nowhere' }));
  world.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'shared',
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: metadata.uid },
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nobody', uid: 'nowhere' },
      ],
    },
  });
  await world.pass(1);
  expect([
    maps(world),
    world.api.get('/configmaps', world.namespace, 'shared')?.metadata.ownerReferences?.map(({ name }) => name),
  ]).toEqual([['shared'], ['web']]);
});

test('a namespace has an account and the authority of the API, and takes everything with it', async () => {
  const world = await aNamespace();
  world.create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team' },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
  await world.pass(1);
  expect([
    world.api.list('/serviceaccounts', 'team').map(({ metadata }) => metadata.name),
    world.api.list('/configmaps', 'team').map(({ metadata }) => metadata.name),
  ]).toEqual([['default'], ['kube-root-ca.crt']]);
  world.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'held', namespace: 'team', finalizers: ['example.org/wait'] },
  });
  world.api.delete('/namespaces', undefined, 'team', {}, me);
  await world.pass(1);
  const { conditions } = must(world.get('Namespace', 'team'))['status'] as {
    conditions: { type: string; status: string; message: string }[];
  };
  expect(
    conditions.filter(({ status }) => status === 'True').map(({ type, message }) => `${type}: ${message}`),
  ).toEqual([
    'NamespaceContentRemaining: Some resources are remaining: configmaps. has 1 resource instances',
    'NamespaceFinalizersRemaining: Some content in the namespace has finalizers remaining: example.org/wait in 1 resource instances',
  ]);
  world.api.update(
    '/configmaps',
    'team',
    'held',
    ({ metadata }) => void Object.assign(metadata as object, { finalizers: [] }),
    me,
  );
  await world.pass(1);
  expect(world.get('Namespace', 'team')).toBeUndefined();
});

test('a service knows where its ready pods are', async () => {
  const world = await aNamespace();
  world.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] },
  });
  world.create(deployment('web', { replicas: 1 }));
  await world.pass(5);
  const address = (must(world.api.list('/pods', world.namespace)[0])['status'] as { podIP: string }).podIP;
  const [slice] = world.api
    .list('discovery.k8s.io/endpointslices', world.namespace)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'web');
  expect(slice).toMatchObject({
    endpoints: [{ addresses: [address], conditions: { ready: true, serving: true, terminating: false } }],
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
  });
  expect(world.api.get('/endpoints', world.namespace, 'web')).toMatchObject({
    subsets: [{ addresses: [{ ip: address }], ports: [{ port: 8080 }] }],
  });
});

test('a budget lets as many go as it can do without, and says no in the API’s words', async () => {
  const world = await aNamespace();
  world.create(deployment('web', { replicas: 2 }));
  world.create({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  });
  await world.pass(5);
  expect(world.get('PodDisruptionBudget', 'web')?.['status']).toMatchObject({
    disruptionsAllowed: 1,
    currentHealthy: 2,
    desiredHealthy: 1,
    expectedPods: 2,
  });
  const evict = podSubresources['/pods/eviction'];
  const [one = '', two = ''] = world.pods().map((line) => line.split(' ')[0]);
  expect(await evict?.(asked(world, 'eviction', one))).toMatchObject({ code: 201, object: { status: 'Success' } });
  let refused: unknown;
  try {
    await evict?.(asked(world, 'eviction', two));
  } catch (error) {
    refused = error instanceof Refusal ? error.status : error;
  }
  expect(refused).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    reason: 'TooManyRequests',
    details: {
      causes: [
        { reason: 'DisruptionBudget', message: 'The disruption budget web needs 1 healthy pods and has 1 currently' },
      ],
    },
    code: 429,
  });
});

test('a quota says what is used of it', async () => {
  const world = await aNamespace();
  const hard = {
    pods: '9',
    'count/deployments.apps': '3',
    secrets: '5',
    'requests.cpu': '4',
    memory: '1Gi',
    'limits.cpu': '8',
    'services.nodeports': '2',
  };
  world.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: { hard } });
  const resources = { requests: { cpu: '250m', memory: '64Mi' } };
  world.create(
    deployment('web', {
      template: template({ app: 'web' }, { containers: [{ name: 'app', image: 'x:1', resources }] }),
    }),
  );
  await world.pass(5);
  expect(world.api.get('/resourcequotas', world.namespace, 'few')?.['status']).toEqual({
    hard,
    used: {
      pods: '3',
      'count/deployments.apps': '1',
      secrets: '0',
      'requests.cpu': '750m',
      memory: '192Mi',
      'limits.cpu': '0',
      'services.nodeports': '0',
    },
  });
});

test('logs say what a twin is', async () => {
  const world = await aNamespace();
  world.create(
    pod('one', {
      containers: [
        { name: 'a', image: 'x:1' },
        { name: 'b', image: 'x:1' },
      ],
    }),
  );
  const logs = podSubresources['/pods/log'];
  await world.pass(5);
  expect(await logs?.(asked(world, 'log', 'one', 'container=a&tailLines=3'))).toMatchObject({
    kind: 'text',
    text: expect.stringMatching(/^This pod is a twin's: no process runs in it/) as string,
  });
  expect(() => logs?.(asked(world, 'log', 'one'))).toThrow(
    'a container name must be specified for pod one, choose one of: [a b]',
  );
  expect(() => podSubresources['/pods/exec']?.(asked(world, 'exec', 'one'))).toThrow('nothing can be executed in it');
});

test('an idle cluster sleeps: between two renewals of its leases nothing is written', async () => {
  const world = await aCluster();
  await world.pass(60);
  let writes = 0;
  world.api.onChange(undefined, ({ resource }) => {
    if (resource !== 'coordination.k8s.io/leases') writes++;
  });
  await world.pass(200);
  expect(writes).toBe(0);
  world.create({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'x' },
    spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template: template({ a: 'b' }) },
  });
  await world.pass(1);
  expect(writes).toBeGreaterThan(0);
});
