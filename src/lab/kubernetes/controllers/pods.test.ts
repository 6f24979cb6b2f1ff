import { expect, test } from 'vitest';
import { aCluster, aNamespace, machine, me, pod } from './fixture.ts';
import type { World } from './fixture.ts';
import type { Pod } from './shapes.ts';

const three = [machine('cp-1'), machine('worker-1'), machine('worker-2')];
const podOf = ({ get }: World, name: string): Pod => get('Pod', name) as unknown as Pod;
const scheduled = (world: World, name: string) =>
  podOf(world, name).status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;

test('a pod that needs no time to end goes at once, also where no kubelet is there to end it', async () => {
  const world = await aCluster();
  const nodeName = 'paper';
  world.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } });
  world.create(pod('quick', { nodeName, terminationGracePeriodSeconds: 0 }));
  world.create(pod('slow', { nodeName }));
  for (const name of ['quick', 'slow']) world.api.delete('/pods', world.namespace, name, {}, me);
  await world.pass(60);
  expect(world.pods()).toEqual(['slow Terminating paper']);
});

test('a pod is scheduled, starts after its time, and its events read as usual', async () => {
  const world = await aNamespace();
  world.create(pod('one'));
  await world.pass(1);
  expect(podOf(world, 'one').status).toMatchObject({
    phase: 'Pending',
    containerStatuses: [{ name: 'app', ready: false, state: { waiting: { reason: 'ContainerCreating' } } }],
  });
  await world.pass(2);
  expect(podOf(world, 'one').status).toMatchObject({
    phase: 'Running',
    podIP: expect.stringMatching(/^10\.244\.[12]\.\d+$/) as string,
    conditions: [
      { type: 'PodReadyToStartContainers', status: 'True' },
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'True' },
      { type: 'ContainersReady', status: 'True' },
      { type: 'PodScheduled', status: 'True' },
    ],
    containerStatuses: [{ name: 'app', ready: true, restartCount: 0 }],
  });
  expect(
    world
      .events('one')
      .map((line) => line.split(':')[0] ?? '')
      .toSorted(),
  ).toEqual(['Created', 'Pulled', 'Scheduled', 'Started']);
});

test('who fits nowhere is told why, in the scheduler’s words', async () => {
  const world = await aNamespace();
  world.create(pod('big', { containers: [{ name: 'app', image: 'x:1', resources: { requests: { cpu: '64' } } }] }));
  world.create(pod('picky', { nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] }));
  await world.pass(1);
  expect(scheduled(world, 'big')).toBe(
    '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
  );
  expect(world.events('picky')).toEqual([
    "FailedScheduling: 0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  ]);
  world.change('Node', 'worker-2', ({ metadata }) => Object.assign(metadata['labels'] as object, { disk: 'ssd' }));
  await world.pass(1);
  expect(podOf(world, 'picky').spec.nodeName).toBe('worker-2');
});

test('those that do not want to be together are not, and a cordoned node gets nobody', async () => {
  const world = await aCluster();
  const apart = {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app: 'x' } }, topologyKey: 'kubernetes.io/hostname' },
        ],
      },
    },
  };
  world.change('Node', 'worker-1', ({ spec }) => (spec['unschedulable'] = true));
  await world.pass(1);
  world.create(pod('one', apart, { labels: { app: 'x' } }));
  await world.pass(1);
  world.create(pod('two', apart, { labels: { app: 'x' } }));
  await world.pass(1);
  expect([podOf(world, 'one').spec.nodeName, scheduled(world, 'two')]).toEqual([
    'worker-2',
    "0/3 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
  ]);
});

test('on a node without a network only pods of its own network start', async () => {
  const world = await aCluster(three, { cni: 'none' });
  const anywhere = { tolerations: [{ operator: 'Exists' }], nodeSelector: { 'kubernetes.io/hostname': 'worker-1' } };
  world.create(pod('host', { ...anywhere, hostNetwork: true }));
  world.create(pod('plain', anywhere));
  await world.pass(10);
  expect(world.pods()).toEqual(['host Running worker-1', 'plain Pending worker-1']);
  expect(world.events('plain').filter((line) => line.startsWith('NetworkNotReady'))).toEqual([
    'NetworkNotReady: network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
  ]);
});

test('a pod waits for what it mounts', async () => {
  const world = await aNamespace();
  world.create(pod('one', { volumes: [{ name: 'keys', secret: { secretName: 'keys' } }] }));
  await world.pass(5);
  expect(world.events('one').filter((line) => line.startsWith('FailedMount'))).toEqual([
    'FailedMount: MountVolume.SetUp failed for volume "keys" : secret "keys" not found',
  ]);
  world.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' } });
  await world.pass(5);
  expect(podOf(world, 'one').status?.phase).toBe('Running');
});

test('a container whose command fails is started again, later and later', async () => {
  const world = await aNamespace();
  world.create(pod('one', { containers: [{ name: 'app', image: 'x:1', command: ['sh', '-c', 'exit 2'] }] }));
  await world.pass(6);
  const waiting = podOf(world, 'one').status?.containerStatuses?.[0];
  expect(waiting).toMatchObject({
    restartCount: 0,
    ready: false,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: { terminated: { exitCode: 2, reason: 'Error' } },
  });
  await world.pass(11);
  expect(podOf(world, 'one').status?.containerStatuses?.[0]).toMatchObject({ restartCount: 1, ready: true });
});

test('a pod ends after its containers have, and not later than its grace period', async () => {
  const world = await aCluster(three, { durations: { podStop: 5000 } });
  world.create(pod('slow', { terminationGracePeriodSeconds: 30 }));
  world.create(pod('hasty', { terminationGracePeriodSeconds: 2 }));
  await world.pass(5);
  for (const name of ['slow', 'hasty']) {
    const { terminationGracePeriodSeconds } = podOf(world, name).spec;
    world.api.delete('/pods', world.namespace, name, { gracePeriodSeconds: terminationGracePeriodSeconds ?? 30 }, me);
  }
  await world.pass(3);
  const left = world.pods().map((line) => line.split(' ')[0]);
  await world.pass(3);
  expect([left.includes('hasty'), world.pods()]).toEqual([false, []]);
});
