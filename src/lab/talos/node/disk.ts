import type { EtcdDirectory } from '../etcd/cluster.ts';
import type { SystemImage } from '../twin.ts';
import type { PlatformNetwork } from './platform.ts';

export type Slot = 'A' | 'B';

/** What outlives a reboot: the boot images, and the partitions META, STATE and EPHEMERAL. */
export type MachineDisk = {
  /** Device that holds the system at the moment; undefined: nothing is installed. */
  system: string | undefined;
  images: Partial<Record<Slot, SystemImage>>;
  active: Slot;
  /** The slot to go back to when the new one does not come up. */
  fallback: Slot | undefined;
  /** The active image does not come up. */
  broken: boolean;
  stagedImage: string | undefined;
  meta: Map<number, Uint8Array>;
  config: string | undefined;
  /** What the platform last said, for when it says nothing any more. */
  platformNetwork: PlatformNetwork | undefined;
  etcd: EtcdDirectory | undefined;
  /** Upload of EtcdRecover, waiting for a bootstrap. */
  snapshot: Uint8Array | undefined;
};

export const emptyDisk = (): MachineDisk => ({
  system: undefined,
  images: {},
  active: 'A',
  fallback: undefined,
  broken: false,
  stagedImage: undefined,
  meta: new Map(),
  config: undefined,
  platformNetwork: undefined,
  etcd: undefined,
  snapshot: undefined,
});

/** A disk that was made from an image, or that an installer wrote. */
export const installedDisk = (image: SystemImage): MachineDisk => ({ ...emptyDisk(), images: { A: image } });

export const otherSlot = (slot: Slot): Slot => (slot === 'A' ? 'B' : 'A');

/** The version that an installer image carries: its tag. */
export const versionOfImage = (image: string): string | undefined => /:(v\d+\.\d+\.\d+[^@]*)/.exec(image)?.[1];
