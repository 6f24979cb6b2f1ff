import type { MachineDisk } from './node/disk.ts';
import type { NodeNetwork } from './node/network.ts';
import type { PlatformData, PlatformNetwork } from './node/platform.ts';
import type { Settings } from './node/settings.ts';
import type { SystemImage, TwinHardware } from './twin.ts';

/** What the firmware found to start. */
export type Found =
  | { readonly kind: 'disk'; readonly name: string; readonly system: MachineDisk }
  | { readonly kind: 'medium'; readonly image: SystemImage; readonly haltIfInstalled: boolean };

/** Everything around a machine that it does not decide itself; looked at anew at every boot. */
export interface Surroundings {
  /** Links are called as the system calls them that boots. */
  hardware(image: SystemImage): TwinHardware;
  /** The system on a disk. */
  read(disk: string): MachineDisk | undefined;
  /** Undefined: the disk is wiped. */
  write(disk: string, system: MachineDisk | undefined): void;
  /** Where a system that is on no disk keeps what it must. */
  memory(): MachineDisk;
  /** What the platform hands over, such as a first configuration. */
  platform(image: SystemImage): PlatformData;
  network(given: NetworkQuestion): NodeNetwork;
  /** What the image of an installer carries, for a node that runs another one. */
  imageOf(reference: string, running: SystemImage): SystemImage;
  /** The channel of a guest agent. */
  readonly agentChannel: boolean;
}

type NetworkQuestion = {
  readonly hardware: TwinHardware;
  readonly settings: Settings | undefined;
  readonly platform: PlatformNetwork | undefined;
};
