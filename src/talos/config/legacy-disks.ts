import { isWithin } from './contract.ts';
import type { Fields } from './document.ts';
import type { NodeIntent } from './intent.ts';

/** Longhorn keeps its data on the disk of this name. */
const longhorn = 'longhorn';

const mountPoint = (name: string, volumes: boolean): string =>
  name === longhorn && !volumes ? '/var/lib/longhorn' : `/var/mnt/${name}`;

/** Before user volumes a disk was partitioned and mounted by its device. */
export const legacyDisks = ({ dataDisks }: NodeIntent): readonly Fields[] =>
  dataDisks.map(({ name, device }) => ({ device, partitions: [{ mountpoint: mountPoint(name, false) }] }));

/**
 * What the kubelet sees of the data disks. User volumes are there by themselves, read-only and without what is mounted
 * later below them, which is not enough for Longhorn.
 */
export function dataMounts({ contract, dataDisks }: NodeIntent): readonly Fields[] {
  const volumes = isWithin(contract, { since: '1.10' });
  return dataDisks
    .filter(({ name }) => !volumes || name === longhorn)
    .map(({ name }) => {
      const path = mountPoint(name, volumes);
      return { destination: path, type: 'bind', source: path, options: ['bind', 'rshared', 'rw'] };
    });
}
