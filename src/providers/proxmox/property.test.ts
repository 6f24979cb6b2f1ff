import { expect, test } from 'vitest';
import { drivesOf } from './drive.ts';
import { gibOf, propertiesOf, propertyString } from './property.ts';

test('properties are read with and without the key of the first', () => {
  expect([...propertiesOf('virtio=BC:24:11:00:00:01,bridge=vmbr0,,tag=40,', 'model')]).toEqual([
    ['virtio', 'BC:24:11:00:00:01'],
    ['bridge', 'vmbr0'],
    ['tag', '40'],
  ]);
});

test('what is undefined is not written', () => {
  expect(propertyString('virtio=X', { bridge: 'vmbr0', tag: undefined, mtu: 9000 })).toBe(
    'virtio=X,bridge=vmbr0,mtu=9000',
  );
  expect(propertyString('', { ip: '10.0.0.1/24', gw: undefined })).toBe('ip=10.0.0.1/24');
});

test.each([
  ['40G', 40],
  ['1T', 1024],
  ['512M', 0.5],
  ['528K', 528 / 1024 / 1024],
  ['1073741824', 1],
  ['0T', 0],
  ['', undefined],
  [undefined, undefined],
  ['large', undefined],
])('%s is %s GiB', (size, gib) => {
  expect(gibOf(size)).toBe(gib);
});

test('drives are told apart: disks, media, and the one that Proxmox writes itself', () => {
  const config = {
    scsi10: 'ceph:vm-401-disk-9,size=1T',
    scsi0: 'local-lvm:vm-401-disk-1,discard=on,serial=system,size=40G',
    ide0: 'local-lvm:vm-401-cloudinit,media=cdrom',
    ide1: 'local:102/vm-102-cloudinit.qcow2,media=cdrom',
    ide2: 'local:iso/talos.iso,media=cdrom,size=16568K',
    ide3: 'none,media=cdrom',
    efidisk0: 'local-lvm:vm-401-disk-0,efitype=4m,size=528K',
    unused0: 'local-lvm:vm-401-disk-7',
    net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
  };
  expect(
    drivesOf(config).map(({ slot, volume, storage, kind, serial, sizeGiB }) => [
      slot,
      volume,
      storage,
      kind,
      serial,
      sizeGiB,
    ]),
  ).toEqual([
    ['ide0', 'local-lvm:vm-401-cloudinit', 'local-lvm', 'cloud-init', undefined, undefined],
    ['ide1', 'local:102/vm-102-cloudinit.qcow2', 'local', 'cloud-init', undefined, undefined],
    ['ide2', 'local:iso/talos.iso', 'local', 'cdrom', undefined, 16568 / 1024 / 1024],
    ['ide3', 'none', '', 'cdrom', undefined, undefined],
    ['scsi0', 'local-lvm:vm-401-disk-1', 'local-lvm', 'disk', 'system', 40],
    ['scsi10', 'ceph:vm-401-disk-9', 'ceph', 'disk', undefined, 1024],
  ]);
});
