import { expect, test } from 'vitest';
import { platformFile, said } from '../../../test/said.ts';

type Sections = Readonly<Record<string, string>>;

test.each<[what: string, wrong: Sections, says: readonly string[]]>([
  [
    'networks that overlap',
    { cluster: '{ network: { nodes: 10.244.7.0/24, pods: 10.244.0.0/16, services: 10.240.0.0/12 } }' },
    [
      '6:53 overlapping-networks: Pods (10.244.0.0/16) and the machines’ network (10.244.7.0/24) overlap. | Give them networks that share no address.',
      '6:78 overlapping-networks: Services (10.240.0.0/12) and the machines’ network (10.244.7.0/24) overlap. | Give them networks that share no address.',
    ],
  ],
  [
    'a pool of addresses inside the pods’',
    {
      cluster: '{ cni: { cilium: { l2: { pool: 10.244.1.0/24 } } } }',
      services: '{ catalog: { metallb: { pools: { a: [10.96.0.10-20] } } } }',
    },
    [
      '6:43 overlapping-networks: Cilium’s pool (10.244.1.0/24) and pods (10.244.0.0/16) overlap. | Use addresses that your routers know.',
      '7:50 overlapping-networks: MetalLB’s pool a (10.96.0.10-20) and services (10.96.0.0/12) overlap. | Use addresses that your routers know.',
    ],
  ],
  [
    'a VIP outside',
    { cluster: '{ endpoint: { vip: 10.11.0.5 }, network: { nodes: 10.10.0.0/24 } }' },
    [
      '6:31 vip-outside: The VIP 10.11.0.5 is not an address for a machine in 10.10.0.0/24. | Choose a free address of 10.10.0.0/24.',
    ],
  ],
  [
    'a VIP outside the network of libvirt',
    { machines: '{ libvirt: { network: { cidr: 192.168.1.0/24 } } }', cluster: '{ endpoint: { vip: 10.11.0.5 } }' },
    [
      '6:31 vip-outside: The VIP 10.11.0.5 is not an address for a machine in 192.168.1.0/24. | Choose a free address of 192.168.1.0/24.',
    ],
  ],
  [
    'a VIP outside the network of OpenStack',
    {
      machines: '{ openstack: { cloud: a, network: { cidr: 192.168.1.0/24 } } }',
      cluster: '{ endpoint: { vip: 192.168.1.255 } }',
    },
    [
      '6:31 vip-outside: The VIP 192.168.1.255 is not an address for a machine in 192.168.1.0/24. | Choose a free address of 192.168.1.0/24.',
    ],
  ],
  [
    'a VIP that is the gateway',
    { cluster: '{ endpoint: { vip: "fd00:0::1" }, network: { nodes: "fd00::/64", gateway: "FD00::1" } }' },
    ['6:31 vip-taken: The VIP fd00:0::1 is the gateway’s address. | Choose a free address.'],
  ],
  [
    'a VIP that is a machine’s',
    { cluster: '{ endpoint: { vip: 10.10.0.11 }, controlPlane: { replicas: 3, addresses: 10.10.0.10-12 } }' },
    ['6:31 vip-taken: The VIP 10.10.0.11 is the address of "prod-cp-1". | Choose an address that no machine has.'],
  ],
  [
    'a VIP that a load balancer could take',
    { cluster: '{ endpoint: { vip: 10.10.0.65 } }', services: '{ catalog: { metallb: { pool: 10.10.0.64/27 } } }' },
    ['6:31 vip-taken: The VIP 10.10.0.65 is inside MetalLB’s pool (10.10.0.64/27). | Choose an address outside of it.'],
  ],
  [
    'machines with one address, and others that they cannot have',
    {
      cluster:
        '{ controlPlane: { replicas: 3, addresses: 10.10.0.10-12 }, workers: { a: { replicas: 4 } }, network: { nodes: 10.10.0.0/24, gateway: 10.10.0.1 }, nodes: { a-0: { address: 10.10.0.11 }, a-1: { address: 10.11.0.1 }, a-2: { address: 10.10.0.1 }, a-3: { address: 10.10.0.66 } } }',
      services: '{ catalog: { metallb: { pool: 10.10.0.64/27 } } }',
    },
    [
      '6:183 same-address: "prod-a-0" and "prod-cp-1" have one address, 10.10.0.11. | Give each its own.',
      '6:213 address-outside: 10.11.0.1 of "prod-a-1" is not an address for a machine in 10.10.0.0/24. | Choose an address of 10.10.0.0/24.',
      '6:242 same-address: 10.10.0.1 of "prod-a-2" is the gateway’s address. | Choose another address.',
      '6:271 same-address: 10.10.0.66 of "prod-a-3" is inside MetalLB’s pool (10.10.0.64/27). | Choose an address outside of it.',
    ],
  ],
  [
    'one IPv6 address, written in two ways',
    {
      machines: '{ existing: { machines: { cp-0: { address: "FD00:0::10" }, a-0: { address: "fd00::10" } } } }',
      cluster: '{ workers: { a: {} } }',
    },
    ['5:88 same-address: "prod-a-0" and "prod-cp-0" have one address, fd00::10. | Give each its own.'],
  ],
  [
    'static addresses without what they need',
    { cluster: '{ workers: { a: { replicas: 2 } }, network: { addresses: static } }' },
    [
      '6:69 static-needs: Static addresses need cluster.network.nodes. | Add for example "nodes: 10.10.0.0/24".',
      '6:69 static-needs: Static addresses need cluster.network.gateway. | Add for example "gateway: 10.10.0.1".',
      '6:69 no-address: 3 machines have no address, "prod-cp-0" first. | Give its group "addresses: 10.10.0.20-39", or the machine "address:" under cluster.nodes.',
    ],
  ],
  [
    'one machine without a static address',
    { cluster: '{ network: { addresses: static, nodes: 10.10.0.0/24, gateway: 10.10.0.1 } }' },
    [
      '6:36 no-address: "prod-cp-0" has no address. | Give its group "addresses: 10.10.0.20-39", or the machine "address:" under cluster.nodes.',
    ],
  ],
  [
    'ranges that overlap, lie outside or are too short',
    {
      cluster:
        '{ controlPlane: { replicas: 3, addresses: 10.10.0.10-11 }, workers: { a: { addresses: 10.10.0.11-20 }, b: { addresses: 10.12.0.0/24 } }, network: { nodes: 10.10.0.0/24 } }',
    },
    [
      '6:54 range-too-small: 3 machines need more than the 2 addresses of controlPlane. | End it at 10.10.0.12 or later.',
      '6:98 overlapping-ranges: The addresses of workers.a and controlPlane overlap. | Give each group its own.',
      '6:131 address-outside: The addresses of workers.b are not all in 10.10.0.0/24. | Choose addresses of 10.10.0.0/24.',
    ],
  ],
  [
    'a gateway outside',
    { cluster: '{ network: { nodes: 10.10.0.0/24, gateway: 10.10.1.1 } }' },
    [
      '6:55 address-outside: The gateway 10.10.1.1 is not an address of 10.10.0.0/24. | Choose an address of 10.10.0.0/24.',
    ],
  ],
])('%s', (_, wrong, says) => {
  expect(said(platformFile(wrong))).toEqual(says);
});

