import { describe, expect, test } from 'vitest';
import { said } from '../../../test/said.ts';
import { read } from '../read.ts';

const cluster = (spec: string, more = '') =>
  `apiVersion: vitistack.io/v1alpha1\nkind: KubernetesCluster\nmetadata: { name: simple }\nspec:\n${spec.replace(/^/gm, '  ')}\n${more}`;
const machineClass = (name: string, spec: string) =>
  `---\napiVersion: vitistack.io/v1alpha1\nkind: MachineClass\nmetadata: { name: ${name} }\nspec: ${spec}\n`;
const network = (addresses: string) =>
  `---\napiVersion: vitistack.io/v1alpha1\nkind: NetworkNamespace\nmetadata: { name: net }\nspec: { datacenterIdentifier: aa, supervisorIdentifier: bb, ipAllocation: { type: static, static: ${addresses} } }\n`;

describe('what is said about a KubernetesCluster', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'an even number of control planes',
      cluster('topology: { controlplane: { replicas: 2 }, workers: [{ name: a }] }'),
      [
        '5:41 even-control-planes: 2 control planes tolerate no more failures than 1: etcd needs a majority, so the number must be odd. | Use 1 or 3.',
      ],
    ],
    [
      'more control planes than etcd takes',
      cluster('topology: { controlplane: { replicas: 11 }, workers: [{ name: a }] }'),
      ['5:41 out-of-bounds: spec.topology.controlplane.replicas must be at most 9, found 11. | Use 9 or less.'],
    ],
    [
      'no workers, as a list',
      cluster('topology: { workers: [] }'),
      ['5:15 no-workers: A KubernetesCluster needs at least one worker. | Add a pool with replicas: 1 or more.'],
    ],
    [
      'no workers at all',
      cluster('topology: {}'),
      ['5:3 no-workers: A KubernetesCluster needs at least one worker. | Add a pool with replicas: 1 or more.'],
    ],
    [
      'no workers, in the full form',
      cluster('topology: { workers: { nodePools: [{ name: a, replicas: 0 }] } }'),
      ['5:15 no-workers: A KubernetesCluster needs at least one worker. | Add a pool with replicas: 1 or more.'],
    ],
    [
      'names of pools',
      cluster('topology: { workers: [{ name: A_b }, { name: a }, { name: a }, { replicas: 2 }] }'),
      [
        '5:33 wrong-name: "A_b" cannot be the name of a pool. | Use lower-case letters, digits and dashes.',
        '5:61 same-names: Two pools are called "a". | Give each its own name.',
        '5:66 missing: spec.topology.workers.nodePools[3] needs "name". | Add name: Name of the pool.',
      ],
    ],
    [
      'sizes of pools',
      cluster('topology: { workers: [{ name: a, replicas: -1 }, { name: b, replicas: 6000 }] }'),
      [
        '5:46 out-of-bounds: A pool may have 0 to 5000 replicas, found -1. | Use a number in between.',
        '5:73 out-of-bounds: A pool may have 0 to 5000 replicas, found 6000. | Use a number in between.',
      ],
    ],
    [
      'more machines than Kubernetes takes',
      cluster('topology: { workers: [{ name: a, replicas: 3000 }, { name: b, replicas: 3000 }] }'),
      [
        '5:15 too-many-machines: The groups ask for 6001 machines together, and Kubernetes is made for up to 5000 nodes. | Ask for fewer replicas, or make several platforms.',
      ],
    ],
    [
      'classes that are not there, or off',
      cluster(
        'topology: { controlplane: { machineClass: larg }, workers: [{ name: a, machineClass: enormous }, { name: b, machineClass: off }] }',
        machineClass('off', '{ enabled: false, cpu: { cores: 2 }, memory: { quantity: 4Gi }, machineProviders: [] }'),
      ),
      [
        '5:45 unknown-class: There is no MachineClass "larg" here. | Did you mean "large"?',
        '5:88 unknown-class: There is no MachineClass "enormous" here. | Give its MachineClass with -f, or use small, medium, large, xlarge, largememory.',
        '5:125 unknown-class: The MachineClass "off" is not enabled. | Enable it, or use small, medium, large, xlarge, largememory.',
      ],
    ],
    [
      'a class that is too small for a control plane',
      cluster(
        'topology: { controlplane: { machineClass: tiny }, workers: [{ name: a, machineClass: tiny }] }',
        machineClass('tiny', '{ cpu: { cores: 1 }, memory: { quantity: 4Gi }, machineProviders: [] }'),
      ),
      [
        '5:45 too-small: A control plane needs at least 2 processors, and the MachineClass "tiny" has fewer. | Use a larger class.',
      ],
    ],
    [
      'a class with too little memory',
      cluster(
        'topology: { controlplane: { machineClass: tiny }, workers: [{ name: a }] }',
        machineClass('tiny', '{ cpu: { cores: 2 }, memory: { quantity: 1500M }, machineProviders: [] }'),
      ),
      ['5:45 too-small: A control plane needs at least 2GiB of memory. | Use 2GiB or more.'],
    ],
    [
      'sizes of disks',
      cluster(
        'topology: { controlplane: { storage: [{ size: big }] }, workers: [{ name: a, storage: [{ size: 20Gi }, { size: "-1" }] }] }',
      ),
      [
        '5:49 wrong-format: Expected a size such as 20Gi, found "big". | For example: 20Gi',
        '5:114 wrong-format: Expected a size such as 20Gi, found "-1". | For example: 20Gi',
      ],
    ],
    [
      'more disks than a machine takes',
      cluster('topology: { workers: [{ name: a, storage: [' + Array(18).fill('{ size: 1Gi }').join(', ') + '] }] }'),
      [
        '5:36 out-of-bounds: spec.topology.workers.nodePools[0].storage may have at most 16 entries. | Make it shorter.',
      ],
    ],
    [
      'a Kubernetes that no Talos runs',
      cluster('topology: { version: "1.20", workers: [{ name: a }] }'),
      ['5:24 unsupported-kubernetes: No Talos that ichor knows runs Kubernetes 1.20. | Use for example v1.36.3.'],
    ],
    [
      'a version that YAML takes for a number',
      cluster('topology: { version: 1.30, workers: [{ name: a }] }'),
      ['5:24 wrong-type: Expected text, found the number 1.30. | Put it in quotes: "1.30"'],
    ],
    [
      'an id that no machine can be named after',
      cluster('topology: { workers: [{ name: a }] }\ndata: { clusterId: "My Cluster" }'),
      [
        '6:22 wrong-name: "My Cluster" cannot be the name of a cluster: machines are named after it. | Use up to 55 lower-case letters, digits and dashes.',
      ],
    ],
    [
      'an id that is too long',
      cluster('topology: { workers: [{ name: a }] }\ndata: { clusterId: ' + 'c'.repeat(60) + ' }'),
      [
        '6:22 wrong-name: "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc" cannot be the name of a cluster: machines are named after it. | Use up to 55 lower-case letters, digits and dashes.',
      ],
    ],
    [
      'a name with a dot, without an id',
      cluster('topology: { workers: [{ name: a }] }').replace('simple', 'my.cluster'),
      [
        '3:19 wrong-name: "my.cluster" cannot be the name of a cluster: machines are named after it. | Use up to 55 lower-case letters, digits and dashes.',
      ],
    ],
    [
      'labels, annotations and taints that no node can have',
      cluster(
        'topology: { controlplane: { metadata: { labels: { "a b": x } } }, workers: [{ name: a, metadata: { annotations: { "c d": x } }, taint: [{ key: k, effect: Sometimes }] }] }',
      ),
      [
        '5:60 wrong-name: "a b" cannot be a name in spec.topology.controlplane.metadata.labels. | Use a label key such as example.org/tier.',
        '5:124 wrong-name: "c d" cannot be a name in spec.topology.workers.nodePools[0].metadata.annotations. | Use an annotation key such as example.org/owner.',
        '5:139 wrong-format: Expected a taint such as gpu=true:NoSchedule, found "k:Sometimes". | For example: gpu=true:NoSchedule',
      ],
    ],
    [
      'a network that is none',
      cluster(
        'topology: { workers: [{ name: a }] }\ndata: { networkNamespaceName: net }',
        network('{ ipv4CIDR: 10.0.0.1/24, ipv4Gateway: 10.9.0.1, dns: [x] }'),
      ),
      [
        '11:111 wrong-format: Expected a network in CIDR form without host bits, such as 10.10.0.0/24, found "10.0.0.1/24". | For example: 10.10.0.0/24',
        '11:137 address-outside: The gateway "10.9.0.1" is not an address of 10.0.0.1/24. | Choose an address of the network.',
        '11:153 wrong-format: Expected an IPv4 or IPv6 address, such as 10.10.0.5, found "x". | For example: 10.10.0.5',
      ],
    ],
    [
      'a network that pods have',
      cluster(
        'topology: { workers: [{ name: a }] }\ndata: { networkNamespaceName: net }',
        network('{ ipv4CIDR: 10.244.0.0/24, ipv4Gateway: 10.244.0.1 }'),
      ),
      [
        '6:33 overlapping-networks: Pods (10.244.0.0/16) and the machines’ network (10.244.0.0/24) overlap. | Give them networks that share no address.',
      ],
    ],
    [
      'unknown keys',
      cluster('topology: { control: {}, workers: [{ name: a, replica: 2 }] }\nfoo: 1'),
      [
        '5:15 unknown-key: Unknown key "control" in spec.topology. | Known here: version, controlplane, workers.',
        '5:49 unknown-key: Unknown key "replica" in spec.topology.workers.nodePools[0]. | Did you mean "replicas"?',
        '6:3 unknown-key: Unknown key "foo" in spec. | Known here: data, topology.',
      ],
    ],
    [
      'a broken class',
      cluster('topology: { workers: [{ name: a }] }', machineClass('x', '{ cpu: {}, memory: { quantity: lots } }')),
      [
        '10:1 missing: spec needs "machineProviders". | Add machineProviders: Providers that offer it; empty: all.',
        '10:9 missing: spec.cpu needs "cores". | Add cores: a whole number.',
        '10:38 wrong-format: Expected a quantity such as 8Gi, found "lots". | Write a quantity such as 8Gi.',
      ],
    ],
    [
      'values of other types',
      cluster('topology: { controlplane: 5, workers: [5, { name: 7 }] }'),
      [
        '5:29 wrong-type: Expected a mapping, found the number 5. | Write a mapping.',
        '5:42 wrong-type: Expected a mapping, found the number 5. | Write a mapping.',
        '5:53 wrong-type: Expected text, found the number 7. | Put it in quotes: "7"',
      ],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });

  test.each<[what: string, file: string]>([
    ['a list of workers', cluster('topology: { workers: [{ name: a }] }')],
    ['the full form', cluster('topology: { workers: { nodePools: [{ name: a }] } }')],
    [
      'a name with a dot beside an id',
      cluster('topology: { workers: [{ name: a }] }\ndata: { clusterId: abc }').replace('simple', 'my.cluster'),
    ],
    [
      'a class in other units',
      cluster(
        'topology: { controlplane: { machineClass: own }, workers: [{ name: a }] }',
        machineClass('own', '{ cpu: { cores: 1, threads: 2 }, memory: { quantity: 4e9 }, machineProviders: [] }'),
      ),
    ],
    [
      'a status and what kubectl adds',
      cluster('topology: { workers: [{ name: a }] }\nstatusless: 1')
        .replace('  statusless: 1', 'status: { phase: Ready }')
        .replace('{ name: simple }', '{ name: simple, uid: x, annotations: { a: "' + 'b'.repeat(9000) + '" } }'),
    ],
  ])('nothing about %s', (_, file) => {
    expect(said(file)).toEqual([]);
  });
});

