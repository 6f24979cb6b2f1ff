import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aDatacenter, type DoorlessDatacenter } from '../../../../test/proxmox-datacenter.ts';
import type { Row } from './resources.ts';

const second = 1000;

const create = (lab: DoorlessDatacenter, vmid: number, name: string, node = 'pve1') =>
  lab.task('POST /nodes/{node}/qemu', { node, vmid, name, memory: 2048 });

async function rowsOf(lab: DoorlessDatacenter, type?: string, on?: string): Promise<readonly Row[]> {
  const circumstances = on === undefined ? {} : { on };
  return (await lab.ask('GET /cluster/resources', type === undefined ? {} : { type }, circumstances)) as readonly Row[];
}

const row = async (lab: DoorlessDatacenter, id: string, on?: string): Promise<Row | undefined> =>
  (await rowsOf(lab, undefined, on)).find((each) => each['id'] === id);

test('a new VM is there at once, and nobody knows more about it until the next look', async () => {
  using lab = aDatacenter();
  await lab.clock.advance(1);
  await create(lab, 101, 'first');
  expect(await rowsOf(lab, 'vm')).toEqual([
    { id: 'qemu/101', vmid: 101, node: 'pve1', type: 'qemu', status: 'unknown' },
  ]);
  await lab.clock.advance(10 * second);
  expect(await row(lab, 'qemu/101')).toMatchObject({
    status: 'stopped',
    name: 'first',
    maxmem: 2048 * 1024 ** 2,
    template: 0,
  });
});

test('a VMID that is given again shows the VM that had it before, until the next look', async () => {
  using lab = aDatacenter();
  await create(lab, 101, 'first');
  await lab.clock.advance(10 * second);
  await lab.task('DELETE /nodes/{node}/qemu/{vmid}', { node: 'pve1', vmid: 101 });
  expect(await rowsOf(lab, 'vm')).toEqual([]);
  await create(lab, 101, 'second');
  expect(await row(lab, 'qemu/101')).toMatchObject({ name: 'first' });
  await lab.clock.advance(10 * second);
  expect(await row(lab, 'qemu/101')).toMatchObject({ name: 'second' });
});

test('tags, lock and pool are true at once', async () => {
  using lab = aDatacenter();
  await create(lab, 101, 'first');
  await lab.ask('POST /pools', { poolid: 'ours' });
  await lab.ask('PUT /pools', { poolid: 'ours', vms: 101 });
  const { config } = lab.datacenter.vms.get(101) ?? { config: new Map<string, string>() };
  config.set('tags', 'a;b').set('lock', 'backup');
  expect(await row(lab, 'qemu/101')).toMatchObject({ status: 'unknown', tags: 'a;b', lock: 'backup', pool: 'ours' });
});

test('what a dead host told last is believed for five minutes; that it is dead is known at once', async () => {
  using lab = aDatacenter({ hosts: 3, storages: [{ id: 'local', content: ['iso'] }] });
  await create(lab, 101, 'far', 'pve3');
  await lab.clock.advance(10 * second);
  lab.datacenter.setHost('pve3', 'dead');
  await lab.clock.advance(290 * second);
  expect(await row(lab, 'qemu/101')).toMatchObject({ status: 'stopped', name: 'far' });
  expect(await row(lab, 'storage/pve3/local')).toMatchObject({ status: 'available' });
  const offline = await row(lab, 'node/pve3');
  expect(Object.keys(offline ?? {}).toSorted()).toEqual([
    'cgroup-mode',
    'id',
    'level',
    'maxcpu',
    'maxdisk',
    'maxmem',
    'node',
    'status',
    'type',
  ]);
  await lab.clock.advance(20 * second);
  expect(await row(lab, 'qemu/101')).toEqual({
    id: 'qemu/101',
    vmid: 101,
    node: 'pve3',
    type: 'qemu',
    status: 'unknown',
  });
  expect(await row(lab, 'storage/pve3/local')).toMatchObject({ status: 'unknown' });
  expect(await row(lab, 'node/pve3')).toEqual({
    id: 'node/pve3',
    node: 'pve3',
    type: 'node',
    status: 'offline',
    'cgroup-mode': 2,
  });
});