test.each<[notThis: string, right: Sections]>([
  [
    'networks that overlap',
    { cluster: '{ network: { nodes: 10.10.0.0/24, pods: 10.244.0.0/16, services: 10.96.0.0/12 } }' },
  ],
  [
    'a pool of addresses inside the pods’',
    {
      cluster: '{ cni: { cilium: { bgp: { pool: 10.9.1.0/24, asn: 1, peers: [{ address: 10.9.0.1, asn: 2 }] } } } }',
      services: '{ catalog: { metallb: { pool: 10.9.2.0/24 } } }',
    },
  ],
  ['a VIP outside', { cluster: '{ endpoint: { vip: 10.10.0.5 }, network: { nodes: 10.10.0.0/24 } }' }],
  [
    'machines with one address, and others that they cannot have',
    {
      cluster:
        '{ controlPlane: { replicas: 3, addresses: 10.10.0.10-12 }, workers: { a: { replicas: 1 } }, network: { nodes: 10.10.0.0/24, gateway: 10.10.0.1 }, nodes: { a-0: { address: 10.10.0.20 } } }',
      services: '{ catalog: { metallb: { pool: 10.10.0.64/27 } } }',
    },
  ],
  [
    'static addresses without what they need',
    {
      cluster:
        '{ controlPlane: { addresses: 10.10.0.10 }, network: { addresses: static, nodes: 10.10.0.0/24, gateway: 10.10.0.1 } }',
    },
  ],
  [
    'ranges that overlap, lie outside or are too short',
    {
      cluster:
        '{ controlPlane: { replicas: 3, addresses: 10.10.0.10-12 }, workers: { a: { addresses: 10.10.0.20-29 } }, network: { nodes: 10.10.0.0/24 } }',
    },
  ],
])('nothing is said where there is not %s', (_, right) => {
  expect(said(platformFile(right))).toEqual([]);
});
