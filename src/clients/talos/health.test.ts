import { create, toBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { collect } from '../../../test/talos/told.ts';
import { Problem } from '../../model/problem.ts';
import { VolumeStatusSpecSchema } from '../../wire/gen/talos/resource/block_pb.ts';
import { BootstrapManifestsConfigSpecSchema } from '../../wire/gen/talos/resource/k8s_pb.ts';
import { DiagnosticSpecSchema } from '../../wire/gen/talos/resource/runtime_pb.ts';
import type { ClusterNode, HealthCheck, KubernetesHealth, ServiceState, TalosReader } from '../talos.ts';
import { checkHealth } from './health.ts';

const GiB = 1024n ** 3n;
const patient = AbortSignal.timeout(60_000);

const names = [
  'etcd to be healthy',
  'etcd members to be consistent across nodes',
  'etcd members to be control plane nodes',
  'apid to be ready',
  'all nodes memory sizes',
  'all nodes disk sizes',
  'no diagnostics',
  'kubelet to be healthy',
  'all nodes to finish boot sequence',
  'all k8s nodes to report',
  'all control plane static pods to be running',
  'all control plane components to be ready',
  'all k8s nodes to report ready',
  'kube-proxy to report ready',
  'coredns to report ready',
  'all k8s nodes to report schedulable',
];

const healthy = (id: string): ServiceState => ({
  id,
  state: 'Running',
  health: 'healthy',
  message: '',
  events: [{ state: 'Running', message: 'Health check successful', at: new Date(0) }],
});

const member = (hostname: string, address: string, id: string) => ({
  id,
  hostname,
  peerUrls: [`https://${address}:2380`],
  clientUrls: [],
  learner: false,
});

const both = [member('cp-1', '10.0.0.1', 'a'), member('cp-2', '[fd00::2]', 'b')];

const specs: Record<string, Uint8Array> = {
  EPHEMERAL: toBinary(VolumeStatusSpecSchema, create(VolumeStatusSpecSchema, { size: 10n * GiB })),
  manifests: toBinary(
    BootstrapManifestsConfigSpecSchema,
    create(BootstrapManifestsConfigSpecSchema, { cniName: 'flannel' }),
  ),
};
const staticPods = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map(
  (name) => `kube-system/${name}-x`,
);

/** What a control plane says, look by look; the last of them again and again. */
const saying = (...looks: readonly (readonly (readonly [string, string])[])[]): Partial<TalosReader> => {
  const left = [...looks];
  return {
    async *clusterHealth() {
      const said = (left.length > 1 ? left.shift() : left[0]) ?? [];
      for (const [condition, text] of said) yield await Promise.resolve({ condition, said: text });
    },
  };
};
const allOk = names.map((name) => [name, 'OK'] as const);

/** A node on which all is well, but for what is given. */
const aNode = (
  name: string,
  role: ClusterNode['role'],
  address: string,
  other: Partial<TalosReader> = {},
): ClusterNode => {
  const talos: Partial<TalosReader> = {
    services: () => Promise.resolve([healthy('etcd'), healthy('kubelet')]),
    etcdMembers: () => Promise.resolve(both),
    version: () => Promise.resolve({ tag: 'v1.13.9', sha: '', arch: 'amd64', platform: 'metal', mode: 'metal' }),
    memory: () => Promise.resolve({ totalBytes: 4n * GiB }),
    machineStatus: () => Promise.resolve({ stage: 'running', ready: true, unmet: [] }),
    get: ({ id }) => Promise.resolve({ proto: specs[id] ?? new Uint8Array() } as never),
    list: ({ type }) =>
      Promise.resolve((type.startsWith('StaticPod') ? staticPods.map((id) => ({ id })) : []) as never),
    ...saying(allOk),
    ...other,
  };
  return { name, role, addresses: [address], talos: talos as TalosReader };
};

const nodes = (other: Partial<TalosReader> = {}): readonly ClusterNode[] => [
  aNode('cp-1', 'control-plane', '10.0.0.1', other),
  aNode('cp-2', 'control-plane', 'fd00:0::2'),
  aNode('w-1', 'worker', '10.0.0.3'),
];

const kubeNode = (name: string, address: string, controlPlane: boolean) => ({
  name,
  addresses: [address],
  controlPlane,
  ready: true,
  schedulable: true,
});
const kubeNodes = [
  kubeNode('cp-1', '10.0.0.1', true),
  kubeNode('cp-2', 'fd00::2', true),
  kubeNode('w-1', '10.0.0.3', false),
];

const aKubernetes = (other: Partial<KubernetesHealth> = {}): KubernetesHealth => ({
  nodes: () => Promise.resolve(kubeNodes),
  pods: (app) => Promise.resolve([1, 2].map((n) => ({ name: `${app}-${n}`, ready: true }))),
  wanted: () => Promise.resolve(2),
  ...other,
});

const ended = (checks: readonly HealthCheck[]) => checks.filter(({ state }) => state !== 'waiting');

test('all checks, in Talos’ order and words', async () => {
  const told = await collect(checkHealth(nodes(), { kubernetes: aKubernetes() }, patient));
  expect(told).toEqual(
    names.flatMap((name) => [
      { name, state: 'waiting', detail: '' },
      { name, state: 'ok', detail: '' },
    ]),
  );
});

describe('without Kubernetes’ API a control plane is asked for what only it can tell', () => {
  test('once, when all holds; what Talos skips is skipped', async () => {
    const said = allOk.map(([name]) => [name, name.startsWith('coredns') ? 'SKIP' : 'OK'] as const);
    const told = ended(await collect(checkHealth(nodes(saying(said)), {}, patient)));
    expect(told).toEqual(
      names.map((name) =>
        name.startsWith('coredns')
          ? { name, state: 'skipped', detail: 'Talos itself skips it here' }
          : { name, state: 'ok', detail: '' },
      ),
    );
  });

  test('again, until it holds', async () => {
    const name = names[12] ?? '';
    const missing = 'some nodes are not ready: [w-1]';
    const first = [...allOk.slice(0, 12), [name, missing] as const];
    const told = await collect(checkHealth(nodes(saying(first, first, allOk)), {}, patient));
    expect(told.filter((check) => check.name === name)).toEqual([
      { name, state: 'waiting', detail: '' },
      { name, state: 'waiting', detail: missing },
      { name, state: 'ok', detail: '' },
    ]);
  });

  test('and what it waits for is told, also where that is another check', async () => {
    const never = saying([...allOk.slice(0, 9), ['etcd to be healthy', 'service is not healthy: etcd']]);
    const told = await collect(checkHealth(nodes(never), { deadlineMs: 60 }, patient));
    expect(told.at(-1)).toEqual({
      name: names[9],
      state: 'failed',
      detail: 'it waits for etcd to be healthy: service is not healthy: etcd',
    });
  });
});

const once =
  <T>(value: T) =>
  (): Promise<T> =>
    Promise.resolve(value);

describe('what is missing is said', () => {
  const service = {
    ...healthy('etcd'),
    events: [{ state: 'Preparing', message: 'Running pre state', at: new Date(0) }],
  };
  const small = toBinary(VolumeStatusSpecSchema, create(VolumeStatusSpecSchema, { size: GiB, location: '/dev/sda6' }));
  const warning = toBinary(DiagnosticSpecSchema, create(DiagnosticSpecSchema, { message: 'a warning' }));
  test.each<[string, Partial<TalosReader>, Partial<KubernetesHealth>, string]>([
    [
      names[0] ?? '',
      { services: once([service]) },
      {},
      'cp-1: service "etcd" not in expected state "Running": current state [Preparing] Running pre state',
    ],
    [names[0] ?? '', { services: once([]) }, {}, 'cp-1: no events recorded yet for service "etcd"'],
    [
      names[0] ?? '',
      { services: once([{ ...healthy('etcd'), health: 'unhealthy' }]) },
      {},
      'cp-1: service is not healthy: etcd',
    ],
    [
      names[1] ?? '',
      { etcdMembers: once(both.slice(1)) },
      {},
      'cp-2: expected to have [cp-2] members, got [cp-1 cp-2]',
    ],
    [
      names[1] ?? '',
      { etcdMembers: once([both[0], member('cp-9', '10.0.0.9', 'c')] as never) },
      {},
      'cp-2: found unexpected etcd member cp-2',
    ],
    [
      names[4] ?? '',
      { memory: once({ totalBytes: GiB }) },
      {},
      'node "cp-1" does not meet memory requirements: expected at least 1698 MiB, actual 1024 MiB',
    ],
    [
      names[5] ?? '',
      { get: once({ proto: small } as never) },
      {},
      'ephemeral partition "/dev/sda6" for node "cp-1" is too small, expected at least 3932 MiB, actual 1024 MiB',
    ],
    [names[5] ?? '', { get: once(undefined) }, {}, 'error getting volume status for node "cp-1"'],
    [names[6] ?? '', { list: once([{ proto: warning }] as never) }, {}, 'active diagnostics: cp-1: a warning'],
    [names[8] ?? '', { machineStatus: once({ stage: 'booting', ready: false, unmet: [] }) }, {}, 'cp-1: booting'],
    [names[9] ?? '', {}, { nodes: once(kubeNodes.slice(1)) }, "can't find expected node with IPs [10.0.0.1]"],
    [
      names[9] ?? '',
      {},
      { nodes: once([...kubeNodes, kubeNode('x', '10.0.0.9', false)]) },
      'unexpected nodes with IPs [10.0.0.9]',
    ],
    [
      names[10] ?? '',
      { list: once([]) },
      {},
      'missing static pods on node cp-1: [kube-system/kube-apiserver kube-system/kube-controller-manager kube-system/kube-scheduler]',
    ],
    [
      names[11] ?? '',
      {},
      { pods: once([{ name: 'a', ready: true }]) },
      'expected number of pods for kube-apiserver to be 2, got 1; expected number of pods for kube-controller-manager to be 2, got 1; expected number of pods for kube-scheduler to be 2, got 1',
    ],
    [
      names[12] ?? '',
      {},
      { nodes: once(kubeNodes.map((node) => ({ ...node, ready: false }))) },
      'some nodes are not ready: [cp-1 cp-2 w-1]',
    ],
    [names[13] ?? '', {}, { wanted: once(3) }, 'expected 3 ready pods, got 2'],
    [
      names[15] ?? '',
      {},
      { nodes: once(kubeNodes.map((node) => ({ ...node, schedulable: false }))) },
      'some nodes are not schedulable: [cp-1 cp-2 w-1]',
    ],
  ])('%s', async (name, talos, kubernetes, detail) => {
    const options = { kubernetes: aKubernetes(kubernetes), deadlineMs: 60 };
    const told = await collect(checkHealth(nodes(talos), options, patient));
    expect(told.slice(-3)).toEqual([
      { name, state: 'waiting', detail: '' },
      { name, state: 'waiting', detail },
      { name, state: 'failed', detail },
    ]);
    expect(ended(told).length).toBe(names.indexOf(name) + 1);
  });
});

describe('a check', () => {
  test('is repeated until nothing is missing, and says only what changed', async () => {
    const answers = [[], [], [healthy('etcd'), healthy('kubelet')]];
    const services = () => Promise.resolve(answers.shift() ?? [healthy('etcd'), healthy('kubelet')]);
    const told = await collect(checkHealth(nodes({ services }), { kubernetes: aKubernetes() }, patient));
    expect(told.slice(0, 3)).toEqual([
      { name: names[0], state: 'waiting', detail: '' },
      { name: names[0], state: 'waiting', detail: 'cp-1: no events recorded yet for service "etcd"' },
      { name: names[0], state: 'ok', detail: '' },
    ]);
    expect(told.at(-1)).toEqual({ name: names[15], state: 'ok', detail: '' });
  });

  test('waits for a node that cannot be reached, and not for one that will never let us in', async () => {
    const failing = (code: string) => () => Promise.reject(new Problem(code, `said ${code}`, { recovery: 'ask' }));
    const away = { version: failing('talos-unreachable') };
    const closed = { version: failing('talos-certificate-expired') };
    const late = await collect(checkHealth(nodes(away), { deadlineMs: 60 }, patient));
    const never = await collect(checkHealth(nodes(closed), {}, patient));
    expect(late.slice(-2)).toEqual([
      { name: names[3], state: 'waiting', detail: 'said talos-unreachable' },
      { name: names[3], state: 'failed', detail: 'said talos-unreachable' },
    ]);
    expect(never.slice(-2)).toEqual([
      { name: names[3], state: 'waiting', detail: '' },
      { name: names[3], state: 'failed', detail: 'said talos-certificate-expired' },
    ]);
  });

  test('ends with the caller’s reason, and is not made where it has no meaning', async () => {
    const stop = AbortSignal.abort(new Error('enough'));
    await expect(collect(checkHealth(nodes(), {}, stop))).rejects.toThrow('enough');

    const none = create(BootstrapManifestsConfigSpecSchema, { cniName: 'none' });
    const get: TalosReader['get'] = ({ id }) =>
      Promise.resolve({
        proto: id === 'manifests' ? toBinary(BootstrapManifestsConfigSpecSchema, none) : specs[id],
      } as never);
    const list: TalosReader['list'] = ({ type }) =>
      type.startsWith('Diagnostics')
        ? Promise.reject(new Problem('talos-no-such-resource', 'not known'))
        : Promise.resolve(staticPods.map((id) => ({ id })) as never);
    const kubernetes = aKubernetes({ wanted: once(undefined) });
    const told = await collect(checkHealth(nodes({ get, list }), { kubernetes }, patient));
    expect(told.filter(({ state }) => state === 'skipped')).toEqual([
      { name: names[6], state: 'skipped', detail: 'not known' },
      { name: names[12], state: 'skipped', detail: 'the cluster has no CNI of Talos’ own (cni: none)' },
      { name: names[13], state: 'skipped', detail: 'there is no kube-proxy' },
      { name: names[14], state: 'skipped', detail: 'the cluster has no CNI of Talos’ own (cni: none)' },
    ]);
  });

  test('of sizes leaves containers alone', async () => {
    const container = { tag: 'v1.13.9', sha: '', arch: '', platform: 'container', mode: 'container' };
    const other = { version: once(container), memory: once({ totalBytes: 1n }), get: once(undefined) };
    const told = ended(await collect(checkHealth(nodes(other), {}, patient)));
    expect(told.find(({ state }) => state === 'failed')).toBeUndefined();
  });
});
