import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aDatacenter, type DoorlessDatacenter } from '../../../../test/proxmox-datacenter.ts';

const aVm = (lab: DoorlessDatacenter, vmid: number) => lab.task('POST /nodes/{node}/qemu', { node: 'pve1', vmid });

test('pools nest, and are listed by name', async () => {
  using lab = aDatacenter();
  await lab.ask('POST /pools', { poolid: 'ours', comment: 'c' });
  await lab.ask('POST /pools', { poolid: 'ours/inner' });
  await lab.ask('POST /pools', { poolid: 'a' });
  expect(await lab.ask('GET /pools')).toEqual([
    { poolid: 'a' },
    { poolid: 'ours', comment: 'c' },
    { poolid: 'ours/inner' },
  ]);
  expect(await lab.refused('POST /pools', { poolid: 'ours' })).toBe("create pool failed: pool 'ours' already exists");
  expect(await lab.refused('POST /pools', { poolid: 'no/inner' })).toBe(
    "create pool failed: parent 'no' of pool 'no/inner' does not exist",
  );
  expect(await lab.refused('POST /pools', { poolid: '9lives' })).toBe(
    'create pool failed: pool name must start with a letter',
  );
  expect(await lab.refused('DELETE /pools', { poolid: 'ours' })).toBe(
    "delete pool failed: pool 'ours' is not empty (contains pool 'ours/inner')",
  );
});

test('one pool is a list of one, or itself where the path names it', async () => {
  using lab = aDatacenter();
  await lab.ask('POST /pools', { poolid: 'ours' });
  expect(await lab.ask('GET /pools', { poolid: 'ours' })).toEqual([{ poolid: 'ours', members: [] }]);
  expect(await lab.ask('GET /pools/{poolid}', { poolid: 'ours' })).toEqual({ poolid: 'ours', members: [] });
  for (const call of ['GET /pools', 'GET /pools/{poolid}'])
    expect(await lab.refused(call, { poolid: 'no' })).toBe("pool 'no' does not exist");
});

test('members come and go, and are in one pool at a time', async () => {
  using lab = aDatacenter();
  for (const vmid of [101, 102]) await aVm(lab, vmid);
  for (const poolid of ['one', 'two']) await lab.ask('POST /pools', { poolid });
  const change = (poolid: string, rest: Record<string, string | number>) =>
    lab.refused('PUT /pools', { poolid, ...rest });
  expect(await change('one', { vms: '101,102' })).toBe('no refusal');
  expect(await change('one', { vms: '102' })).toBe('update pools failed: VM 102 is already a pool member');
  expect(await change('two', { vms: '102' })).toBe(
    "update pools failed: VM 102 belongs already to pool 'one' and 'allow-move' is not set",
  );
  expect(await change('two', { vms: '102', 'allow-move': 1 })).toBe('no refusal');
  expect(await change('one', { vms: '102', delete: 1 })).toBe('update pools failed: VM 102 is not a pool member');
  const [one] = (await lab.ask('GET /pools', { poolid: 'one' })) as [{ members: { vmid: number }[] }];
  expect(one.members.map(({ vmid }) => vmid)).toEqual([101]);
  expect(await lab.refused('DELETE /pools', { poolid: 'one' })).toBe(
    "delete pool failed: pool 'one' is not empty (contains VM 101)",
  );
});

test('a change with one mistake in it changes nothing', async () => {
  using lab = aDatacenter();
  await lab.ask('POST /pools', { poolid: 'ours' });
  await lab.ask('PUT /pools', { poolid: 'ours', vms: '102' });
  expect(await lab.refused('PUT /pools', { poolid: 'ours', comment: 'new', vms: '101,102' })).toMatch('102 is already');
  expect(lab.datacenter.pools.get('ours')).toMatchObject({ comment: undefined, vms: new Set([102]) });
});

test('nobody looks whether members are there; those that are not do not hold a pool', async () => {
  using lab = aDatacenter();
  await lab.ask('POST /pools', { poolid: 'ghosts' });
  await lab.ask('PUT /pools', { poolid: 'ghosts', vms: '9999', storage: 'nowhere' });
  expect(await lab.ask('GET /pools', { poolid: 'ghosts' })).toEqual([{ poolid: 'ghosts', members: [] }]);
  expect(await lab.refused('DELETE /pools', { poolid: 'ghosts' })).toBe('no refusal');
  expect(await lab.refused('DELETE /pools', { poolid: 'ghosts' })).toBe(
    "delete pool failed: pool 'ghosts' does not exist",
  );
});

test('storages are members too, and can be asked for alone', async () => {
  using lab = aDatacenter();
  await aVm(lab, 101);
  await lab.ask('POST /pools', { poolid: 'ours' });
  await lab.ask('PUT /pools', { poolid: 'ours', vms: '101', storage: 'local' });
  const of = async (type: string) =>
    ((await lab.ask('GET /pools', { poolid: 'ours', type })) as [{ members: { id: string }[] }])[0].members.map(
      ({ id }) => id,
    );
  expect([await of('storage'), await of('qemu'), await of('lxc')]).toEqual([['storage/pve1/local'], ['qemu/101'], []]);
  expect(await lab.refused('PUT /pools', { poolid: 'ours', storage: 'local' })).toBe(
    "update pools failed: Storage 'local' is already a pool member",
  );
});

test('rights over members are asked for one by one', async () => {
  using lab = aDatacenter();
  await lab.ask('POST /pools', { poolid: 'ours' });
  const may = (path: string): boolean => path !== '/vms/7';
  expect(await lab.refused('PUT /pools', { poolid: 'ours', vms: '7' }, { may })).toBe(
    'update pools failed: 403 Permission check failed (/vms/7, Permissions.Modify|VM.Allocate)',
  );
});

test('without a majority nothing is created', async () => {
  using lab = aDatacenter({ hosts: 2 });
  lab.datacenter.setHost('pve2', 'dead');
  const refused = lab.refused('POST /pools', { poolid: 'ours' });
  await lab.clock.advance(10_000);
  expect(await refused).toBe("create pool failed: cfs-lock 'file-user_cfg' error: no quorum!");
});

const ids = fc.constantFrom('a', 'b', 'a/x', 'b/y');
const deeds = fc.array(
  fc.oneof(
    fc.record({ call: fc.constantFrom('POST /pools', 'DELETE /pools'), poolid: ids }),
    fc.record({
      call: fc.constant('PUT /pools'),
      poolid: ids,
      vms: fc.integer({ min: 1, max: 4 }),
      delete: fc.integer({ min: 0, max: 1 }),
      'allow-move': fc.integer({ min: 0, max: 1 }),
    }),
  ),
  { maxLength: 30 },
);

test('whatever is done, a guest is in one pool at most, and no pool is without its parent', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (sequence) => {
      using lab = aDatacenter();
      for (const { call, ...params } of sequence) await lab.refused(call, params);
      const { pools } = lab.datacenter;
      const members = [...pools.values()].flatMap(({ vms }) => [...vms]);
      expect(new Set(members).size).toBe(members.length);
      for (const id of pools.keys()) if (id.includes('/')) expect(pools.has(id.split('/')[0] ?? '')).toBe(true);
    }),
    { numRuns: 50 },
  );
});
