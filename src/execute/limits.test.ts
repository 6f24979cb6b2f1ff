import { expect, test } from 'vitest';
import type { MachineRef } from '../model/observed.ts';
import type { Step } from '../model/step.ts';
import { limitsFor, Places, systemsOf } from './limits.ts';

const ref: MachineRef = { mark: { platform: 'prod', name: 'cp-0', uuid: 'u' }, id: '401', host: 'pve1' };
const start: Step = { kind: 'machine.start', machine: 'cp-0', ref };
const onAll = { kind: 'image.ensure', hosts: ['pve1', 'pve2', 'pve1'] } as unknown as Step;

test.each<[Step, readonly string[]]>([
  [start, ['host:pve1']],
  [onAll, ['host:pve1', 'host:pve2']],
  [{ kind: 'machines.guard', refs: [ref], digest: 'd' }, ['provider']],
  [{ kind: 'talos.configure', machine: 'cp-0', ref }, ['talos:cp-0']],
  [{ kind: 'talos.reach', machine: 'cp-0', ref }, []],
  [{ kind: 'etcd.await-member', machine: 'cp-0', ref }, []],
  [{ kind: 'etcd.leave', machine: 'cp-0', address: 'a', hostname: 'h' }, ['etcd']],
  [{ kind: 'cluster.await-healthy', except: [] }, []],
  [{ kind: 'node.drain', machine: 'w-0', node: 'w-0' }, ['kubernetes']],
  [{ kind: 'secrets.make' }, ['here']],
])('%j keeps busy %j', (step, systems) => {
  expect(systemsOf(step)).toEqual(systems);
});

test('a host has room for so many and no more', () => {
  const limits = limitsFor(100);
  const places = new Places(limits);
  const taken = Array.from({ length: 20 }, () => places.take(start)).filter(Boolean);
  expect(taken).toHaveLength(limits.host);
  places.give(start);
  expect(places.take(start)).toBe(true);
});

test('what needs several hosts takes all of them or none', () => {
  const limits = limitsFor(100);
  const places = new Places(limits);
  while (places.take(start));
  expect(places.take(onAll)).toBe(false);
  const other: Step = { kind: 'machine.start', machine: 'cp-1', ref: { ...ref, host: 'pve2' } };
  expect(Array.from({ length: 20 }, () => places.take(other)).filter(Boolean)).toHaveLength(limits.host);
});

test('the number of steps over all systems is kept, and waiting does not count', () => {
  const places = new Places(limitsFor(1));
  const reach: Step = { kind: 'talos.reach', machine: 'cp-0', ref };
  expect([places.take(reach), places.take({ kind: 'secrets.make' }), places.take(start), places.take(reach)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
