import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { importPlatform } from './import.ts';

type Spec = { machines: Record<string, unknown>; cluster: Record<string, unknown> };

function imported(content: string, name?: string) {
  const { file, notes, problems } = importPlatform([{ name: 'viti.yaml', content }], { name, target: 'platform.yaml' });
  const platform = parse(file ?? 'null') as { metadata: { name: string }; spec: Spec } | null;
  return {
    name: platform?.metadata.name,
    spec: platform?.spec,
    notes: notes.map(({ at, path, message }) => `${at ? `${at.line}:${at.column} ` : ''}${path}: ${message}`),
    problems: problems.map(({ at, code, message }) => `${at?.line}:${at?.column} ${code}: ${message}`),
  };
}

const general = [
  '1:1 : ichor makes no machines with the provider kubevirt: machines.proxmox is an example to be filled in, or to be replaced by another provider.',
  '1:1 : The pod network is not part of a KubernetesCluster: ichor installs Cilium unless cluster.cni says otherwise.',
];

const cluster = (topology: string, data = '{ clusterId: t-1, provider: talos }') => `apiVersion: vitistack.io/v1alpha1
kind: KubernetesCluster
metadata: { name: orders, namespace: team }
spec:
  data: ${data}
  topology: ${topology}
`;

test('one pool: machines are called as Viti calls them', () => {
  expect(
    imported(
      cluster(
        '{ version: "1.35", controlplane: { replicas: 1, provider: kubevirt, machineClass: small }, workers: { nodePools: [{ name: wp, replicas: 2, provider: kubevirt, machineClass: medium }] } }',
      ),
    ),
  ).toEqual({
    name: 't-1',
    spec: {
      machines: {
        proxmox: {
          endpoint: 'https://pve1.example.org:8006',
          token: { env: 'PROXMOX_TOKEN' },
          hosts: ['pve1'],
          datastore: 'local-lvm',
          bridge: 'vmbr0',
        },
      },
      cluster: {
        talos: { version: 'v1.13.9' },
        kubernetes: { version: 'v1.35.0' },
        controlPlane: { replicas: 1, cpu: 2, memory: '8GiB', disk: '20GiB' },
        workers: { wp: { replicas: 2, cpu: 4, memory: '16GiB', disk: '20GiB' } },
        names: { controlPlane: '{platform}-ctp{index}', worker: '{platform}-wrk{index}' },
      },
    },
    notes: general,
    problems: [],
  });
});

test('the short form of the pools, and another name for the platform', () => {
  const { name, spec, problems } = imported(
    cluster('{ controlplane: { replicas: 1, provider: kubevirt }, workers: [{ name: wp, provider: kubevirt }] }'),
    'shop',
  );
  expect([name, spec?.cluster['name'], spec?.cluster['names'], problems]).toEqual([
    'shop',
    't-1',
    { controlPlane: 't-1-ctp{index}', worker: 't-1-wrk{index}' },
    [],
  ]);
});

test('several pools: the VMs and nodes of today keep their names', () => {
  const { spec, notes, problems } = imported(
    cluster(
      '{ controlplane: { replicas: 3, provider: kubevirt }, workers: [{ name: b, replicas: 2, provider: kubevirt }, { name: a, replicas: 1, provider: kubevirt }] }',
    ),
  );
  expect([spec?.cluster['names'], spec?.cluster['nodes'], notes, problems]).toEqual([
    { controlPlane: '{platform}-ctp{index}' },
    { 'b-0': { hostname: 't-1-wrk0' }, 'b-1': { hostname: 't-1-wrk1' }, 'a-0': { hostname: 't-1-wrk2' } },
    [
      ...general,
      '6:66 spec.topology.workers: There are several pools, and Viti counts workers over all of them: the names of today stand under cluster.nodes, and workers that are added later are called by their pool.',
    ],
    [],
  ]);
});

test.each<[string, unknown]>([
  ['libvirt', { libvirt: { hosts: { kvm1: 'qemu+ssh://root@kvm1.example.org/system' } } }],
  ['openstack', { openstack: { cloud: 'example' } }],
])('machines of %s get a skeleton of their own', (provider, machines) => {
  const { spec, notes, problems } = imported(
    cluster(`{ controlplane: { provider: ${provider} }, workers: [{ name: wp, provider: ${provider} }] }`),
  );
  expect([spec?.machines, notes[0], problems]).toEqual([
    machines,
    `1:1 : A KubernetesCluster does not say where its machines are made: fill in machines.${provider}.`,
    [],
  ]);
});

