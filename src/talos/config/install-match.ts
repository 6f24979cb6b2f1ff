import type { DiskSelector, InstallDisk } from './intent.ts';

const kinds: Readonly<Record<NonNullable<DiskSelector['type']>, string>> = {
  nvme: 'disk.transport == "nvme"',
  sd: 'disk.transport == "mmc"',
  hdd: 'disk.rotational',
  ssd: '!disk.rotational',
};

/** The same disk that `machine.install` would have meant, as CEL. */
export function installMatch(disk: InstallDisk): string {
  if (disk.kind === 'path') return `disk.dev_path == ${quoted(disk.path)}`;
  const { size, model, serial, wwid, type, busPath } = disk.selector;
  const like = (pattern: string | undefined, field: string): string | undefined =>
    pattern === undefined ? undefined : `glob(${quoted(pattern)}, disk.${field})`;
  return [
    size && `disk.size ${size.operator} ${size.amount}u * ${size.unit}`,
    like(wwid, 'wwid'),
    like(model, 'model'),
    like(serial, 'serial'),
    // What is no disk of its own has no transport.
    'disk.transport != ""',
    type && kinds[type],
    like(busPath, 'bus_path'),
    '!disk.readonly',
    '!disk.cdrom',
  ]
    .filter((part) => part !== undefined)
    .join(' && ');
}

const quoted = (text: string): string => JSON.stringify(text);