test('a host that is cut off knows only what happens on itself', async () => {
  using lab = aDatacenter({ hosts: 3 });
  await create(lab, 101, 'here', 'pve1');
  await lab.clock.advance(10 * second);
  lab.datacenter.setHost('pve3', 'cut off');
  lab.datacenter.vms.get(101)?.config.set('name', 'renamed');
  await lab.clock.advance(10 * second);
  expect(await row(lab, 'qemu/101', 'pve1')).toMatchObject({ name: 'renamed' });
  expect(await row(lab, 'qemu/101', 'pve3')).toMatchObject({ name: 'here' });
  expect([await row(lab, 'node/pve3', 'pve1'), await row(lab, 'node/pve1', 'pve3')]).toMatchObject([
    { status: 'offline' },
    { status: 'offline' },
  ]);
});

test('who may see nothing sees the names of hosts', async () => {
  using lab = aDatacenter({ containers: [{ vmid: 300, host: 'pve1' }] });
  await lab.ask('POST /pools', { poolid: 'ours' });
  await create(lab, 101, 'first');
  const seen = await lab.ask('GET /cluster/resources', {}, { may: () => false });
  expect(seen).toEqual([
    { id: 'node/pve1', node: 'pve1', type: 'node', status: 'online', level: '', 'cgroup-mode': 2 },
  ]);
});

test('containers and pools are among it, and a pool adds up what runs in it', async () => {
  using lab = aDatacenter({ containers: [{ vmid: 300, host: 'pve1', cpus: 2, memoryMiB: 1024 }] });
  await lab.ask('POST /pools', { poolid: 'ours' });
  await lab.ask('PUT /pools', { poolid: 'ours', vms: '300' });
  await lab.clock.advance(10 * second);
  expect(await row(lab, 'lxc/300')).toMatchObject({ type: 'lxc', status: 'running', maxcpu: 2, pool: 'ours' });
  expect(await row(lab, '/pool/ours')).toMatchObject({ type: 'pool', maxcpu: 2, maxmem: 1024 ** 3, uptime: 3600 });
});

test('kinds can be asked for one by one, and 8 has another word for its network', async () => {
  using nine = aDatacenter();
  using eight = aDatacenter({ version: '8.4' });
  const types = async (lab: DoorlessDatacenter, type?: string) => [
    ...new Set((await rowsOf(lab, type)).map((each) => each['type'])),
  ];
  expect(await types(nine)).toEqual(['node', 'storage', 'network']);
  expect(await types(nine, 'sdn')).toEqual([]);
  expect(await types(eight)).toEqual(['node', 'storage', 'sdn']);
  expect(await types(eight, 'sdn')).toEqual(['sdn']);
});

test('statistics are never newer than the last look, whatever happens when', async () => {
  const deeds = fc.array(
    fc.record({ wait: fc.integer({ min: 0, max: 15 * second }), name: fc.stringMatching(/^[a-z]{1,6}$/) }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(deeds, async (sequence) => {
      using lab = aDatacenter();
      await create(lab, 101, 'start');
      const started = new Date('2026-11-15T12:00:00Z').getTime();
      const names = [{ at: lab.clock.now().getTime(), name: 'start' }];
      for (const { wait, name } of sequence) {
        await lab.clock.advance(wait);
        lab.datacenter.vms.get(101)?.config.set('name', name);
        names.push({ at: lab.clock.now().getTime(), name });
        const now = lab.clock.now().getTime();
        const looked = now - ((now - started) % (10 * second));
        // What is set at the very moment of a look is not yet part of it.
        const known = names.findLast(({ at }) => at < looked)?.name;
        expect((await row(lab, 'qemu/101'))?.['name']).toBe(known);
      }
    }),
    { numRuns: 30 },
  );
});
