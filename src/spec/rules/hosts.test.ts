import { expect, test } from 'vitest';
import { platformFile, said } from '../../../test/said.ts';

type Sections = Readonly<Record<string, string>>;

test.each<[what: string, wrong: Sections, says: readonly string[]]>([
  [
    'a host listed twice',
    { machines: '{ proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1, pve2, pve1] } }' },
    ['5:100 listed-twice: "pve1" is listed twice. | Keep one of the two.'],
  ],
  [
    'a zone listed twice',
    { machines: '{ openstack: { cloud: a, availabilityZones: [nova, nova] } }' },
    ['5:64 listed-twice: "nova" is listed twice. | Keep one of the two.'],
  ],
  [
    'hosts that are not there, of Proxmox',
    {
      machines:
        '{ proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1, pve2], capacity: { pve9: { cpu: 4, memory: 8GiB } } } }',
      cluster:
        '{ controlPlane: { hosts: [pve1, pv2] }, workers: { a: { hosts: [pve1, elsewhere] } }, nodes: { cp-0: { host: pve3 } }, placement: { pinned: { a-0: kvm1 } } }',
    },
    [
      '5:113 unknown-host: There is no host "pve9" in machines.proxmox.hosts. | Did you mean "pve1"?',
      '6:44 unknown-host: There is no host "pv2" in machines.proxmox.hosts. | Did you mean "pve2"?',
      '6:82 unknown-host: There is no host "elsewhere" in machines.proxmox.hosts. | Hosts: pve1, pve2.',
      '6:121 unknown-host: There is no host "pve3" in machines.proxmox.hosts. | Did you mean "pve1"?',
      '6:159 unknown-host: There is no host "kvm1" in machines.proxmox.hosts. | Hosts: pve1, pve2.',
    ],
  ],
  [
    'a host that is not there, of libvirt',
    { machines: '{ libvirt: { capacity: { kvm1: { cpu: 4, memory: 8GiB } } } }' },
    ['5:38 unknown-host: There is no host "kvm1" in machines.libvirt.hosts. | Hosts: local.'],
  ],
  [
    'a zone that is not there',
    { machines: '{ openstack: { cloud: a } }', cluster: '{ nodes: { cp-0: { host: nova2 } } }' },
    ['6:37 unknown-host: There is no host "nova2" in machines.openstack.availabilityZones. | Did you mean "nova"?'],
  ],
  [
    'two hosts for one machine',
    { cluster: '{ nodes: { cp-0: { host: pve1 } }, placement: { pinned: { cp-0: pve2 } } }' },
    ['6:37 two-hosts: "prod-cp-0" is pinned to "pve2" and has the host "pve1". | Keep one of the two.'],
  ],
  [
    'a machine that is pinned away from its group',
    { cluster: '{ workers: { a: { hosts: [pve1, pve2] } }, nodes: { a-0: { host: pve3 } } }' },
    [
      '6:77 two-hosts: "prod-a-0" is to be on "pve3", and its group only on pve1, pve2. | Add "pve3" to the hosts of the group, or choose one of them.',
    ],
  ],
  [
    'a control plane that is not pinned',
    {
      cluster:
        '{ controlPlane: { replicas: 3 }, placement: { strategy: pin, pinned: { cp-0: pve1 } }, nodes: { cp-1: { host: pve2 } } }',
    },
    [
      '6:68 not-pinned: Strategy pin needs a host for every control plane; prod-cp-2 has none. | Add "prod-cp-2: HOST" to cluster.placement.pinned, or use strategy spread.',
    ],
  ],
  [
    'control planes that are pinned together',
    { cluster: '{ controlPlane: { replicas: 3 }, placement: { pinned: { cp-0: pve1, cp-2: pve1 } } }' },
    [
      '6:86 together: "prod-cp-2" and "prod-cp-0" would both be on "pve1": if it fails, etcd may lose its majority. | Pin them to different hosts, or set highAvailability: false.',
    ],
  ],
])('%s', (_, wrong, says) => {
  expect(said(platformFile(wrong))).toEqual(says);
});

test.each<[notThis: string, right: Sections]>([
  ['a host listed twice', {}],
  ['a zone listed twice', { machines: '{ openstack: { cloud: a, availabilityZones: [nova, az2] } }' }],
  [
    'hosts that are not there, of Proxmox',
    {
      machines:
        '{ proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1, pve2], capacity: { pve1: { cpu: 4, memory: 8GiB } } } }',
      cluster:
        '{ controlPlane: { hosts: [pve1] }, workers: { a: { hosts: [pve1, pve2] } }, nodes: { cp-0: { host: pve1 } }, placement: { pinned: { a-0: pve2 } } }',
    },
  ],
  [
    'a host that is not there, of libvirt',
    { machines: '{ libvirt: { capacity: { local: { cpu: 4, memory: 8GiB } } } }' },
  ],
  [
    'a zone that is not there',
    { machines: '{ openstack: { cloud: a } }', cluster: '{ nodes: { cp-0: { host: nova } } }' },
  ],
  [
    'two hosts for one machine',
    { cluster: '{ nodes: { cp-0: { host: pve1 } }, placement: { pinned: { cp-0: pve1 } } }' },
  ],
  [
    'a machine that is pinned away from its group',
    { cluster: '{ workers: { a: { hosts: [pve1, pve2] } }, nodes: { a-0: { host: pve2 } } }' },
  ],
  [
    'a control plane that is not pinned',
    {
      cluster:
        '{ controlPlane: { replicas: 3 }, placement: { strategy: pin, pinned: { cp-0: pve1, cp-2: pve3 } }, nodes: { cp-1: { host: pve2 } } }',
    },
  ],
  [
    'control planes that are pinned together',
    {
      cluster:
        '{ highAvailability: false, controlPlane: { replicas: 3 }, placement: { pinned: { cp-0: pve1, cp-2: pve1 } } }',
    },
  ],
])('nothing is said where there is not %s', (_, right) => {
  expect(said(platformFile(right))).toEqual([]);
});
