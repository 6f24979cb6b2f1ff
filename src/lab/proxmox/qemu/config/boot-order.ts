import { bootableSlots, drivesOf, isCdrom, isDriveSlot, isMedium } from './drive.ts';
import { parseProperties, splitList } from './property-string.ts';

type Section = ReadonlyMap<string, string>;

/** Devices of `order=a;b`; empty where the value is another one. */
export const orderOf = (boot: string | undefined): string[] =>
  splitList(parseProperties(boot ?? '', 'legacy').get('order') ?? '');

/** No device at all is an empty value, which reads back as a blank. */
export const printOrder = (devices: readonly string[]): string =>
  devices.length === 0 ? '' : `order=${devices.join(';')}`;

/** What is written where nobody says anything: the first disk, the first medium, the first network card. */
export function defaultOrder(config: Section): string[] {
  const drives = drivesOf(config).filter(({ slot }) => bootableSlots.includes(slot));
  const disk = drives.find((drive) => !isCdrom(drive))?.slot;
  const medium = drives.find(isCdrom)?.slot;
  return [disk, medium, nets(config)[0]].filter((each) => each !== undefined);
}

const nets = (config: Section): string[] =>
  Array.from({ length: 32 }, (_, index) => `net${index}`).filter((slot) => config.has(slot));

/** Devices that the firmware tries, in its order. */
export function bootDevices(config: Section): string[] {
  const boot = config.get('boot');
  if (boot !== undefined && boot.trim() === '') return [];
  const parsed = parseProperties(boot ?? '', 'legacy');
  if (parsed.has('order')) return orderOf(boot);
  return (parsed.get('legacy') ?? 'cdn').split('').flatMap((letter) => legacyDevices(config, letter));
}

/** `c` is the one disk that `bootdisk` names, `d` every medium, `n` every network card. */
function legacyDevices(config: Section, letter: string): string[] {
  const drives = drivesOf(config);
  if (letter === 'd') return drives.filter(isMedium).map(({ slot }) => slot);
  if (letter === 'c') return drives.filter(({ slot }) => slot === config.get('bootdisk')).map(({ slot }) => slot);
  return letter === 'n' ? nets(config) : [];
}

/** Drives that must not be pulled out of a running VM. */
export function bootDisks(config: Section): string[] {
  const parsed = parseProperties(config.get('boot') ?? '', 'legacy');
  if (parsed.has('order')) return orderOf(config.get('boot')).filter(isDriveSlot);
  const disk = config.get('bootdisk');
  return disk === undefined ? [] : [disk];
}

/** Size of the first disk in the order: all that lists know of a VM’s disks. */
export function bootDiskBytes(config: Section): number {
  const drives = drivesOf(config);
  for (const slot of bootDisks(config)) {
    const drive = drives.find((each) => each.slot === slot);
    if (drive !== undefined && !isCdrom(drive)) return drive.bytes ?? 0;
  }
  return 0;
}
