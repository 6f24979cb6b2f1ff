import { drives } from '../../../../wire/proxmox/vm-drives.ts';
import type { Format, Formats } from './format.ts';
import { splitList } from '../perl-text.ts';
import { volumeId } from './storage.ts';

const volumeIdOrPath: Format = (value) => (value.startsWith('/') ? undefined : volumeId(value));
const bootable = new Set(drives.filter((drive) => !/^(efidisk|tpmstate)/.test(drive)));
const devices: readonly (readonly [RegExp, number])[] = [
  [/^net(\d+)$/, 32],
  [/^usb(\d+)$/, 14],
  [/^hostpci(\d+)$/, 16],
];

const bootDevice: Format = (value) =>
  bootable.has(value) || devices.some(([name, count]) => Number(name.exec(value)?.[1] ?? count) < count)
    ? undefined
    : `invalid boot device '${value}'`;

const hotplug = new Set(['network', 'disk', 'cpu', 'memory', 'usb', 'cloudinit']);

const cpuSet: Format = (value) => {
  const fits = value.split(',').every((part) => {
    const [, from, to = from] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    return from !== undefined && Number(to) >= Number(from);
  });
  return fits ? undefined : 'unable to parse cpuset option';
};

const physicalBits: Format = (value) => {
  const fits = value === 'host' || (/^\d{1,2}$/.test(value) && Number(value) >= 8 && Number(value) <= 64);
  return fits ? undefined : "value must be an integer between 8 and 64 or 'host'";
};

export const vmFormatChecks: Formats = {
  'pve-volume-id-or-qm-path': (value) => (value === 'none' || value === 'cdrom' ? undefined : volumeIdOrPath(value)),
  'pve-volume-id-or-absolute-path': volumeIdOrPath,
  'pve-qm-bootdisk': (value) => (drives.includes(value) ? undefined : `invalid boot disk '${value}'`),
  'pve-qm-bootdev': bootDevice,
  'pve-hotplug-features': (value) => {
    if (value === '0' || value === '1') return undefined;
    const wrong = splitList(value).find((feature) => !hotplug.has(feature));
    return wrong === undefined ? undefined : `invalid hotplug feature '${wrong}'`;
  },
  'pve-cpuset': cpuSet,
  'pve-phys-bits': physicalBits,
  'pve-lxc-mp-string': (value) =>
    /\/\.\.?\/|\/\.\.?$|^\.\.\//.test(value) ? `${value} contains illegal character sequences` : undefined,
  'pve-lxc-dev-string': (value) =>
    /\/\.\.?(?:\/|$)/.test(value) || !value.startsWith('/dev/') ? `${value} is not a valid device path` : undefined,
  'pve-ct-timezone': (value) =>
    value === 'host' || value === 'UTC' || Intl.supportedValuesOf('timeZone').includes(value)
      ? undefined
      : `invalid time zone '${value}'`,
};
