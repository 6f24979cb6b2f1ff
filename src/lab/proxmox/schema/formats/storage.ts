import { address, dnsName, ip } from './network.ts';
import { anyOf, matching } from './format.ts';
import type { Format, Formats } from './format.ts';

const contents = new Set(['images', 'rootdir', 'vztmpl', 'iso', 'backup', 'snippets', 'import', 'none']);
const content: Format = (value) => (contents.has(value) ? undefined : `invalid content type '${value}'`);

export const volumeId: Format = matching(
  /([a-zA-Z][a-zA-Z0-9\-_.]*[a-zA-Z0-9]):(.+)/,
  (value) => `unable to parse volume ID '${value}'`,
);

const storageId: Format = (value) => {
  if (value.length < 2) return `storage ID '${value}' cannot be shorter than 2 characters`;
  return /^[a-z][a-z0-9\-_.]*[a-z0-9]$/i.test(value) ? undefined : `storage ID '${value}' contains illegal characters`;
};

/** `STORAGE`, `FROM:TO`, or 1: each to itself. */
const pair: Format = (value) => {
  if (value === '1') return undefined;
  const halves = /^([^:]+):([^:]+)$/.exec(value)?.slice(1) ?? [value];
  const wrong = halves.map((half) => storageId(half)).find((complaint) => complaint !== undefined);
  return wrong === undefined ? undefined : `entry '${value}' contains invalid ID - ${wrong}\n\n`;
};

const powerOfTwo = (value: number): boolean => Number.isInteger(Math.log2(value));

export const storageFormats: Formats = {
  'pve-storage-id': storageId,
  'storage-pair': pair,
  'pve-storage-content': content,
  'pve-volume-id': volumeId,
  // Not tied at its end, as with the real thing.
  'pve-storage-path': (value) =>
    /^\/[^;()]+/.test(value) ? undefined : 'value does not look like a valid absolute path',
  'pve-storage-server': anyOf([ip, dnsName], 'value does not look like a valid server name or IP address'),
  'pve-storage-vgname': matching(
    /[a-zA-Z0-9][a-zA-Z0-9\-_.]*[a-zA-Z0-9]/,
    (value) => `lvm name '${value}' contains illegal characters`,
  ),
  'pve-storage-options': matching(/\S+/, (value) => `invalid options '${value}'`),
  'pve-storage-portal-dns': (value) =>
    address(value.replace(/^\[(.+)\]/, '$1').replace(/:\d+$/, '')) === undefined || ip(value) === undefined
      ? undefined
      : 'value does not look like a valid portal address',
  'pve-dir-override': (value) => {
    const [, kind, path] = /^([a-z]+)=([^.]*(?:\.?[^.]+)+)$/.exec(value) ?? [];
    if (kind === undefined || path === undefined) return `invalid override '${value}'`;
    return content(kind);
  },
  'pve-storage-zfs-blocksize': (value) => {
    if (value === '') return undefined;
    const [, digits, unit = ''] = /^([1-9][0-9]*)([km])?$/i.exec(value) ?? [];
    if (digits === undefined)
      return `invalid ZFS blocksize format '${value}'. Use a positive number (no leading zeros) with an optional 'k' or 'm' suffix.`;
    const bytes = Number(digits) * 1024 ** ['', 'k', 'm'].indexOf(unit.toLowerCase());
    return bytes >= 512 && bytes <= 16 * 1024 * 1024 && powerOfTwo(bytes)
      ? undefined
      : `value '${value}' is not a valid ZFS blocksize. Must be a power of 2 between 512B and 16MiB (e.g., 4k, 8k, 16k, 64k, 1m).`;
  },
};
