import type { Volume, VolumeFeature } from '../storage.ts';
import type { StorageDefinition } from './definition.ts';
import { storageKinds } from './kinds.ts';

const isBase = ({ name }: Volume): boolean => /(^|\/)base-[^/]*$/.test(name);

/** What the type of its storage, and its format, allow to be done with a volume. */
export function volumeCan({ type }: StorageDefinition, volume: Volume, feature: VolumeFeature): boolean {
  const { files } = storageKinds[type];
  switch (feature) {
    case 'copy':
      return true;
    case 'rename':
      return !isBase(volume);
    case 'snapshot':
      return !isBase(volume) && type !== 'lvm' && (!files || volume.format === 'qcow2');
    case 'clone':
      return type !== 'lvm' && isBase(volume);
    case 'template':
      return type !== 'lvm' && !isBase(volume);
  }
}
