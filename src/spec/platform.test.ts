import { expect, test } from 'vitest';
import { platformFile } from '../../test/said.ts';
import { read } from './read.ts';

const settle = (sections: Readonly<Record<string, string>>, name?: string) => {
  const { platforms, problems } = read({ sources: [{ name: 'a', content: platformFile(sections, name) }] });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [platform] = platforms;
  if (platform === undefined) throw new Error('There is no platform.');
  return platform;
};

const derived = (sections: Readonly<Record<string, string>>) => {
  const { cluster, services } = settle(sections);
  return {
    name: cluster.name,
    kubernetes: cluster.kubernetes.version,
    highAvailability: cluster.highAvailability,
    schedulable: cluster.controlPlane.schedulable,
    domain: services.domain,
  };
};

test.each<[what: string, sections: Readonly<Record<string, string>>, expected: ReturnType<typeof derived>]>([
  [
    'nothing but machines',
    {},
    { name: 'prod', kubernetes: 'v1.36.3', highAvailability: false, schedulable: true, domain: undefined },
  ],
  [
    'three control planes and a worker',
    { cluster: '{ controlPlane: { replicas: 3 }, workers: { a: {} } }' },
    { name: 'prod', kubernetes: 'v1.36.3', highAvailability: true, schedulable: false, domain: undefined },
  ],
  [
    'a pool that is empty',
    { cluster: '{ workers: { a: { replicas: 0 } } }' },
    { name: 'prod', kubernetes: 'v1.36.3', highAvailability: false, schedulable: true, domain: undefined },
  ],
  [
    'everything said',
    {
      cluster:
        '{ name: k8s, highAvailability: false, talos: { version: v1.12.11 }, kubernetes: { version: 1.33.1 }, controlPlane: { replicas: 3, schedulable: true }, workers: { a: {} } }',
      services: '{ domain: apps.example.org }',
    },
    { name: 'k8s', kubernetes: '1.33.1', highAvailability: false, schedulable: true, domain: 'apps.example.org' },
  ],
  [
    'an older Talos, and zones',
    {
      cluster: '{ talos: { version: 1.9.5 } }',
      configuration:
        '{ dns: { powerdns: { url: "https://dns", apiKey: { env: KEY }, zones: { z.example.org: {}, a.example.org: {} } } } }',
    },
    { name: 'prod', kubernetes: 'v1.32.0', highAvailability: false, schedulable: true, domain: 'a.example.org' },
  ],
])('%s: what the file leaves open is settled', (_, sections, expected) => {
  expect(derived(sections)).toEqual(expected);
});

test('machines get their names, sizes and what is fixed for them', () => {
  const { machines } = settle({
    cluster: `{
      controlPlane: { replicas: 3, addresses: 10.10.0.10-12, hosts: [pve1, pve2] },
      workers: {
        b: { replicas: 1, datastore: ceph, disks: { longhorn: 200GiB, cache: 10GiB on nvme } },
        a: { replicas: 2, cpu: 8, memory: 16GiB, disk: 50GiB } },
      nodes: {
        cp-1: { vmid: 410, mac: "bc:24:11:00:00:10", address: 10.10.0.99, host: pve2, hostname: kube },
        prod-a-1: { memory: 32GiB, disks: { extra: 1TiB } } },
      placement: { pinned: { b-0: pve3 } } }`.replaceAll(/\s+/g, ' '),
  });
  expect(
    machines.map(
      ({ name, hostname, pool, shape, fixed, allowedHosts }) =>
        `${name}${hostname === name ? '' : ` (${hostname})`} ${pool} ${shape.cpu}/${shape.memoryMiB} ${shape.disks.map((disk) => `${disk.name}:${disk.sizeGiB}@${disk.datastore}`).join(' ')} ${JSON.stringify(fixed)} ${allowedHosts?.join() ?? 'anywhere'}`,
    ),
  ).toEqual([
    'prod-cp-0 null 2/4096 system:40@local-lvm {"address":"10.10.0.10"} pve1,pve2',
    'prod-cp-1 (kube) null 2/4096 system:40@local-lvm {"vmid":410,"mac":"BC:24:11:00:00:10","address":"10.10.0.99","host":"pve2"} pve1,pve2',
    'prod-cp-2 null 2/4096 system:40@local-lvm {"address":"10.10.0.12"} pve1,pve2',
    'prod-a-0 a 8/16384 system:50@local-lvm {} anywhere',
    'prod-a-1 a 8/32768 system:50@local-lvm extra:1024@local-lvm {} anywhere',
    'prod-b-0 b 4/8192 system:100@ceph cache:10@nvme longhorn:200@ceph {"host":"pve3"} anywhere',
  ]);
});

test.each<[what: string, machines: string, provider: string, datastore: string]>([
  [
    'Proxmox',
    '{ proxmox: { endpoint: "https://a:1", token: { env: A }, hosts: [a], datastore: ceph } }',
    'proxmox',
    'ceph',
  ],
  ['libvirt', '{ libvirt: { pool: { name: images } } }', 'libvirt', 'images'],
  ['OpenStack', '{ openstack: { cloud: a, rootVolume: { type: ssd } } }', 'openstack', 'ssd'],
  ['OpenStack without volumes', '{ openstack: { cloud: a } }', 'openstack', 'default'],
  [
    'machines that exist',
    '{ existing: { machines: { cp-0: { address: "FD00:0::1", mac: "3C:EC:EF:00:00:11" } } } }',
    'existing',
    'default',
  ],
])('%s', (_, machines, provider, datastore) => {
  const platform = settle({ machines });
  expect([platform.provider.kind, platform.machines[0]?.shape.disks[0]?.datastore]).toEqual([provider, datastore]);
});

test('what exists has its address and MAC, each written in one way', () => {
  const { machines } = settle({
    machines: '{ existing: { machines: { cp-0: { address: "FD00:0::1", mac: "3c:ec:ef:00:00:11" } } } }',
  });
  expect(machines[0]?.fixed).toEqual({ address: 'fd00::1', mac: '3C:EC:EF:00:00:11' });
});

test('an untouched machine keeps its name when others come and go', () => {
  const names = (cluster: string) => settle({ cluster }).machines.map(({ name }) => name);
  expect(names('{ workers: { b: { replicas: 2 } } }')).toEqual(['prod-cp-0', 'prod-b-0', 'prod-b-1']);
  expect(names('{ controlPlane: { replicas: 3 }, workers: { a: {}, b: { replicas: 1 } } }')).toEqual([
    'prod-cp-0',
    'prod-cp-1',
    'prod-cp-2',
    'prod-a-0',
    'prod-b-0',
  ]);
});

test('names follow their templates', () => {
  const { machines } = settle({
    cluster:
      '{ workers: { a: { replicas: 2 } }, names: { controlPlane: "{platform}-m{number:2}", worker: "{platform}-w{index}" } }',
  });
  expect(machines.map(({ name }) => name)).toEqual(['prod-m01', 'prod-w0', 'prod-w1']);
});
