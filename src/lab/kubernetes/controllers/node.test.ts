import { expect, test } from 'vitest';
import { aCluster, deployment, machine, must } from './fixture.ts';
import type { World } from './fixture.ts';
import type { Node } from './shapes.ts';

const three = [machine('cp-1'), machine('worker-1'), machine('worker-2')];
const nodeOf = ({ get }: World, name: string): Node => get('Node', name) as unknown as Node;
const ready = (world: World, name: string) => {
  const { status, reason, message } =
    nodeOf(world, name).status?.conditions?.find(({ type }) => type === 'Ready') ?? {};
  return [status, reason, message];
};
const taints = (world: World, name: string): readonly string[] =>
  (nodeOf(world, name).spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);

test('a machine that joins is a node as Talos makes it', async () => {
  const world = await aCluster([
    machine('cp-1', { labels: { rack: 'a' }, annotations: { owner: 'me' }, cpus: 2, memoryMiB: 4096 }),
  ]);
  const { metadata, spec, status } = nodeOf(world, 'cp-1');
  expect({ labels: metadata.labels, annotations: metadata.annotations, spec, info: status }).toMatchObject({
    labels: {
      'kubernetes.io/hostname': 'cp-1',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
      'node-role.kubernetes.io/control-plane': '',
      rack: 'a',
    },
    annotations: {
      owner: 'me',
      'talos.dev/owned-labels': '["node-role.kubernetes.io/control-plane","rack"]',
      'talos.dev/owned-annotations': '["owner"]',
      'talos.dev/owned-taints': '["node-role.kubernetes.io/control-plane"]',
    },
    spec: {
      podCIDR: '10.244.0.0/24',
      taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
    },
    info: {
      capacity: { cpu: '2', memory: '4194304Ki', pods: '110' },
      nodeInfo: {
        osImage: 'Talos (v1.13.9)',
        kubeletVersion: 'v1.36.3',
        containerRuntimeVersion: 'containerd://2.2.5',
      },
    },
  });
});

test('a label that the configuration no longer has goes, one of somebody else stays', async () => {
  const world = await aCluster([machine('cp-1', { labels: { rack: 'a' } })]);
  world.change('Node', 'cp-1', ({ metadata }) => Object.assign(metadata['labels'] as object, { mine: 'yes' }));
  world.twin.setNodes([machine('cp-1')]);
  await world.pass(1);
  const labels = nodeOf(world, 'cp-1').metadata.labels ?? {};
  expect([labels['rack'], labels['mine']]).toEqual([undefined, 'yes']);
});

test('a kubelet of another version tells it', async () => {
  const world = await aCluster([machine('cp-1', { kubeletVersion: 'v1.35.2' })]);
  world.twin.setNodes([machine('cp-1', { kubeletVersion: 'v1.36.3' })]);
  await world.pass(1);
  expect(nodeOf(world, 'cp-1').status).toMatchObject({ nodeInfo: { kubeletVersion: 'v1.36.3' } });
});

test('without a network a node is not ready, says why, and keeps pods away', async () => {
  const world = await aCluster(three, { cni: 'none' });
  expect(ready(world, 'worker-1')).toEqual([
    'False',
    'KubeletNotReady',
    'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
  ]);
  expect(taints(world, 'worker-1')).toEqual([
    'node.kubernetes.io/not-ready:NoSchedule',
    'node.kubernetes.io/not-ready:NoExecute',
  ]);
  expect(world.twin.isReady('worker-1')).toBe(false);
});

test('whatever mounts /etc/cni/net.d and is ready brings a network to its node, and only there', async () => {
  const world = await aCluster(three, { cni: 'none' });
  const labels = { app: 'net' };
  world.create({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'net' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          nodeSelector: { 'kubernetes.io/hostname': 'worker-1' },
          tolerations: [{ operator: 'Exists' }],
          containers: [{ name: 'agent', image: 'net:1' }],
          volumes: [{ name: 'cni', hostPath: { path: '/etc/cni/net.d' } }],
        },
      },
    },
  });
  await world.pass(10);
  expect(['cp-1', 'worker-1', 'worker-2'].map((name) => world.twin.isReady(name))).toEqual([false, true, false]);
  expect(taints(world, 'worker-1')).toEqual([]);
});

