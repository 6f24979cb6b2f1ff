import { alias, first, flag, integer, needed, number, oneOf, text } from './notation.ts';
import type { Parts } from './notation.ts';
import { volumeFormat, volumeId } from './values.ts';

const numbered = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

/** Slots that a disk can be in. */
export const drives: readonly string[] = [
  ...numbered('ide', 4),
  ...numbered('scsi', 31),
  ...numbered('virtio', 16),
  ...numbered('sata', 6),
  'efidisk0',
  'tpmstate0',
];
export const unusedVolumes: readonly string[] = numbered('unused', 256);

const file: Parts = {
  file: needed(first(text({ format: 'pve-volume-id-or-qm-path' }))),
  volume: alias('file'),
  size: text({ format: 'disk-size' }),
};
const imported: Parts = { 'import-from': text({ format: 'pve-volume-id-or-absolute-path' }) };
const format = oneOf(['raw', 'qcow', 'qed', 'qcow2', 'vmdk', 'cloop']);

const seconds = integer({ minimum: 1 });
const throttles: Parts = {
  bps: integer(),
  bps_max_length: seconds,
  bps_rd: integer(),
  bps_rd_length: alias('bps_rd_max_length'),
  bps_rd_max_length: seconds,
  bps_wr: integer(),
  bps_wr_length: alias('bps_wr_max_length'),
  bps_wr_max_length: seconds,
  iops: integer(),
  iops_max: integer(),
  iops_max_length: seconds,
  iops_rd: integer(),
  iops_rd_length: alias('iops_rd_max_length'),
  iops_rd_max: integer(),
  iops_rd_max_length: seconds,
  iops_wr: integer(),
  iops_wr_length: alias('iops_wr_max_length'),
  iops_wr_max: integer(),
  iops_wr_max_length: seconds,
  mbps: number(),
  mbps_max: number(),
  mbps_rd: number(),
  mbps_rd_max: number(),
  mbps_wr: number(),
  mbps_wr_max: number(),
};

const drive: Parts = {
  ...file,
  ...throttles,
  aio: oneOf(['native', 'threads', 'io_uring']),
  backup: flag(),
  cache: oneOf(['none', 'writethrough', 'writeback', 'unsafe', 'directsync']),
  detect_zeroes: flag(),
  discard: oneOf(['ignore', 'on']),
  format,
  media: oneOf(['cdrom', 'disk']),
  replicate: flag(),
  rerror: oneOf(['ignore', 'report', 'stop']),
  serial: text({ format: 'urlencoded', maxLength: 60 }),
  shared: flag(),
  snapshot: flag(),
  werror: oneOf(['enospc', 'ignore', 'report', 'stop']),
};
const rotation: Parts = { ssd: flag(), wwn: text({ pattern: /^(0x)[0-9a-fA-F]{16}/ }) };

/** What the parameter `cdrom` takes: a drive that nothing is imported into. */
export const cdrom: Parts = { ...drive, ...rotation, model: text({ format: 'urlencoded', maxLength: 120 }) };
export const ide: Parts = { ...cdrom, ...imported };
export const sata: Parts = { ...drive, ...rotation, ...imported };
export const scsi: Parts = {
  ...sata,
  iothread: flag(),
  product: text({ pattern: /[A-Za-z0-9\-_\s]{0,16}/ }),
  queues: integer({ minimum: 2 }),
  ro: flag(),
  scsiblock: flag(),
  vendor: text({ pattern: /[A-Za-z0-9\-_\s]{0,8}/ }),
};
export const virtio: Parts = { ...drive, ...imported, iothread: flag(), ro: flag() };
export const efidisk: Parts = {
  ...file,
  ...imported,
  format,
  efitype: oneOf(['2m', '4m']),
  'ms-cert': oneOf(['2011', '2023', '2023w', '2023k']),
  'pre-enrolled-keys': flag(),
};
export const tpmstate: Parts = { ...file, ...imported, format: volumeFormat, version: oneOf(['v1.2', 'v2.0']) };
export const unused: Parts = { file: needed(first(volumeId)), volume: alias('file') };
