import { describe, expect, test } from 'vitest';
import { bootDevices, bootDiskBytes, bootDisks, defaultOrder, printOrder } from './boot-order.ts';
import { parseDrive, printDrive } from './drive.ts';
import { newMac, parseNet, printNet } from './net.ts';
import { parseSize, printSize, renderBytes } from './size.ts';
import { uniqueTags } from './tags.ts';
import { isConfigKey, shown } from './values.ts';

describe('drives', () => {
  test.each([
    [
      'scsi0',
      'local-lvm:vm-1-disk-0,ssd=on,iothread=yes,backup=no,size=2147483648',
      'local-lvm:vm-1-disk-0,backup=0,iothread=1,size=2G,ssd=1',
    ],
    ['ide2', 'media=cdrom,file=local:iso/x.iso,', 'local:iso/x.iso,media=cdrom'],
    ['scsi1', 'volume=a:1,serial=s,discard=on', 'a:1,discard=on,serial=s'],
    ['efidisk0', 'a:1,pre-enrolled-keys=0,efitype=4m', 'a:1,efitype=4m,pre-enrolled-keys=0'],
  ])('%s is printed the way it is kept: %s', (slot, given, kept) => {
    const drive = parseDrive(slot, given);
    expect(drive === undefined ? undefined : printDrive(drive)).toBe(kept);
  });

  test.each([
    ['ide2', 'a:iso/x.iso,media=cdrom,format=raw'],
    ['virtio0', 'a:iso/x.iso,media=cdrom'],
    ['scsi0', 'ssd=1'],
  ])('%s cannot be %s', (slot, given) => {
    expect(parseDrive(slot, given)).toBeUndefined();
  });
});

describe('network cards', () => {
  test.each([
    ['model=virtio,bridge=vmbr0', 'virtio,bridge=vmbr0'],
    [
      'bridge=vmbr0,firewall=yes,virtio=bc:24:11:00:00:02,tag=7',
      'virtio=bc:24:11:00:00:02,bridge=vmbr0,firewall=1,tag=7',
    ],
    ['e1000,macaddr=02:00:00:00:00:01,rate=10.5', 'e1000=02:00:00:00:00:01,rate=10.5'],
  ])('%s is printed as %s', (given, kept) => {
    expect(printNet(parseNet(given))).toBe(kept);
  });

  test('a new address stands behind the prefix of the data centre, in capitals', () => {
    expect(newMac(() => 0.67)).toBe('BC:24:11:AB:AB:AB');
    expect(newMac(() => 0.67, '02:ab')).toBe('02:AB:AB:AB:AB:AB');
  });
});

describe('the boot order', () => {
  const config = new Map([
    ['scsi1', 'a:vm-1-disk-1,size=1G'],
    ['scsi0', 'a:vm-1-disk-0,size=2G'],
    ['ide2', 'a:iso/x.iso,media=cdrom'],
    ['net1', 'virtio'],
  ]);

  test('is the first disk, medium and card where nobody says anything', () => {
    expect(printOrder(defaultOrder(config))).toBe('order=scsi0;ide2;net1');
    expect(printOrder(defaultOrder(new Map()))).toBe('');
  });

  test.each([
    ['order=ide2;scsi1', ['ide2', 'scsi1'], ['ide2', 'scsi1'], 1024 ** 3],
    ['cdn', ['ide2', 'net1'], [], 0],
    [' ', [], [], 0],
  ])('%s', (boot, devices, disks, bytes) => {
    const given = new Map([...config, ['boot', boot]]);
    expect([bootDevices(given), bootDisks(given), bootDiskBytes(given)]).toEqual([devices, disks, bytes]);
  });
});

test.each([
  [0, '0T'],
  [528 * 1024, '528K'],
  [2560 * 1024 ** 2, '2560M'],
  [20 * 1024 ** 3, '20G'],
  [500_000_256, '500000256'],
])('%i bytes are %s', (bytes, text) => {
  expect([printSize(bytes), parseSize(text)]).toEqual([text, bytes]);
});

test('sizes may have fractions, and progress is told in the largest unit', () => {
  expect([parseSize('2.5G'), parseSize('1x'), renderBytes(0), renderBytes(540_672)]).toEqual([
    2_684_354_560,
    undefined,
    '0.0 B',
    '528.0 KiB',
  ]);
});

test.each([
  ['Zeta;alpha, Beta alpha', undefined, 'alpha;beta;zeta'],
  ['Zeta;alpha;Beta;alpha', 'case-sensitive=1,ordering=config', 'Zeta;alpha;Beta'],
  ['b;B;a', 'case-sensitive=1', 'B;a;b'],
  ['', undefined, ''],
])('tags %s with %s are kept as %s', (given, style, kept) => {
  expect(uniqueTags(given, style)).toBe(kept);
});

test('numbers are numbers where they are shown, passwords are hidden, and keys have their range', () => {
  expect(
    shown(new Map(Object.entries({ cores: '2', memory: '512', onboot: '1', cpulimit: '1', cipassword: 'x' }))),
  ).toEqual({
    cores: 2,
    memory: '512',
    onboot: 1,
    cpulimit: '1',
    cipassword: '**********',
  });
  expect(['scsi30', 'scsi31', 'net31', 'nosuch', 'efidisk0', 'unused255'].map(isConfigKey)).toEqual([
    true,
    false,
    true,
    false,
    true,
    true,
  ]);
});
