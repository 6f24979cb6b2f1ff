import { expect, test } from 'vitest';
import { aVm, hostOf } from '../../../../../test/proxmox-vm.ts';

test('a clone is somebody else with the same shape', async () => {
  using lab = await aVm({
    name: 'source',
    memory: 64,
    tags: 'x',
    scsi0: 'disks:1,serial=s',
    ide0: 'disks:cloudinit',
    ide2: 'none,media=cdrom',
    net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
    smbios1: 'serial=YQ==,uuid=11111111-2222-4333-8444-555555555555,base64=1',
  });
  const [exit, ...log] = await lab.ends('POST /clone', { newid: 101 });
  expect([exit, log[0], log[1]]).toEqual([
    'OK',
    'creating a clone of VM 100 with ID 101',
    'create full clone of drive ide0 (disks:100/vm-100-cloudinit.qcow2)',
  ]);
  const { net0, smbios1, vmgenid, ...rest } = Object.fromEntries(lab.vm(101).config);
  const source = lab.vm().config;
  expect(rest).toEqual({
    boot: source.get('boot'),
    ide0: 'disks:101/vm-101-cloudinit.qcow2,media=cdrom',
    ide2: 'none,media=cdrom',
    memory: '64',
    meta: source.get('meta'),
    name: 'Copy-of-VM-source',
    scsi0: 'disks:101/vm-101-disk-0.raw,serial=s,size=1G',
    tags: 'x',
  });
  expect([net0 === source.get('net0'), vmgenid === source.get('vmgenid')]).toEqual([false, false]);
  expect(smbios1).toMatch(/^base64=1,serial=YQ==,uuid=(?!11111111)[0-9a-f-]{36}$/);
});

test.each<[Record<string, string | number>, string]>([
  [{ newid: 100 }, 'unable to create VM 100: config file already exists'],
  [{ newid: 101, full: 0, storage: 'thin' }, "parameter 'storage' not allowed for linked clones"],
  [{ newid: 101, full: 0 }, "Linked clone feature is not supported for 'disks:100/vm-100-disk-0.raw' (scsi0)"],
  [{ newid: 101, target: 'nosuch' }, "no such cluster node 'nosuch'"],
  [{ newid: 101, target: 'pve2' }, "can't clone VM to node 'pve2' (VM uses local storage)"],
  [{ newid: 101, target: 'pve2', storage: 'thin' }, "can't clone to non-shared storage 'thin'"],
  [{ newid: 101, storage: 'local' }, "storage: storage 'local' does not support vm images"],
  [{ newid: 101, snapname: 'nosuch' }, "snapshot 'nosuch' does not exist"],
  [{ newid: 101, pool: 'nosuch' }, "Permission check failed (pool 'nosuch' does not exist)"],
])('%o: %s', async (params, words) => {
  using lab = await aVm({ scsi0: 'disks:1' }, { hosts: 3 });
  expect(await lab.not('POST /clone', params)).toBe(words);
});

test('what every host sees is cloned to any of them', async () => {
  using lab = await aVm({ scsi0: 'shared:1' }, { hosts: 3 });
  expect((await lab.ends('POST /clone', { newid: 101, target: 'pve2', name: 'there' }))[0]).toBe('OK');
  expect([lab.vm(101).host, lab.vm(101).config.get('lock')]).toEqual(['pve2', undefined]);
});

test('a clone in progress is locked; one that fails leaves nothing', async () => {
  using lab = await aVm({ scsi0: 'disks:8' });
  const cloning = lab.ends('POST /clone', { newid: 101 });
  await lab.clock.advance(1000);
  expect(Object.fromEntries(lab.vm(101).config)).toEqual({ description: ' qmclone temporary file', lock: 'clone' });
  const task = hostOf(lab).tasks.at(-1);
  task?.abort();
  expect((await cloning)[0]).toMatch(/^clone failed: copy failed: command .* failed: received interrupt$/);
  expect([lab.datacenter.vms.has(101), lab.datacenter.storages.ofVm(hostOf(lab), 101)]).toEqual([false, []]);
});

test('a template has bases, of which clones are linked, and never starts', async () => {
  using lab = await aVm({ scsi0: 'disks:1', ide2: 'none,media=cdrom' });
  expect(await lab.ends('POST /template')).toEqual(['OK']);
  expect(lab.vm().config.get('scsi0')).toBe('disks:100/base-100-disk-0.raw,size=1G');
  expect(await lab.not('POST /template')).toBe("you can't convert a template to a template");
  expect(await lab.on('GET /feature', { feature: 'clone' })).toEqual({ hasFeature: 1, nodes: ['pve1'] });
  expect((await lab.ends('POST /clone', { newid: 101 })).slice(0, 3)).toEqual([
    'OK',
    'creating a clone of VM 100 with ID 101',
    'create linked clone of drive scsi0 (disks:100/base-100-disk-0.raw)',
  ]);
  expect(lab.vm(101).config.get('scsi0')).toBe('disks:100/base-100-disk-0.raw/101/vm-101-disk-0.qcow2,size=1G');
  expect(lab.vm(101).config.has('template')).toBe(false);
  expect(await lab.ends('POST /status/start')).toEqual(["you can't start a vm if it's a template"]);
});
