import { expect, test } from 'vitest';
import { diskMatches } from './disk-match.ts';
import type { DiskFacts } from './rules/install.ts';

const disk: DiskFacts = {
  path: '/dev/sda',
  sizeBytes: 20n * 1024n ** 3n,
  model: 'QEMU HARDDISK',
  serial: 'system',
  transport: 'virtio',
  busPath: '/pci0000:00/virtio1',
  rotational: true,
};

test.each<[string, boolean]>([
  ['disk.dev_path == "/dev/sda"', true],
  ["disk.dev_path == '/dev/sdb'", false],
  ['disk.size >= 20u * GiB', true],
  ['disk.size > 20u * GiB', false],
  ['disk.size <= 21474836480u && disk.size == 21474836480u', true],
  ['disk.size < 22u * GB', true],
  ['glob("QEMU*", disk.model) && disk.transport != "" && !disk.readonly && !disk.cdrom', true],
  ['glob("sys?em", disk.serial)', true],
  ['glob("other*", disk.serial)', false],
  ['disk.rotational', true],
  ['!disk.rotational', false],
  ['disk.transport == "nvme"', false],
  // What it does not understand it takes to be true.
  ['!system_disk', true],
  ['true', true],
])('%s: %s', (expression, holds) => {
  expect(diskMatches(expression, disk)).toBe(holds);
});
