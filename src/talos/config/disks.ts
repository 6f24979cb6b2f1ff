import type { Machine } from '../../model/machine.ts';
import { Problem } from '../../model/problem.ts';
import type { Provider } from '../../spec/platform.ts';
import type { DataDisk, DiskSelector, InstallDisk } from './intent.ts';
import type { Group, NodeSettings } from './request.ts';

/** How the kernel names the disks that a provider gives a machine: virtio-scsi and SATA, or virtio. */
const devicePrefix: Readonly<Record<Provider['kind'], string>> = {
  proxmox: '/dev/sd',
  libvirt: '/dev/vd',
  openstack: '/dev/vd',
  existing: '/dev/sd',
  vitistack: '/dev/vd',
};

const deviceAt = (provider: Provider, index: number): string =>
  `${devicePrefix[provider.kind]}${String.fromCharCode('a'.charCodeAt(0) + index)}`;

/** Where Talos is installed: as the machine or its group says, else on the first disk. */
export function installDiskOf(
  provider: Provider,
  group: Group | undefined,
  node: NodeSettings | undefined,
): InstallDisk {
  const said = node?.installDisk ?? group?.installDisk;
  if (said?.selector !== undefined) return { kind: 'selector', selector: selectorOf(said.selector) };
  return { kind: 'path', path: said?.path ?? deviceAt(provider, 0) };
}

type WrittenSelector = NonNullable<NonNullable<Group['installDisk']>['selector']>;

function selectorOf({ size, model, serial, type, busPath, wwid }: WrittenSelector): DiskSelector {
  return {
    ...(size === undefined ? {} : { size: sizeOf(size) }),
    ...(model === undefined ? {} : { model }),
    ...(serial === undefined ? {} : { serial }),
    ...(wwid === undefined ? {} : { wwid }),
    ...(type === undefined ? {} : { type }),
    ...(busPath === undefined ? {} : { busPath }),
  };
}

const sizeForm = /^\s*(>=|<=|>|<|==)?\s*(\d{1,9})\s*([KMGTP]i?B)\s*$/i;
const units = ['kB', 'MB', 'GB', 'TB', 'PB', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

function sizeOf(written: string): NonNullable<DiskSelector['size']> {
  const [, operator = '==', amount, unit] = sizeForm.exec(written) ?? [];
  const known = units.find((each) => each.toLowerCase() === unit?.toLowerCase());
  if (amount === undefined || known === undefined) {
    throw new Problem('disk-size', `"${written}" is no size of a disk to look for.`, {
      path: 'cluster.controlPlane.installDisk.selector.size',
      remedy: 'Write a comparison and a whole number with its unit, such as ">= 100GB".',
    });
  }
  return { operator, amount: Number(amount), unit: known };
}

/** The data disks of a machine, in the order in which its provider attaches them, after the system disk. */
export const dataDisksOf = (provider: Provider, { shape }: Pick<Machine, 'shape'>): readonly DataDisk[] =>
  shape.disks.slice(1).map(({ name, sizeGiB }, position) => {
    const index = position + 1;
    return { name, device: deviceAt(provider, index), match: matchOf(provider, index, sizeGiB) };
  });

/** Letters of SCSI disks depend on which one answers first: Proxmox’s own name of the slot does not. */
function matchOf(provider: Provider, index: number, sizeGiB: number): string {
  if (provider.kind === 'proxmox')
    return `"/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi${index}" in disk.symlinks`;
  if (provider.kind === 'existing') return `!system_disk && disk.size >= ${sizeGiB}u * GiB`;
  return `disk.dev_path == "${deviceAt(provider, index)}"`;
}
