import { emptyDisk } from './disk.ts';
import type { MachineDisk } from './disk.ts';

const place = (key: string): string => `talos:${key}`;

/**
 * A system whose parts lie in somebody else’s storage, each for itself: what is read is what is there, and what is set is
 * there at once. A part that is set is never changed afterwards, so a copy of the storage is a copy of the system.
 */
export function keptDisk(storage: Map<string, unknown>): MachineDisk {
  const disk = emptyDisk();
  for (const [key, empty] of Object.entries(disk))
    Object.defineProperty(disk, key, {
      enumerable: true,
      get: () => (storage.has(place(key)) ? storage.get(place(key)) : empty),
      set: (value: unknown) => {
        storage.set(place(key), value);
      },
    });
  return disk;
}

/** Puts a system there, in the place of what was there. */
export function keepDisk(storage: Map<string, unknown>, system: MachineDisk): void {
  dropDisk(storage);
  for (const [key, value] of Object.entries(system)) storage.set(place(key), value);
}

export function dropDisk(storage: Map<string, unknown>): void {
  for (const key of Object.keys(emptyDisk())) storage.delete(place(key));
}

export const isKept = (storage: ReadonlyMap<string, unknown>): boolean => storage.has(place('images'));
