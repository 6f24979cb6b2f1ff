import { died } from '../refusal.ts';
import { rootOf, type StorageDefinition } from './definition.ts';
import type { Space } from './space.ts';
import { volumePath } from './volume-name.ts';

const extent = 4 * 1024 * 1024;

type Wanted = { readonly name: string; readonly bytes: number; readonly fileBytes: number };

/** Refuses a new disk for which there is no room, as whatever keeps the disks would. */
export function mustHaveRoom(definition: StorageDefinition, space: Space, wanted: Wanted): void {
  if (space.charge(wanted) <= space.freeBytes && space.freeBytes > 0) return;
  const { type, properties } = definition;
  const group = properties.get('vgname');
  const path = volumePath(definition, wanted.name);
  switch (type) {
    case 'dir':
    case 'nfs':
      throw died(`unable to create image: qemu-img: ${path}: Could not create '${path}': No space left on device`);
    case 'lvmthin':
      throw died(
        `lvcreate '${group}/${wanted.name}' error:   Cannot create new thin volume, free space in thin pool ${group}/${properties.get('thinpool')} reached threshold.`,
      );
    case 'lvm':
      throw died(
        `lvcreate '${group}/${wanted.name}' error:   Volume group "${group}" has insufficient free space (${extents(space.freeBytes)} extents): ${Math.ceil(wanted.bytes / extent)} required.`,
      );
    case 'zfspool':
      throw died(`zfs error: cannot create '${properties.get('pool')}/${wanted.name}': out of space`);
    case 'rbd':
      throw died(`rbd create '${wanted.name}' error: rbd: create error: (28) No space left on device`);
  }
}

const extents = (bytes: number): number => Math.floor(bytes / extent);

/** Copying ends in the middle where the room does. */
export function mustHaveRoomToCopy(
  definition: StorageDefinition,
  space: Space,
  wanted: Wanted,
  source: { readonly path: string; readonly format: string },
): void {
  if (wanted.fileBytes <= space.freeBytes) return;
  const path = volumePath(definition, wanted.name);
  const format = /\.(\w+)$/.exec(path)?.[1] ?? 'raw';
  const command = `/usr/bin/qemu-img convert -p -n -f ${source.format} -O ${format} ${source.path} zeroinit:${path}`;
  throw died(`copy failed: command '${command}' failed: exit code 1`);
}

export function mustHaveRoomToGrow(definition: StorageDefinition, space: Space, volume: Wanted, bytes: number): void {
  const more = space.charge({ ...volume, bytes }) - space.charge(volume);
  if (more <= space.freeBytes) return;
  const { properties, type } = definition;
  if (type === 'zfspool')
    throw died(
      `zfs error: cannot set property for '${properties.get('pool')}/${volume.name}': size is greater than available space`,
    );
  throw died(
    `error resizing volume '${rootOf(definition)}/${volume.name}':   Insufficient free space: ${Math.ceil(more / extent)} extents needed, but only ${extents(space.freeBytes)} available`,
  );
}
