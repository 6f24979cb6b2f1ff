import { expect, test } from 'vitest';
import { platformOf, twoMachines } from '../../test/talos-platform.ts';
import type { Resident } from '../model/host.ts';
import { mib } from '../model/size.ts';
import { recognise } from './inventory.ts';

const { name, machines } = platformOf(twoMachines());
const [first] = machines;

const found = (platform: Resident['platform'], called = first?.name) => {
  const resident: Resident = {
    name: called,
    platform,
    vmid: 401,
    mac: undefined,
    uuid: undefined,
    address: undefined,
    size: undefined,
  };
  const host = {
    name: 'pve1',
    cpu: 8,
    memoryMiB: mib(8192),
    disks: undefined,
    used: { cpu: 0, memoryMiB: mib(0), disks: {} },
    residents: [resident],
  };
  const { existing, leaving, others } = recognise(name, machines, { hosts: [host], shared: {} });
  return { existing: [...existing.keys()], leaving: leaving.length, others: others.length };
};

test('a machine with our mark is ours, also one that the file no longer has', () => {
  expect(found(name)).toEqual({ existing: [first?.name], leaving: 0, others: 0 });
  expect(found(name, 'prod-gone-7')).toEqual({ existing: [], leaving: 1, others: 0 });
});

test('where nobody said whose it is, the name decides', () => {
  expect(found(undefined)).toEqual({ existing: [first?.name], leaving: 0, others: 0 });
});

test('a stranger is a stranger, whatever it is called', () => {
  expect(found(null)).toEqual({ existing: [], leaving: 0, others: 1 });
  expect(found('another')).toEqual({ existing: [], leaving: 0, others: 1 });
});