test('classes and networks beside the cluster are read, other resources are named', () => {
  const { spec, notes, problems } = imported(`${cluster(
    '{ controlplane: { provider: proxmox, machineClass: own, architecture: arm64 }, workers: [{ name: wp, provider: proxmox, machineClass: own, architecture: arm64, version: "1.34" }] }',
    '{ clusterId: t-1, provider: talos, networkNamespaceName: net, zone: az1 }',
  )}---
apiVersion: vitistack.io/v1alpha1
kind: MachineClass
metadata: { name: own }
spec: { cpu: { cores: 2, sockets: 2 }, memory: { quantity: 6Gi }, machineProviders: [] }
---
apiVersion: vitistack.io/v1alpha1
kind: NetworkNamespace
metadata: { name: net, uid: 1-2-3 }
spec:
  datacenterIdentifier: dc-1
  supervisorIdentifier: su-1
  ipAllocation: { type: static, static: { ipv4CIDR: 10.6.0.0/24, ipv4Gateway: 10.6.0.1, vlanId: 60, dns: [10.6.0.2] } }
---
apiVersion: v1
kind: Namespace
metadata: { name: team }
`);
  const { controlPlane, network, talos } = spec?.cluster ?? {};
  expect({
    controlPlane,
    network,
    talos,
    vlan: (spec?.machines['proxmox'] as { vlan: number } | undefined)?.vlan,
    notes,
    problems,
  }).toEqual({
    controlPlane: { replicas: 1, cpu: 4, memory: '6GiB', disk: '20GiB' },
    network: { nodes: '10.6.0.0/24', gateway: '10.6.0.1', nameservers: ['10.6.0.2'] },
    talos: { image: { architecture: 'arm64' } },
    vlan: 60,
    notes: [
      '1:1 : A KubernetesCluster does not say where its machines are made: fill in machines.proxmox.',
      '1:1 : The pod network is not part of a KubernetesCluster: ichor installs Cilium unless cluster.cni says otherwise.',
      '5:71 spec.data.zone: Not carried over.',
      '6:173 spec.topology.workers.nodePools[0].version: Not carried over: the whole cluster runs one version.',
      '17:3 spec.datacenterIdentifier: Not carried over.',
      '18:3 spec.supervisorIdentifier: Not carried over.',
      'v1 Namespace team: Not carried over.',
    ],
    problems: [],
  });
});

const two = `${cluster('{ controlplane: {}, workers: [{ name: wp }] }')}---
${cluster('{ controlplane: {}, workers: [{ name: wp }] }', '{ clusterId: t-2, provider: talos }').replace('orders', 'bills')}`;

test('of several clusters one is chosen by its name or id', () => {
  expect(imported(two)).toEqual({
    name: undefined,
    spec: undefined,
    notes: [],
    problems: ['1:1 several-clusters: There are 2 clusters here, and a Platform is one.'],
  });
  expect([imported(two, 'bills').name, imported(two, 't-1').name]).toEqual(['t-2', 't-1']);
});

test('what kubectl gives as a list is read too, without what the server added', () => {
  const { name, notes, problems } = imported(`apiVersion: v1
kind: List
items:
  - apiVersion: vitistack.io/v1alpha1
    kind: KubernetesCluster
    metadata:
      name: orders
      resourceVersion: "12"
      annotations: { kubectl.kubernetes.io/last-applied-configuration: "{}", upgrade.vitistack.io/talos-target: v1.13.9 }
    spec: { data: { provider: talos }, topology: { controlplane: { provider: kubevirt }, workers: [{ name: wp, provider: kubevirt }] } }
    status: { phase: Ready }
`);
  expect([name, notes.slice(2), problems]).toEqual([
    'orders',
    ['9:78 metadata.annotations["upgrade.vitistack.io/talos-target"]: Not carried over.'],
    [],
  ]);
});

test('a cluster that Viti would refuse is refused at its place', () => {
  expect(imported(cluster('{ controlplane: { replicas: 2, machineClass: smal }, workers: [{ name: wp }] }'))).toEqual({
    name: undefined,
    spec: undefined,
    notes: [],
    problems: [
      '6:41 even-control-planes: 2 control planes tolerate no more failures than 1: etcd needs a majority, so the number must be odd.',
      '6:58 unknown-class: There is no MachineClass "smal" here.',
    ],
  });
});

test('without a cluster there is nothing to import', () => {
  expect(
    imported('apiVersion: vitistack.io/v1alpha1\nkind: MachineClass\nmetadata: { name: own }\nspec: {}\n').problems,
  ).toEqual(['1:1 nothing-here: There is no KubernetesCluster here.']);
});
