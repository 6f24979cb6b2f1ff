/** Keys whose values are numbers where the API shows a configuration; everything else is text, `memory` and `cpulimit` too. */
const numbers: ReadonlySet<string> = new Set([
  'acpi',
  'allow-ksm',
  'autostart',
  'balloon',
  'ciupgrade',
  'cores',
  'cpuunits',
  'freeze',
  'keephugepages',
  'kvm',
  'localtime',
  'migrate_speed',
  'numa',
  'onboot',
  'protection',
  'reboot',
  'shares',
  'smp',
  'snaptime',
  'sockets',
  'tablet',
  'tdf',
  'template',
  'vcpus',
]);

export const shownValue = (key: string, value: string): string | number => (numbers.has(key) ? Number(value) : value);

/** Passwords are masked wherever a configuration is shown. */
export const mask = '**********';

export const shown = (section: ReadonlyMap<string, string>): Record<string, string | number> =>
  Object.fromEntries([...section].map(([key, value]) => [key, key === 'cipassword' ? mask : shownValue(key, value)]));

/** Families of numbered keys, with how many there are. */
const families: Readonly<Record<string, number>> = {
  hostpci: 16,
  ide: 4,
  ipconfig: 32,
  net: 32,
  numa: 8,
  parallel: 3,
  sata: 6,
  scsi: 31,
  serial: 4,
  unused: 256,
  usb: 14,
  virtio: 16,
  virtiofs: 10,
};
const keys: ReadonlySet<string> = new Set([
  ...[...numbers].filter((key) => key !== 'snaptime'),
  ...'affinity agent amd-sev arch args audio0 bios boot bootdisk cdrom cicustom cipassword citype ciuser cpu cpulimit'.split(
    ' ',
  ),
  ...'description efidisk0 hookscript hotplug hugepages intel-tdx ivshmem keyboard lock machine memory meta'.split(' '),
  ...'migrate_downtime name nameserver ostype parent rng0 running-nets-host-mtu runningcpu runningmachine scsihw'.split(
    ' ',
  ),
  ...'searchdomain smbios1 snaptime spice_enhancements sshkeys startdate startup tags tpmstate0 vga vmgenid vmstate'.split(
    ' ',
  ),
  ...'vmstatestorage watchdog'.split(' '),
]);

/** Something that can stand in a configuration file. */
export function isConfigKey(key: string): boolean {
  const [, family, index] = /^([a-z]+)(\d+)$/.exec(key) ?? [];
  return keys.has(key) || (family !== undefined && Number(index) < (families[family] ?? 0));
}

/** MiB, of a value that may have parts. */
export const memoryMiB = (config: ReadonlyMap<string, string>): number =>
  Number(/^(?:current=)?(\d+)/.exec(config.get('memory') ?? '')?.[1] ?? 512);

export const coresOf = (config: ReadonlyMap<string, string>): number =>
  Number(config.get('sockets') ?? config.get('smp') ?? 1) * Number(config.get('cores') ?? 1);
