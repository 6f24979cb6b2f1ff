import { expect, test } from 'vitest';
import { cdrom, disk, volume } from '../../../../test/lab/vm.ts';
import { devicesOf } from './devices.ts';

test('drives are called as Linux calls them, whatever the order of boot', () => {
  const drives = [
    disk('scsi1', volume(), { serial: 'data' }),
    disk('scsi0', volume(), { serial: 'system' }),
    cdrom('ide2', volume({ content: 'iso' })),
    disk('virtio0', volume(), { serial: 'fast' }),
    disk('sata0', volume()),
    cdrom('ide0', undefined),
    disk('efidisk0', volume()),
  ];
  expect(
    devicesOf(drives).map(({ drive, disk: { name, serial, transport, symlinks = [] } }) => [
      drive.slot,
      name,
      serial,
      transport,
      ...symlinks,
    ]),
  ).toEqual([
    ['ide2', 'sr0', '', 'ata'],
    ['sata0', 'sda', 'QM00001', 'sata', '/dev/disk/by-id/ata-QEMU_HARDDISK_QM00001'],
    ['scsi0', 'sdb', '', 'virtio', '/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_system'],
    ['scsi1', 'sdc', '', 'virtio', '/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_data'],
    ['virtio0', 'vda', 'fast', 'virtio', '/dev/disk/by-id/virtio-fast'],
  ]);
});

test('after sdz comes sdaa', () => {
  const many = Array.from({ length: 28 }, (_, index) => disk(`scsi${index}`, volume()));
  expect(
    devicesOf(many)
      .map(({ disk: { name } }) => name)
      .slice(25),
  ).toEqual(['sdz', 'sdaa', 'sdab']);
});
