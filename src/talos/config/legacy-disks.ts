import { isWithin } from './contract.ts';
import type { Fields } from './document.ts';
import type { NodeIntent } from './intent.ts';

/** Longhorn keeps its data on the disk of this name. */
const longhorn = 'longhorn';
const systemFolder = '/var/lib/longhorn';

const mountPoint = (name: string, volumes: boolean): string =>
  name === longhorn && !volumes ? systemFolder : `/var/mnt/${name}`;

/** Before user volumes a disk was partitioned and mounted by its device. */
export const legacyDisks = ({ dataDisks }: NodeIntent): readonly Fields[] =>
  dataDisks.map(({ name, device }) => ({ device, partitions: [{ mountpoint: mountPoint(name, false) }] }));

/**
 * What the kubelet is shown. User volumes it sees by itself, but read-only and without what is mounted later below them,
 * which is not enough for Longhorn; and Longhorn keeps its programs on the system disk, wherever its data is.
 */
export function dataMounts({ contract, dataDisks, longhorn: runsLonghorn }: NodeIntent): readonly Fields[] {
  const volumes = isWithin(contract, { since: '1.10' });
  const disks = dataDisks
    .filter(({ name }) => !volumes || name === longhorn)
    .map(({ name }) => mountPoint(name, volumes));
  return [...new Set([...disks, ...(runsLonghorn ? [systemFolder] : [])])].map((path) => ({
    destination: path,
    type: 'bind',
    source: path,
    options: ['bind', 'rshared', 'rw'],
  }));
}
