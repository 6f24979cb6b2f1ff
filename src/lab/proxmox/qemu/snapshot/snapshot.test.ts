import { expect, test } from 'vitest';
import { aVm, hostOf } from '../../../../../test/proxmox-vm.ts';
import type { VmRig } from '../../../../../test/proxmox-vm.ts';

const disk = (lab: VmRig, volid = 'thin:vm-100-disk-0') => {
  const volume = lab.datacenter.storages.find(hostOf(lab), volid);
  if (volume === undefined) throw new Error(`There is no ${volid}.`);
  return volume;
};

test('a snapshot remembers the configuration and what is on the disks', async () => {
  using lab = await aVm({ memory: 64, scsi0: 'thin:1' });
  disk(lab).written.state.set('installed', 'v1');
  expect(await lab.ends('POST /snapshot', { snapname: 'before', description: 'd' })).toEqual([
    'OK',
    "snapshotting 'drive-scsi0' (thin:vm-100-disk-0)",
  ]);
  disk(lab).written.state.set('installed', 'v2');
  await lab.on('PUT /config', { memory: 128, scsi1: 'thin:1' });
  const list = (await lab.on('GET /snapshot')) as { name: string }[];
  expect(list.map(({ name }) => name)).toEqual(['before', 'current']);
  expect(await lab.on('GET /config', { snapshot: 'before' })).toMatchObject({ memory: '64', description: 'd' });
  expect(await lab.ends('POST /snapshot/{snapname}/rollback', { snapname: 'before' })).toEqual(['OK']);
  expect([
    disk(lab).written.state.get('installed'),
    lab.vm().config.get('memory'),
    lab.vm().config.get('unused0'),
  ]).toEqual(['v1', '64', 'thin:vm-100-disk-1']);
  expect(lab.vm().config.get('parent')).toBe('before');
});

test('snapshots hang on each other, and one that goes hands over its place', async () => {
  using lab = await aVm({ scsi0: 'thin:1' });
  for (const snapname of ['a', 'b', 'c']) await lab.ends('POST /snapshot', { snapname });
  await lab.ends('DELETE /snapshot/{snapname}', { snapname: 'b' });
  expect([...lab.vm().snapshots].map(([name, section]) => [name, section.get('parent')])).toEqual([
    ['a', undefined],
    ['c', 'a'],
  ]);
  expect([lab.vm().config.get('parent'), lab.vm().config.has('lock')]).toEqual(['c', false]);
});

test('memory is saved with a running VM, and rolling back brings it up again', async () => {
  using lab = await aVm({ memory: 64, scsi0: 'thin:1' }, { runs: true });
  await lab.ends('POST /snapshot', { snapname: 'live', vmstate: 1 });
  expect(lab.vm().snapshots.get('live')?.get('vmstate')).toBe('thin:vm-100-state-live');
  await lab.ends('POST /status/stop');
  expect((await lab.ends('POST /snapshot/{snapname}/rollback', { snapname: 'live' }))[0]).toBe('OK');
  expect(lab.vm().run).toBeDefined();
  await lab.ends('DELETE /snapshot/{snapname}', { snapname: 'live' });
  expect(() => disk(lab, 'thin:vm-100-state-live')).toThrow();
});

test.each<[Record<string, string>, Record<string, string>, string]>([
  [{ scsi0: 'disks:1' }, { snapname: 'x' }, 'snapshot feature is not available'],
  [{ template: '1' }, { snapname: 'x' }, "you can't take a snapshot if it's a template"],
])('%o cannot take %o: %s', async (config, params, words) => {
  using lab = await aVm(config);
  expect(await lab.ends('POST /snapshot', params)).toEqual([words]);
});

test('names are taken once, and some are never free', async () => {
  using lab = await aVm();
  await lab.ends('POST /snapshot', { snapname: 'x' });
  expect(await lab.ends('POST /snapshot', { snapname: 'x' })).toEqual(["snapshot name 'x' already used"]);
  expect(await lab.not('POST /snapshot', { snapname: 'current' })).toBe(
    "unable to use snapshot name 'current' (reserved name)",
  );
  expect(await lab.ends('DELETE /snapshot/{snapname}', { snapname: 'y' })).toEqual(["snapshot 'y' does not exist"]);
  expect(await lab.ends('POST /snapshot/{snapname}/rollback', { snapname: 'y' })).toEqual([
    "snapshot 'y' does not exist",
  ]);
  await lab.on('PUT /snapshot/{snapname}/config', { snapname: 'x', description: 'later' });
  expect(await lab.on('GET /snapshot/{snapname}/config', { snapname: 'x' })).toMatchObject({ description: 'later' });
});