test('a node whose power is cut is unknown after a while, and its pods are given up later', async () => {
  const world = await aCluster();
  world.create(deployment('web', { replicas: 2 }));
  await world.pass(10);
  world.twin.setNodes(three.filter(({ name }) => name !== 'worker-1'));
  await world.pass(40);
  expect(ready(world, 'worker-1')[0]).toBe('True');
  await world.pass(20);
  expect(ready(world, 'worker-1')).toEqual(['Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.']);
  expect(taints(world, 'worker-1')).toEqual([
    'node.kubernetes.io/unreachable:NoSchedule',
    'node.kubernetes.io/unreachable:NoExecute',
  ]);
  await world.pass(310);
  expect(
    world
      .pods()
      .filter((line) => !line.includes('Terminating'))
      .map((line) => line.split(' ').slice(1).join(' ')),
  ).toEqual(['Running worker-2', 'Running worker-2']);
});

test('a machine that comes back is ready again, and its containers have been restarted', async () => {
  const world = await aCluster();
  world.create(deployment('web', { replicas: 2 }));
  await world.pass(10);
  world.twin.setNodes(three.filter(({ name }) => name !== 'worker-1'));
  await world.pass(5);
  world.twin.setNodes(three);
  await world.pass(1);
  expect(world.twin.isReady('worker-1')).toBe(false);
  await world.pass(15);
  expect(world.twin.isReady('worker-1')).toBe(true);
  const restarts = world.api
    .list('/pods', 'default')
    .map(({ spec, status }) => [
      (spec as { nodeName: string }).nodeName,
      (status as { containerStatuses: { restartCount: number }[] }).containerStatuses[0]?.restartCount,
    ]);
  expect(restarts.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
    ['worker-1', 1],
    ['worker-2', 0],
  ]);
});

test('taints of a node that is no machine follow what it says of itself', async () => {
  const world = await aCluster();
  world.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'paper' } });
  const before = taints(world, 'paper');
  await world.pass(1);
  const after = taints(world, 'paper');
  world.change('Node', 'paper', ({ spec }) => Object.assign(spec, { unschedulable: true }));
  await world.pass(1);
  expect([before, after, taints(world, 'paper')]).toEqual([
    ['node.kubernetes.io/not-ready:NoSchedule'],
    [],
    ['node.kubernetes.io/unschedulable:NoSchedule'],
  ]);
});

test('a lease is renewed as long as the machine is there', async () => {
  const world = await aCluster();
  const renewed = (name: string): string =>
    (must(world.api.get('coordination.k8s.io/leases', 'kube-node-lease', name))['spec'] as { renewTime: string })
      .renewTime;
  world.twin.setNodes(three.filter(({ name }) => name !== 'worker-1'));
  await world.pass(60);
  expect([renewed('cp-1'), renewed('worker-1')]).toEqual([
    '2026-05-01T10:01:10.000000Z',
    '2026-05-01T10:00:10.000000Z',
  ]);
});

test('without a control plane nothing happens until one is back', async () => {
  const world = await aCluster();
  world.twin.setNodes(three.filter(({ controlPlane }) => !controlPlane));
  world.create(deployment('web'));
  await world.pass(600);
  expect([world.pods(), ready(world, 'worker-1')[0]]).toEqual([[], 'True']);
  world.twin.setNodes(three);
  await world.pass(20);
  expect(world.pods()).toHaveLength(3);
});

test('pods of a node that somebody deleted are gone, and so is the node', async () => {
  const world = await aCluster();
  world.create(deployment('web', { replicas: 2 }));
  await world.pass(10);
  world.twin.setNodes(three.filter(({ name }) => name !== 'worker-1'));
  await world.pass(1);
  world.api.delete('/nodes', undefined, 'worker-1', {}, { manager: 'test' });
  await world.pass(10);
  expect([world.get('Node', 'worker-1'), world.pods().map((line) => line.split(' ')[2])]).toEqual([
    undefined,
    ['worker-2', 'worker-2'],
  ]);
});
