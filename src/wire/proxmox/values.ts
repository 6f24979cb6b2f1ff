import { integer, needed, number, oneOf, parts, text, words } from './notation.ts';
import type { Param, Params } from './notation.ts';

/** Signs that cannot be seen, as a pattern writes them between brackets; a tab is none of the second. */
export const controls = String.raw`\x00-\x1F\x7F`;
export const unprintable = String.raw`\x00-\x08\x0a-\x1F\x7F`;

/** Values that several calls share. */
export const node = text({ format: 'pve-node' });
export const vmid = integer({ format: 'pve-vmid', minimum: 100, maximum: 999_999_999 });
export const storage = text({ format: 'pve-storage-id' });
export const userid = text({ format: 'pve-userid', maxLength: 64 });
export const roleid = text({ format: 'pve-roleid' });
export const realm = text({ format: 'pve-realm', maxLength: 32 });
export const poolid = text({ format: 'pve-poolid' });
export const iface = text({ format: 'pve-iface', minLength: 2, maxLength: 20 });
export const snapname = text({ format: 'pve-configid', maxLength: 40 });
export const sid = text({ format: 'pve-ha-resource-or-vm-id' });
export const volumeId = text({ format: 'pve-volume-id' });
export const keys = text({ format: 'pve-configid-list' });
export const longKeys = text({ format: 'pve-configid-list', maxLength: 4096 });
export const digest = text({ maxLength: 64 });
export const sha1 = text({ maxLength: 40 });
export const comment = text({ maxLength: 4096 });
export const description = text({ maxLength: 8192 });
export const tags = text({ format: 'pve-tag-list' });
export const startup = text({ format: 'pve-startup-order' });
export const notNegative = integer({ minimum: 0 });
export const port = integer({ minimum: 1, maximum: 65_535 });
export const vlanTag = integer({ minimum: 1, maximum: 4094 });
export const macAddress = text({ format: 'mac-addr' });
export const volumeFormat = oneOf(['raw', 'qcow2', 'vmdk']);
export const checksums: Params = {
  checksum: text({ requires: 'checksum-algorithm' }),
  'checksum-algorithm': oneOf(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'], { requires: 'checksum' }),
};

const limit = number({ minimum: 0 });
export const bandwidths = parts({ clone: limit, default: limit, migration: limit, move: limit, restore: limit });

export const keyboard = oneOf(
  words('de de-ch da en-gb en-us es fi fr fr-be fr-ca fr-ch hu is it ja lt mk nl no pl pt pt-br sv sl tr'),
);

export const rrd: Params = {
  cf: oneOf(['AVERAGE', 'MAX']),
  timeframe: needed(oneOf(['hour', 'day', 'week', 'month', 'year'])),
};

/** What a name in braces stands for, where the call itself does not say otherwise. */
export const pathParameters: Readonly<Record<string, Param>> = {
  node: needed(node),
  vmid: needed(vmid),
  storage: needed(storage),
  volume: needed(text()),
  upid: needed(text()),
  userid: needed(userid),
  tokenid: needed(text({ pattern: /[A-Za-z][A-Za-z0-9.\-_]+/ })),
  roleid: needed(roleid),
  poolid: needed(poolid),
  iface: needed(iface),
  snapname: needed(snapname),
  sid: needed(sid),
  rule: needed(text({ format: 'pve-configid' })),
};
