import { textOf, type Row } from './api/row.ts';
import { gibOf, propertiesOf, type Properties } from './property.ts';

/** A disk or medium of a VM, as its configuration names it. */
export type Drive = {
  readonly slot: string;
  /** `local-lvm:vm-401-disk-0`, `local:iso/talos.iso`, or `none`. */
  readonly volume: string;
  readonly storage: string;
  readonly kind: 'disk' | 'cdrom' | 'cloud-init';
  readonly serial: string | undefined;
  readonly sizeGiB: number | undefined;
};

const slots = /^(?:scsi|virtio|sata|ide)\d+$/;

/** Not the firmware’s: those are not for the guest. */
export const drivesOf = (config: Row): readonly Drive[] =>
  Object.keys(config)
    .filter((key) => slots.test(key))
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((slot) => driveAt(slot, textOf(config, slot) ?? ''));

function driveAt(slot: string, text: string): Drive {
  const properties = propertiesOf(text, 'file');
  const volume = properties.get('file') ?? 'none';
  return {
    slot,
    volume,
    storage: volume.includes(':') ? (volume.split(':')[0] ?? '') : '',
    kind: kindOf(volume, properties),
    serial: properties.get('serial'),
    sizeGiB: gibOf(properties.get('size')),
  };
}

function kindOf(volume: string, properties: Properties): Drive['kind'] {
  if (/vm-\d+-cloudinit(?:\.\w+)?$/.test(volume)) return 'cloud-init';
  return properties.get('media') === 'cdrom' ? 'cdrom' : 'disk';
}
