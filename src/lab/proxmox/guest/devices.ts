import type { TwinDisk } from '../../talos/twin.ts';
import type { VirtualDrive } from '../guest.ts';

/** A drive as Linux in the VM knows it. */
export type Device = { readonly drive: VirtualDrive; readonly disk: TwinDisk };

const buses = ['ide', 'sata', 'scsi', 'virtio'] as const;
type Bus = (typeof buses)[number];

const slotOf = ({ slot }: VirtualDrive): { readonly bus: Bus; readonly index: number } | undefined => {
  const [, bus, index] = /^(ide|sata|scsi|virtio)(\d+)$/.exec(slot) ?? [];
  return bus === undefined ? undefined : { bus: bus as Bus, index: Number(index) };
};

/** Bus by bus, and on each in the order of its slots: sda, sdb, …, vda, …, and sr0, … for media. */
export function devicesOf(drives: readonly VirtualDrive[]): readonly Device[] {
  const placed = drives
    .flatMap((drive) => {
      const slot = slotOf(drive);
      return slot === undefined || drive.volume === undefined ? [] : [{ drive, ...slot }];
    })
    .toSorted((one, other) => buses.indexOf(one.bus) - buses.indexOf(other.bus) || one.index - other.index);
  const counts = { sd: 0, vd: 0, sr: 0 };
  return placed.map(({ drive, bus, index }) => {
    const family = drive.kind === 'cdrom' ? 'sr' : bus === 'virtio' ? 'vd' : 'sd';
    const count = counts[family]++;
    const name = family === 'sr' ? `sr${count}` : `${family}${letters(count)}`;
    return { drive, disk: { name, ...factsOf(drive, bus, index) } };
  });
}

/** a to z, aa, ab and so on. */
const letters = (count: number): string =>
  (count < 26 ? '' : letters(Math.floor(count / 26) - 1)) + String.fromCodePoint(97 + (count % 26));

/** How Linux names the bus that a disk came over; IDE and SATA disks have a serial always, SCSI disks show none. */
const transports: Readonly<Record<Bus, string>> = { ide: 'ata', sata: 'sata', scsi: 'virtio', virtio: 'virtio' };

function factsOf({ kind, volume, serial, slot }: VirtualDrive, bus: Bus, index: number): Omit<TwinDisk, 'name'> {
  const ata = serial ?? `QM${String(index + 1).padStart(5, '0')}`;
  const links: Readonly<Record<Bus, readonly string[]>> = {
    ide: [`ata-QEMU_HARDDISK_${ata}`],
    sata: [`ata-QEMU_HARDDISK_${ata}`],
    scsi: [`scsi-0QEMU_QEMU_HARDDISK_${serial ?? `drive-${slot}`}`],
    virtio: serial === undefined ? [] : [`virtio-${serial}`],
  };
  const cdrom = kind === 'cdrom';
  return {
    sizeBytes: BigInt(volume?.bytes ?? 0),
    model: cdrom ? 'QEMU DVD-ROM' : bus === 'virtio' ? '' : 'QEMU HARDDISK',
    serial: cdrom || bus === 'scsi' ? '' : bus === 'virtio' ? (serial ?? '') : ata,
    transport: transports[bus],
    ...(cdrom ? { cdrom } : { symlinks: links[bus].map((link) => `/dev/disk/by-id/${link}`) }),
  };
}
