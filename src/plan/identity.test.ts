import { expect, test } from 'vitest';
import type { Resident } from '../model/host.ts';
import type { Fixed, Machine } from '../model/machine.ts';
import { gib, mib } from '../model/size.ts';
import { identify, uuidOf, type VmidRules } from './identity.ts';

const machine = (name: string, fixed: Fixed = {}): Machine => {
  const [group = '', index = ''] = name.split('-');
  const shape = { cpu: 1, memoryMiB: mib(1024), disks: [{ name: 'system', sizeGiB: gib(10), datastore: 'local' }] };
  const role = group === 'cp' ? 'control-plane' : 'worker';
  return {
    name,
    role,
    pool: role === 'worker' ? group : null,
    index: Number(index),
    hostname: name,
    shape,
    fixed,
    allowedHosts: undefined,
  };
};

const group = (name: string, count: number): readonly Machine[] =>
  Array.from({ length: count }, (_, index) => machine(`${name}-${index}`));

const resident = (vmid: number, more: Partial<Resident> = {}): Resident => ({
  name: undefined,
  platform: undefined,
  vmid,
  mac: undefined,
  uuid: undefined,
  address: undefined,
  size: undefined,
  ...more,
});

const ranges: VmidRules = {
  controlPlane: { first: 401, last: 499 },
  workers: { first: 501, last: 1499 },
  groups: new Map(),
};

type Given = {
  readonly existing?: Record<string, Resident>;
  readonly others?: readonly Resident[];
  readonly rules?: VmidRules;
};

const vmids = (machines: readonly Machine[], { existing = {}, others = [], rules = ranges }: Given = {}) =>
  Object.fromEntries(
    [
      ...identify({
        platform: 'p',
        machines,
        existing: new Map(Object.entries(existing)),
        others,
        vmids: rules,
        macPrefix: '02',
      }),
    ].map(([name, { vmid }]) => [name, vmid]),
  );

test('control planes count from 401, workers from 501, each pool from a hundred of its own', () => {
  expect(vmids([...group('cp', 3), ...group('general', 2), ...group('gpu', 2)])).toEqual({
    'cp-0': 401,
    'cp-1': 402,
    'cp-2': 403,
    'general-0': 501,
    'general-1': 502,
    'gpu-0': 601,
    'gpu-1': 602,
  });
});

test('removing the middle pool renumbers nobody, and what is new takes what is free', () => {
  const existing = { 'a-0': resident(501), 'c-0': resident(701), 'c-1': resident(702) };
  expect(vmids([...group('a', 2), ...group('c', 3), ...group('d', 1)], { existing })).toEqual({
    'a-0': 501,
    'a-1': 502,
    'c-0': 701,
    'c-1': 702,
    'c-2': 703,
    'd-0': 601,
  });
});

test('a machine removed from the middle leaves a gap, which the same machine gets back', () => {
  const existing = { 'a-0': resident(501), 'a-2': resident(503) };
  expect(vmids([machine('a-0'), machine('a-2')], { existing })).toEqual({ 'a-0': 501, 'a-2': 503 });
  expect(vmids(group('a', 3), { existing })).toEqual({ 'a-0': 501, 'a-1': 502, 'a-2': 503 });
});

test('VMIDs of others are never taken, and what the file fixes is kept', () => {
  const machines = [machine('cp-0'), machine('cp-1', { vmid: 110 }), machine('w-0'), machine('w-1')];
  expect(vmids(machines, { others: [resident(401), resident(403), resident(550)] })).toEqual({
    'cp-0': 402,
    'cp-1': 110,
    'w-0': 601,
    'w-1': 602,
  });
});

test('a pool with a range of its own stays in it, and nobody else begins there', () => {
  const rules = { ...ranges, groups: new Map([['b', { first: 501, last: 510 }]]) };
  expect(vmids([...group('a', 2), ...group('b', 2)], { rules })).toEqual({
    'a-0': 601,
    'a-1': 602,
    'b-0': 501,
    'b-1': 502,
  });
});

test('a range that is used up gives no VMID instead of somebody else’s', () => {
  const rules = { ...ranges, workers: { first: 501, last: 502 } };
  expect(vmids(group('w', 3), { rules })).toEqual({ 'w-0': 501, 'w-1': 502, 'w-2': null });
});

test('UUIDs are name-based, version 5, as any other implementation computes them', () => {
  expect([uuidOf('prod', 'prod-cp-0'), uuidOf('homelab', 'worker-1')]).toEqual([
    'aa897e4a-3814-5027-b3e7-22581067b673',
    '19c61f59-3486-5803-ad6d-eed0db68f32f',
  ]);
});

test('MAC addresses are locally administered unicast, or begin as the file wishes', () => {
  const macs = (macPrefix: string) =>
    [
      ...identify({
        platform: 'p',
        machines: group('w', 500),
        existing: new Map(),
        others: [],
        vmids: undefined,
        macPrefix,
      }).values(),
    ].map(({ mac }) => mac);
  const own = macs('02');
  expect(own.every((mac) => /^02(:[0-9A-F]{2}){5}$/.test(mac))).toBe(true);
  expect(new Set(own).size).toBe(500);
  expect(macs('BC:24:11').every((mac) => /^BC:24:11(:[0-9A-F]{2}){3}$/.test(mac))).toBe(true);
});

test('two names that meet at one MAC address are told apart', () => {
  const machines = group('w', 400);
  const identities = identify({
    platform: 'p',
    machines,
    existing: new Map(),
    others: [],
    vmids: undefined,
    macPrefix: '02',
  });
  const taken = [...identities.values()].map(({ mac }) => resident(1, { mac }));
  const again = identify({
    platform: 'p',
    machines,
    existing: new Map(),
    others: taken,
    vmids: undefined,
    macPrefix: '02',
  });
  const all = [...taken.map(({ mac }) => mac), ...[...again.values()].map(({ mac }) => mac)];
  expect(new Set(all).size).toBe(800);
});
