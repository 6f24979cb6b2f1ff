import { parseProperties, printProperties, zeroOrOne } from './property-string.ts';
import { parseSize, printSize } from './size.ts';

/** The value of `scsi0`, `ide2` …; whatever has no name of its own here is in `options`. */
export type Drive = {
  readonly slot: string;
  /** A volume id, `none`, `cdrom`, `STORAGE:GiB` or `STORAGE:cloudinit`. */
  readonly file: string;
  readonly media: 'disk' | 'cdrom' | undefined;
  readonly bytes: number | undefined;
  readonly format: string | undefined;
  readonly importFrom: string | undefined;
  readonly options: ReadonlyMap<string, string>;
};

const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, index) => name + index);

/** In the order in which a disk to boot from is looked for. */
export const bootableSlots: readonly string[] = [
  ...numbered('ide', 4),
  ...numbered('scsi', 31),
  ...numbered('virtio', 16),
  ...numbered('sata', 6),
];
const driveSlots: readonly string[] = [...bootableSlots, 'efidisk0', 'tpmstate0'];
const slots = new Set(driveSlots);

export const isDriveSlot = (key: string): boolean => slots.has(key);

const booleans: ReadonlySet<string> = new Set([
  'backup',
  'detect_zeroes',
  'iothread',
  'ms-cert-enrolled',
  'pre-enrolled-keys',
  'replicate',
  'ro',
  'scsiblock',
  'shared',
  'snapshot',
  'ssd',
]);
const aliases: ReadonlyMap<string, string> = new Map([
  ['volume', 'file'],
  ...['bps', 'iops'].flatMap((unit) =>
    ['rd', 'wr'].map((way) => [`${unit}_${way}_length`, `${unit}_${way}_max_length`] as const),
  ),
]);

/** Undefined: options that cannot stand together. */
export function parseDrive(slot: string, text: string): Drive | undefined {
  const given = new Map<string, string>();
  for (const [key, value] of parseProperties(text, 'file')) {
    const name = aliases.get(key) ?? key;
    given.set(name, booleans.has(name) ? zeroOrOne(value) : value);
  }
  const { file, media, size, format, 'import-from': importFrom, ...options } = Object.fromEntries(given);
  if (file === undefined) return undefined;
  if (media === 'cdrom' && (format !== undefined || options['snapshot'] === '1' || slot.startsWith('virtio')))
    return undefined;
  return {
    slot,
    file,
    media: media === 'cdrom' || media === 'disk' ? media : undefined,
    bytes: size === undefined ? undefined : parseSize(size),
    format,
    importFrom,
    options: new Map(Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}

export function printDrive(drive: Drive): string {
  const { file, media, bytes, format, importFrom, options } = drive;
  return printProperties(
    new Map([
      ...options,
      ['file', file],
      ...(media === undefined ? [] : [['media', media] as const]),
      ...(bytes === undefined ? [] : [['size', printSize(bytes)] as const]),
      ...(format === undefined ? [] : [['format', format] as const]),
      ...(importFrom === undefined ? [] : [['import-from', importFrom] as const]),
    ]),
    'file',
  );
}

export const isCloudInit = ({ file }: Pick<Drive, 'file'>): boolean =>
  /[:/](?:vm-\d+-)?cloudinit(?:\.(?:raw|qcow2?|qed|vmdk|cloop))?$/.test(file);

/** A medium that can be changed; the drive that Proxmox itself writes is one too. */
export const isCdrom = ({ media }: Pick<Drive, 'media'>): boolean => media === 'cdrom';

/** A medium that somebody put there. */
export const isMedium = (drive: Drive): boolean => isCdrom(drive) && !isCloudInit(drive);

/** `local-lvm:20`: a disk that is yet to be made, with its size in GiB. */
export function newDisk(file: string): { readonly storage: string | undefined; readonly gib: number } | undefined {
  const [, storage, gib] = /^(?:([^/:\s]+):)?(\d+(?:\.\d+)?)$/.exec(file) ?? [];
  return gib === undefined ? undefined : { storage, gib: Number(gib) };
}

/** `local` and `iso/x.iso` of `local:iso/x.iso`; undefined: not the id of a volume. */
export function parseVolumeId(file: string): { readonly storage: string; readonly name: string } | undefined {
  const [, storage, name] = /^([a-zA-Z][a-zA-Z0-9\-_.]*[a-zA-Z0-9]):(.+)$/.exec(file) ?? [];
  return storage === undefined || name === undefined ? undefined : { storage, name };
}

/** Drives of a section, slot by slot. */
export function drivesOf(section: ReadonlyMap<string, string>): Drive[] {
  return [...section.keys()]
    .filter(isDriveSlot)
    .sort(bySlot)
    .flatMap((slot) => parseDrive(slot, section.get(slot) ?? '') ?? []);
}

const bySlot = (one: string, other: string): number => driveSlots.indexOf(one) - driveSlots.indexOf(other);
