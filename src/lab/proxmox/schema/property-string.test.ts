import { expect, test } from 'vitest';
import { scsi } from '../../../wire/proxmox/vm-drives.ts';
import { nic, vmFormats } from '../../../wire/proxmox/vm-formats.ts';
import type { Parts } from '../../../wire/proxmox/notation.ts';
import { printPropertyString, parsePropertyString } from './property-string.ts';

const boot: Parts = vmFormats['pve-qm-boot'] ?? {};

test.each<[string, Parts, string, Record<string, string>]>([
  ['a disk', scsi, 'tank:vm-7-disk-0,ssd=yes,size=3G', { file: 'tank:vm-7-disk-0', ssd: '1', size: '3G' }],
  ['a disk with every key', scsi, 'volume=tank:4,', { file: 'tank:4' }],
  [
    'a card with its address',
    nic,
    'e1000=02:00:00:00:00:0A,bridge=vmbr3',
    { model: 'e1000', macaddr: '02:00:00:00:00:0A', bridge: 'vmbr3' },
  ],
  ['a card alone', nic, 'virtio,firewall=off', { model: 'virtio', firewall: '0' }],
  ['an order', boot, 'order=scsi1;net0', { order: 'scsi1;net0' }],
])('%s is taken apart', (_, parts, text, expected) => {
  expect(parsePropertyString(parts, text)).toEqual(expected);
});

test.each<[string, Parts, string]>([
  ['tank:1,ssd=1,ssd=0', scsi, 'duplicate key in comma-separated list property: ssd'],
  ['tank:1,tank:2', scsi, 'duplicate key in comma-separated list property: file'],
  ['tank:1,ssd=', scsi, 'missing key in comma-separated list property'],
  ['virtio=02:00:00:00:00:01,e1000=02:00:00:00:00:02', nic, "key alias 'model' is already defined"],
  ['tank:1,volume=tank:2', scsi, "key 'file' is already defined (via alias)"],
])('%s is not taken', (text, parts, message) => {
  expect(() => parsePropertyString(parts, text)).toThrow(message);
});

test('what is printed begins with what needs no name, and is in order behind it', () => {
  expect([
    printPropertyString(scsi, { ssd: '1', size: String(3 * 2 ** 30), discard: 'on', file: 'tank:7/vm-7-disk-0.raw' }),
    printPropertyString(nic, { tag: '40', bridge: 'vmbr0', macaddr: '02:00:00:00:00:0a', model: 'virtio' }),
    printPropertyString(scsi, { file: 'tank:none', size: '0' }),
  ]).toEqual([
    'tank:7/vm-7-disk-0.raw,discard=on,size=3G,ssd=1',
    'virtio=02:00:00:00:00:0a,bridge=vmbr0,tag=40',
    'tank:none,size=0T',
  ]);
});
