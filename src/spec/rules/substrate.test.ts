import { expect, test } from 'vitest';
import { said } from '../../../test/said.ts';

const file = (spec: string) =>
  `apiVersion: ichor.dev/v1alpha1\nkind: Substrate\nmetadata: { name: cloud }\nspec:\n  image: { url: "file:///a", checksum: "sha256:${'0'.repeat(64)}" }\n  ${spec}\n`;

test.each<[what: string, spec: string, says: readonly string[]]>([
  [
    'networks that overlap',
    'network: { cidr: 172.29.236.0/24, tunnel: 172.29.236.0/22 }',
    [
      '6:45 overlapping-networks: tunnel (172.29.236.0/22) and cidr (172.29.236.0/24) overlap. | Give them networks that share no address.',
      '6:3 overlapping-networks: management (172.29.236.0/22) and cidr (172.29.236.0/24) overlap. | Give them networks that share no address.',
    ].toReversed(),
  ],
  [
    'two controllers',
    'controllers: { replicas: 2 }',
    ['6:28 no-majority: Controllers must be one, or three and more: Galera needs a majority. | Use 1 or 3.'],
  ],
  [
    'no controllers',
    'controllers: { replicas: 0 }',
    ['6:28 no-majority: Controllers must be one, or three and more: Galera needs a majority. | Use 1 or 3.'],
  ],
  [
    'no computes',
    'computes: { replicas: 0 }',
    ['6:25 no-computes: Without computes no server could run. | Use at least 1.'],
  ],
  [
    'volumes without machines',
    'openstack: { cinder: {} }',
    [
      '6:16 no-storage: Cinder needs at least one storage machine. | Add "storage: { replicas: 1, disks: { cinder: 500GiB } }".',
    ],
  ],
  [
    'volumes without a disk',
    '{ openstack: { cinder: {} }, storage: { replicas: 1 } }'.slice(2, -2).replace(', storage', '\n  storage'),
    [
      '6:16 no-data-disk: Cinder’s volume group needs a data disk on the storage machines. | Add "disks: { cinder: 500GiB }" to storage.',
    ],
  ],
  [
    'a capacity of nobody',
    'capacity: { kvm1: { cpu: 4, memory: 8GiB }, locl: { cpu: 4, memory: 8GiB } }',
    [
      '6:15 unknown-host: There is no host "kvm1" in hosts. | Hosts: local.',
      '6:47 unknown-host: There is no host "locl" in hosts. | Did you mean "local"?',
    ],
  ],
])('%s', (_, spec, says) => {
  expect(said(file(spec))).toEqual(says);
});

test.each<[what: string, spec: string]>([
  ['three controllers', 'controllers: { replicas: 3 }'],
  ['volumes', 'openstack: { cinder: {} }\n  storage: { replicas: 1, disks: { cinder: 500GiB } }'],
  ['a capacity of a host', 'hosts: { kvm1: "qemu:///system" }\n  capacity: { kvm1: { cpu: 4, memory: 8GiB } }'],
])('nothing is said about %s', (_, spec) => {
  expect(said(file(spec))).toEqual([]);
});

test('a broken value is one problem', () => {
  expect(said(file('openstack: { cinder: {} }\n  storage: { replicas: many, disks: 5 }'))).toEqual([
    '7:24 wrong-type: Expected a whole number from 0 to 200, found "many". | Write a whole number from 0 to 200.',
    '7:37 wrong-type: Expected a mapping, found the number 5. | Write a mapping.',
  ]);
});