const both = (workers: string) =>
  cluster(
    `data: { clusterId: t-1, environment: dev, networkNamespaceName: net }
topology:
  version: "1.35"
  controlplane: { replicas: 3, provider: kubevirt, machineClass: large, metadata: { labels: { tier: cp }, annotations: {} } }
  workers: ${workers}`,
    machineClass(
      'own',
      '{ cpu: { cores: 2, sockets: 2, threads: 2 }, memory: { quantity: 4000000000 }, machineProviders: [] }',
    ) + network('{ ipv4CIDR: 10.50.0.0/24, ipv4Gateway: 10.50.0.1, dns: [10.50.0.2] }'),
  );
const pools =
  '[{ name: z, replicas: 2, provider: proxmox, storage: [{ size: 30Gi }, { size: 1500M }], taint: [{ key: k, value: v, effect: NoSchedule }, { key: l, effect: NoExecute }] }, { name: a, machineClass: own }]';

test.each([
  ['the short form', both(pools)],
  ['the full form', both(`{ nodePools: ${pools} }`)],
])('%s becomes a platform', (_, file) => {
  const [platform] = read({ sources: [{ name: 'a', content: file }] }).platforms;
  expect(
    platform && {
      name: platform.name,
      environment: platform.environment,
      provider: platform.provider,
      talos: platform.cluster.talos.version,
      kubernetes: platform.cluster.kubernetes,
      highAvailability: platform.cluster.highAvailability,
      labels: platform.cluster.controlPlane.labels,
      taints: platform.cluster.workers['z']?.taints,
      network: platform.cluster.network,
      machines: platform.machines.map(
        ({ name, pool, shape }) =>
          `${name} ${pool} ${shape.cpu} ${shape.memoryMiB}MiB ${shape.disks.map((disk) => `${disk.name}=${disk.sizeGiB}GiB`).join(' ')}`,
      ),
    },
  ).toEqual({
    name: 't-1',
    environment: 'dev',
    provider: { kind: 'vitistack', providers: ['kubevirt', 'proxmox'] },
    talos: 'v1.13.9',
    kubernetes: { version: 'v1.35.0' },
    highAvailability: true,
    labels: { tier: 'cp' },
    taints: ['k=v:NoSchedule', 'l:NoExecute'],
    network: {
      nodes: '10.50.0.0/24',
      gateway: '10.50.0.1',
      nameservers: ['10.50.0.2'],
      addresses: 'dhcp',
      timeServers: [],
      pods: '10.244.0.0/16',
      services: '10.96.0.0/12',
      domain: 'cluster.local',
    },
    machines: [
      't-1-ctp0 null 4 32768MiB system=20GiB',
      't-1-ctp1 null 4 32768MiB system=20GiB',
      't-1-ctp2 null 4 32768MiB system=20GiB',
      't-1-wrk0 z 4 16384MiB system=30GiB disk-1=2GiB',
      't-1-wrk1 z 4 16384MiB system=30GiB disk-1=2GiB',
      't-1-wrk2 a 8 3815MiB system=20GiB',
    ],
  });
});

test('an older Kubernetes gets the newest Talos that runs it', () => {
  const versions = ['1.36.2', 'v1.31.0', '1.28.1'].map((version) => {
    const file = cluster(`topology: { version: "${version}", workers: [{ name: a }] }`);
    const [platform] = read({ sources: [{ name: 'a', content: file }] }).platforms;
    return `${platform?.cluster.kubernetes.version} on ${platform?.cluster.talos.version}`;
  });
  expect(versions).toEqual(['v1.36.2 on v1.13.9', 'v1.31.0 on v1.13.9', 'v1.28.1 on v1.10.9']);
});
