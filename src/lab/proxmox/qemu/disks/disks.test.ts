import { describe, expect, test } from 'vitest';
import { aVm, hostOf, node } from '../../../../../test/proxmox-vm.ts';

describe('growing', () => {
  test.each([
    ['2G', 'size=2G'],
    ['+512M', 'size=1536M'],
    ['1.5G', 'size=1536M'],
    ['2147483648', 'size=2G'],
    ['1024M', 'size=1G'],
    ['+0', 'size=1G'],
  ])('by %s', async (size, kept) => {
    using lab = await aVm({ scsi0: 'disks:1' });
    const [exit] = await lab.ends('PUT /resize', { disk: 'scsi0', size });
    expect([exit, lab.vm().config.get('scsi0')]).toEqual(['OK', `disks:100/vm-100-disk-0.raw,${kept}`]);
  });

  test.each<[Record<string, string>, string]>([
    [{ disk: 'scsi0', size: '512M' }, 'shrinking disks is not supported'],
    [{ disk: 'scsi7', size: '2G' }, "disk 'scsi7' does not exist"],
    [{ disk: 'ide2', size: '2G' }, "you can't resize a cdrom"],
    [{ disk: 'scsi0', size: '2G', digest: '0'.repeat(40) }, 'checksum mismatch (file change by other user?)'],
  ])('%o fails in the task: %s', async (params, words) => {
    using lab = await aVm({ scsi0: 'disks:1', ide2: 'none,media=cdrom' });
    expect(await lab.ends('PUT /resize', params)).toEqual([words]);
  });

  test('a disk of a running VM is seen by its guest', async () => {
    using lab = await aVm({ scsi0: 'disks:1' }, { runs: true });
    expect(await lab.ends('PUT /resize', { disk: 'scsi0', size: '3G' })).toEqual(['OK']);
    expect(lab.started[0]?.drives[0]?.volume?.bytes).toBe(3 * 1024 ** 3);
  });

  test('of a VM that nobody has is found out by the task', async () => {
    using lab = await aVm();
    expect(await lab.ends('PUT /resize', { vmid: 999, disk: 'scsi0', size: '2G' })).toEqual([
      "Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist",
    ]);
  });
});

describe('moving', () => {
  test('to another storage leaves the source behind, or not', async () => {
    using lab = await aVm({ scsi0: 'disks:1' });
    const [exit, first] = await lab.ends('POST /move_disk', { disk: 'scsi0', storage: 'thin' });
    expect([exit, first]).toEqual([
      'OK',
      "copying volume 'disks:100/vm-100-disk-0.raw' from current storage 'disks' to target storage 'thin'",
    ]);
    expect([lab.vm().config.get('scsi0'), lab.vm().config.get('unused0')]).toEqual([
      'thin:vm-100-disk-0,size=1G',
      'disks:100/vm-100-disk-0.raw',
    ]);
    await lab.ends('POST /move_disk', { disk: 'scsi0', storage: 'disks', delete: 1 });
    expect(lab.vm().config.get('scsi0')).toBe('disks:100/vm-100-disk-1.raw,size=1G');
    expect(lab.datacenter.storages.find(hostOf(lab), 'thin:vm-100-disk-0')).toBeUndefined();
  });

  test.each<[Record<string, string | number>, string]>([
    [{ disk: 'scsi0', storage: 'disks' }, "you can't move to the same storage with same format"],
    [{ disk: 'scsi9', storage: 'thin' }, "disk 'scsi9' does not exist"],
    [{ disk: 'ide2', storage: 'thin' }, "you can't move a cdrom"],
    [
      { disk: 'scsi0' },
      "target-vmid: both 'storage' and 'target-vmid' missing, either needs to be set,storage: both 'storage' and 'target-vmid' missing, either needs to be set",
    ],
    [{ disk: 'scsi0', 'target-vmid': 100 }, 'target-vmid: must be different than source VMID to reassign disk'],
    [{ disk: 'scsi0', 'target-vmid': 999 }, 'could not find target VM 999'],
  ])('%o: %s', async (params, words) => {
    using lab = await aVm({ scsi0: 'disks:1', ide2: 'none,media=cdrom' });
    expect(await lab.not('POST /move_disk', params)).toBe(words);
  });

  test('to another VM takes it out of the boot order', async () => {
    using lab = await aVm({ scsi0: 'disks:1', scsi1: 'disks:1', boot: 'order=scsi0;scsi1' });
    await lab.task('POST /nodes/{node}/qemu', { node, vmid: 101 });
    expect(await lab.ends('POST /move_disk', { disk: 'scsi1', 'target-vmid': 101, 'target-disk': 'scsi3' })).toEqual([
      'OK',
      "reassign disk 'scsi1' from VM '100' as 'scsi3' to VM '101'",
      "removing disk 'scsi1' from boot order config",
      "removing disk 'scsi1' from VM '100' config",
    ]);
    expect([lab.vm().config.get('boot'), lab.vm().config.has('scsi1'), lab.vm(101).config.get('scsi3')]).toEqual([
      'order=scsi0',
      false,
      'disks:101/vm-101-disk-0.raw,size=1G',
    ]);
  });
});

test('a storage makes one volume at a time, and who waits says so', async () => {
  using lab = await aVm();
  const tasks = await Promise.all(
    [101, 102].map((vmid) => lab.task('POST /nodes/{node}/qemu', { node, vmid, scsi0: 'disks:1' })),
  );
  expect(tasks.map(({ log }) => log.slice(0, 2))).toEqual([
    [
      "Formatting '/mnt/disks/images/101/vm-101-disk-0.raw', fmt=raw size=1073741824 preallocation=off",
      "scsi0: successfully created disk 'disks:101/vm-101-disk-0.raw,size=1G'",
    ],
    ['trying to acquire lock...', ' OK'],
  ]);
});
