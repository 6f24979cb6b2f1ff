import { expect, test } from 'vitest';
import { platformFile, said } from '../../../test/said.ts';

type Sections = Readonly<Record<string, string>>;

test.each<[what: string, wrong: Sections, says: readonly string[]]>([
  [
    'an even number of control planes',
    { cluster: '{ controlPlane: { replicas: 4 } }' },
    [
      '6:40 even-control-planes: 4 control planes tolerate no more failures than 3: etcd needs a majority, so the number must be odd. | Use 3 or 5.',
    ],
  ],
  [
    'high availability with one',
    { cluster: '{ highAvailability: true }' },
    [
      '6:32 too-few-for-ha: High availability needs at least three control planes, and there is one. | Set cluster.controlPlane.replicas to 3, or leave highAvailability out.',
    ],
  ],
  [
    'high availability with two',
    { cluster: '{ highAvailability: true, controlPlane: { replicas: 2 } }' },
    [
      '6:32 too-few-for-ha: High availability needs at least three control planes, and there are 2. | Set cluster.controlPlane.replicas to 3, or leave highAvailability out.',
    ],
  ],
  [
    'a Talos of tomorrow',
    { cluster: '{ talos: { version: v2.0.0 } }' },
    ['6:32 unknown-talos: ichor does not know Talos 2.0. | Use a version from 1.9 to 1.14.'],
  ],
  [
    'a Kubernetes that Talos does not run',
    { cluster: '{ talos: { version: v1.9.5 }, kubernetes: { version: v1.35.2 } }' },
    [
      '6:65 unsupported-kubernetes: Talos 1.9 runs Kubernetes 1.27 to 1.32, not 1.35. | Use for example v1.32.0, or another Talos version.',
    ],
  ],
  [
    'more machines than Kubernetes takes',
    { cluster: '{ workers: { a: { replicas: 3000, addresses: 10.0.0.0/16 }, b: { replicas: 2000 } } }' },
    [
      '5:15 range-too-small: 5000 workers need more than the 999 VMIDs from 501 to 1499. | Use for example 501-5500.',
      '6:14 too-many-machines: The groups ask for 5001 machines together, and Kubernetes is made for up to 5000 nodes. | Ask for fewer replicas, or make several platforms.',
    ],
  ],
  [
    'machines that are too small for Talos',
    { cluster: '{ controlPlane: { memory: 1GiB, disk: 5GiB }, workers: { a: { memory: 512MiB, disk: 9GiB } } }' },
    [
      '6:38 too-small: A control plane needs at least 2GiB of memory. | Use 2GiB or more.',
      '6:50 too-small: Talos needs a system disk of at least 10GiB. | Use 10GiB or more.',
      '6:82 too-small: A worker needs at least 1GiB of memory. | Use 1GiB or more.',
      '6:96 too-small: Talos needs a system disk of at least 10GiB. | Use 10GiB or more.',
    ],
  ],
  [
    'one machine that is made too small',
    { cluster: '{ workers: { a: {} }, nodes: { cp-0: { cpu: 1, memory: 1GiB }, a-0: { disk: 1GiB } } }' },
    [
      '6:56 too-small: A control plane needs at least 2 processors. | Use 2 or more.',
      '6:67 too-small: A control plane needs at least 2GiB of memory. | Use 2GiB or more.',
      '6:88 too-small: Talos needs a system disk of at least 10GiB. | Use 10GiB or more.',
    ],
  ],
  [
    'nowhere to run anything',
    { cluster: '{ controlPlane: { schedulable: false }, workers: { a: { replicas: 0 } } }' },
    [
      '6:43 nowhere-to-run: There are no workers, and control planes take no workloads: nothing could run. | Add a worker pool, or leave schedulable out.',
    ],
  ],
])('%s', (_, wrong, says) => {
  expect(said(platformFile(wrong))).toEqual(says);
});

test.each<[notThis: string, right: Sections]>([
  ['an even number of control planes', { cluster: '{ controlPlane: { replicas: 5 } }' }],
  ['high availability with one', { cluster: '{ highAvailability: true, controlPlane: { replicas: 3 } }' }],
  ['a Talos of tomorrow', { cluster: '{ talos: { version: 1.9.5 } }' }],
  [
    'a Kubernetes that Talos does not run',
    { cluster: '{ talos: { version: v1.9.5 }, kubernetes: { version: 1.32.1 } }' },
  ],
  [
    'more machines than Kubernetes takes',
    {
      machines: '{ libvirt: { hosts: { kvm1: "qemu:///system", kvm2: "qemu:///system" } } }',
      cluster: '{ workers: { a: { replicas: 3000 }, b: { replicas: 1999 } } }',
    },
  ],
  [
    'machines that are too small for Talos',
    { cluster: '{ controlPlane: { memory: 2GiB, disk: 10GiB }, workers: { a: { memory: 1GiB, disk: 10GiB } } }' },
  ],
  [
    'one machine that is made too small',
    { cluster: '{ workers: { a: {} }, nodes: { cp-0: { cpu: 2, memory: 2GiB }, a-0: { cpu: 1, memory: 1GiB } } }' },
  ],
  ['nowhere to run anything', { cluster: '{ controlPlane: { schedulable: false }, workers: { a: { replicas: 1 } } }' }],
])('nothing is said where there is not %s', (_, right) => {
  expect(said(platformFile(right))).toEqual([]);
});
