import { expect, test } from 'vitest';
import { read } from './read.ts';

const file = (spec: string) =>
  `apiVersion: ichor.dev/v1alpha1\nkind: Substrate\nmetadata: { name: cloud }\nspec: { image: { url: "file:///a", checksum: "sha256:${'0'.repeat(64)}" }${spec} }\n`;

const machines = (spec: string) =>
  read({ sources: [{ name: 'a', content: file(spec) }] }).substrates[0]?.machines.map(
    ({ name, role, pool, shape }) =>
      `${name} ${role} ${pool} ${shape.cpu}/${shape.memoryMiB} ${shape.disks.map((disk) => `${disk.name}:${disk.sizeGiB}@${disk.datastore}`).join(' ')}`,
  );

test('an OpenStack has a controller and a compute when nothing is said', () => {
  expect(machines('')).toEqual([
    'cloud-controller-0 control-plane null 8/32768 system:200@ichor',
    'cloud-compute-0 worker computes 16/49152 system:400@ichor',
  ]);
});

test('groups, sizes and disks are as they are said', () => {
  expect(
    machines(
      ', pool: { name: images }, controllers: { replicas: 3, cpu: 4 }, computes: { replicas: 2, memory: 64GiB }, storage: { replicas: 1, disks: { cinder: 1TiB, b: 10GiB on fast } }, openstack: { cinder: {} }',
    ),
  ).toEqual([
    'cloud-controller-0 control-plane null 4/32768 system:200@images',
    'cloud-controller-1 control-plane null 4/32768 system:200@images',
    'cloud-controller-2 control-plane null 4/32768 system:200@images',
    'cloud-compute-0 worker computes 16/65536 system:400@images',
    'cloud-compute-1 worker computes 16/65536 system:400@images',
    'cloud-storage-0 worker storage 4/8192 system:100@images b:10@fast cinder:1024@images',
  ]);
});

test('a Substrate with a mistake is not settled', () => {
  expect(machines(', computes: { replicas: 0 }')).toBeUndefined();
});
