import { expect, test } from 'vitest';
import { aVm, hostOf, node, vmid } from '../../../../../test/proxmox-vm.ts';
import type { VmRig } from '../../../../../test/proxmox-vm.ts';

const volumes = (lab: VmRig): string[] => lab.datacenter.storages.ofVm(hostOf(lab), vmid).map(({ name }) => name);

test.each<[Record<string, string | number>, boolean, string]>([
  [{ protection: 1 }, false, "can't remove VM 100 - protection mode enabled"],
  [{}, true, 'VM 100 is running - destroy failed'],
])('%o, running %s: %s', async (config, runs, words) => {
  using lab = await aVm(config, { runs });
  expect(await lab.not('DELETE')).toBe(words);
});

test('a VM that is not there, or is elsewhere, is refused at once', async () => {
  using lab = await aVm({}, { hosts: 3 });
  expect(await lab.not('DELETE', { vmid: 999 })).toBe(
    "Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist",
  );
  expect(await lab.not('DELETE', { node: 'pve2' })).toBe(
    "Configuration file 'nodes/pve2/qemu-server/100.conf' does not exist",
  );
});

test('disks that the configuration names go with it, others only on request', async () => {
  using lab = await aVm({ scsi0: 'disks:1', scsi1: 'disks:1', ide0: 'disks:cloudinit' });
  await lab.on('PUT /config', { delete: 'scsi1' });
  const host = hostOf(lab);
  lab.datacenter.storages.allocate(host, 'disks', { vmid, bytes: 1024 ** 3, purpose: 'disk' });
  expect(await lab.ends('DELETE')).toEqual(['OK']);
  expect(volumes(lab)).toEqual(['100/vm-100-disk-2.raw']);
  await lab.task('POST /nodes/{node}/qemu', { node, vmid });
  expect(await lab.ends('DELETE', { 'destroy-unreferenced-disks': 1, purge: 1 })).toEqual([
    'OK',
    'purging VM 100 from related configurations..',
  ]);
  expect([volumes(lab), lab.datacenter.vms.size]).toEqual([[], 0]);
});

test('a disk whose file is gone is only mentioned', async () => {
  using lab = await aVm({ scsi0: 'disks:1' });
  const volume = lab.datacenter.storages.find(hostOf(lab), 'disks:100/vm-100-disk-0.raw');
  if (volume !== undefined) lab.datacenter.storages.free(volume);
  expect(await lab.ends('DELETE')).toEqual([
    'OK',
    "disk image '/mnt/disks/images/100/vm-100-disk-0.raw' does not exist",
  ]);
});

test('its rights, its pool and its firewall forget it, with or without purging', async () => {
  using lab = await aVm();
  const { datacenter } = lab;
  const forgotten: string[] = [];
  Object.assign(datacenter.access, { forgetPath: (path: string) => void forgotten.push(path) });
  datacenter.pools.set('ours', { comment: undefined, vms: new Set([vmid, 101]), storages: new Set() });
  await lab.ends('DELETE');
  expect([forgotten, [...(datacenter.pools.get('ours')?.vms ?? [])]]).toEqual([['/vms/100'], [101]]);
});

test('without a quorum the disks are gone, and the configuration is not', async () => {
  using lab = await aVm({ scsi0: 'disks:1' }, { hosts: 3 });
  for (const name of ['pve2', 'pve3']) lab.datacenter.setHost(name, 'dead');
  const [exit] = await lab.ends('DELETE');
  expect(exit).toMatch(
    /^unable to open file '\/etc\/pve\/nodes\/pve1\/qemu-server\/100\.conf\.tmp\.\d+' - Permission denied$/,
  );
  expect([volumes(lab), lab.vm().config.get('scsi0')]).toEqual([[], 'disks:100/vm-100-disk-0.raw,size=1G']);
});

test('a VM of the HA manager is destroyed only with everything that speaks of it', async () => {
  using lab = await aVm();
  await lab.ask('POST /cluster/ha/resources', { sid: 'vm:100', state: 'stopped' });
  expect(await lab.not('DELETE')).toBe('unable to remove VM 100 - used in HA resources and purge parameter not set.');
  expect(await lab.ends('DELETE', { purge: 1 })).toEqual([
    'OK',
    'purging VM 100 from related configurations..',
    'NOTE: removed VM 100 from HA resource configuration.',
  ]);
  expect(await lab.ask('GET /cluster/ha/resources')).toEqual([]);
});

test('races: start wins over a destruction, a stop makes room for one, and of two one finds nothing', async () => {
  using lab = await aVm();
  const start = lab.ends('POST /status/start');
  const destroyed = lab.ends('DELETE');
  expect([await start, await destroyed]).toEqual([
    ['OK'],
    ['VM 100 is running - destroy failed', 'trying to acquire lock...', ' OK'],
  ]);
  const stop = lab.ends('POST /status/stop');
  await lab.clock.advance(1);
  const [first, second] = [lab.ends('DELETE'), lab.ends('DELETE')];
  expect([await stop, await first, await second]).toEqual([
    ['OK'],
    ['OK', 'trying to acquire lock...', ' OK'],
    ["Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist", 'trying to acquire lock...', ' OK'],
  ]);
});
