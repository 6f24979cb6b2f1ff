import { readTalosMarker } from '../../factory/marker.ts';
import { installedDisk } from '../../talos/node/disk.ts';
import type { MachineDisk } from '../../talos/node/disk.ts';
import { dropDisk, isKept, keepDisk, keptDisk } from '../../talos/node/kept-disk.ts';
import type { SystemImage, TwinPlatform } from '../../talos/twin.ts';
import type { VirtualDrive } from '../guest.ts';
import type { Written } from '../storage.ts';
import { readCd } from './iso9660.ts';

/** What a firmware can start from a drive. */
export type Bootable =
  | { readonly kind: 'talos disk'; readonly system: () => MachineDisk }
  | { readonly kind: 'talos medium'; readonly image: SystemImage; readonly haltIfInstalled: boolean }
  /** Some Linux with the usual manners. */
  | { readonly kind: 'linux'; readonly name: string }
  /** It runs, and does nothing that anybody outside would notice. */
  | { readonly kind: 'mute' };

const defaultVersion = 'v1.13.9';
const wiped = 'wiped';
const linuxNames = /tiny|debian|ubuntu|fedora|rocky|alma|centos|alpine|suse|linux/i;
const talosNames = /talos|nocloud/i;

/** Undefined: nothing that boots. */
export function bootableOn({ kind, volume }: VirtualDrive): Bootable | undefined {
  if (volume === undefined) return undefined;
  return kind === 'cdrom' ? onCd(volume.written) : onDisk(volume.written);
}

function onDisk(written: Written): Bootable | undefined {
  const system = systemOn(written);
  if (system !== undefined) return { kind: 'talos disk', system };
  if (isWiped(written) || !hasContent(written)) return undefined;
  return otherwise(written);
}

/** A disk holds Talos because an installer wrote it there, or because it was made from an image of Talos. */
function systemOn(written: Written): (() => MachineDisk) | undefined {
  if (isKept(written.state)) return () => keptDisk(written.state);
  const image = isWiped(written) ? undefined : talosImage(written);
  if (image === undefined) return undefined;
  return () => {
    keepDisk(written.state, installedDisk(image));
    return keptDisk(written.state);
  };
}

function onCd(written: Written): Bootable | undefined {
  const image = talosImage(written);
  if (image !== undefined) return { kind: 'talos medium', image, haltIfInstalled: minorOf(image.version) >= 8 };
  if (!hasContent(written) || isConfigMedium(written)) return undefined;
  return otherwise(written);
}

const otherwise = ({ fileName = '' }: Written): Bootable =>
  linuxNames.test(fileName) ? { kind: 'linux', name: fileName } : { kind: 'mute' };

const hasContent = ({ head, fileName }: Written): boolean => head !== undefined || fileName !== undefined;
const isWiped = ({ state }: Written): boolean => state.get(wiped) === true;

/** A Talos image says itself what it is; one from elsewhere is known by its label or its name. */
function talosImage({ head, fileName = '' }: Written): SystemImage | undefined {
  const marker = head === undefined ? undefined : readTalosMarker(head);
  if (marker !== undefined)
    return {
      version: marker.version,
      platform: platformOf(marker.platform),
      schematic: marker.schematic,
      extensions: marker.extensions,
    };
  const label = head === undefined ? '' : (readCd(head)?.label ?? '');
  if (label.toLowerCase() === 'cidata' || !(label.startsWith('TALOS') || talosNames.test(fileName))) return undefined;
  const [, version] = /(\d+[._]\d+[._]\d+)/.exec(label) ?? /v?(\d+\.\d+\.\d+)/.exec(fileName) ?? [];
  return {
    version: version === undefined ? defaultVersion : `v${version.replaceAll('_', '.')}`,
    platform: /nocloud/i.test(fileName) ? 'nocloud' : 'metal',
    extensions: [],
  };
}

const platformOf = (name: string): TwinPlatform => (name === 'nocloud' || name === 'openstack' ? name : 'metal');

const minorOf = (version: string): number => Number(/^v\d+\.(\d+)/.exec(version)?.[1] ?? 0);

const isConfigMedium = ({ head }: Written): boolean =>
  head !== undefined && readCd(head)?.label.toLowerCase() === 'cidata';

/** What Talos finds when it looks for a system on a disk. */
export const systemOf = ({ kind, volume }: VirtualDrive): MachineDisk | undefined =>
  kind === 'disk' && volume !== undefined ? systemOn(volume.written)?.() : undefined;

/** Undefined: everything that was on it is gone, also what it was made from. */
export function writeSystem({ volume }: VirtualDrive, system: MachineDisk | undefined): void {
  if (volume === undefined) return;
  const { state } = volume.written;
  dropDisk(state);
  state.set(wiped, true);
  if (system !== undefined) keepDisk(state, system);
}
