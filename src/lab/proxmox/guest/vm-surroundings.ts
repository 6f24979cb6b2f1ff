import type { Surroundings } from '../../talos/surroundings.ts';
import { emptyDisk } from '../../talos/node/disk.ts';
import { networkOf } from '../../talos/node/network.ts';
import { noPlatform } from '../../talos/node/platform.ts';
import type { SystemImage, TwinHardware } from '../../talos/twin.ts';
import type { VirtualDrive, VirtualHardware } from '../guest.ts';
import { platformData } from './cidata.ts';
import { systemOf, writeSystem } from './contents.ts';
import { devicesOf } from './devices.ts';
import type { Dhcp } from './dhcp.ts';
import { installerImage } from './installer-image.ts';
import type { SchematicExtensions } from './installer-image.ts';

export type VmPlace = {
  readonly dhcp: Dhcp;
  readonly extensionsOf: SchematicExtensions;
  /** What VMs lack, by their names. */
  readonly handicaps: ReadonlyMap<string, ReadonlySet<Handicap>>;
};

/** Nobody answers at the agent’s channel; or the network gives and takes nothing, as with an unplugged cable. */
export type Handicap = 'no-agent' | 'no-address';

/** A VM as Talos in it sees it; drives can change while it runs. */
export function vmSurroundings(
  hardware: VirtualHardware,
  drives: () => readonly VirtualDrive[],
  { dhcp, extensionsOf, handicaps }: VmPlace,
): Surroundings {
  const driveOf = (name: string): VirtualDrive | undefined =>
    devicesOf(drives()).find(({ disk }) => disk.name === name)?.drive;
  return {
    agentChannel: hardware.agentChannel,
    hardware: (image) => machineHardware(hardware, drives(), image),
    read: (disk) => {
      const drive = driveOf(disk);
      return drive === undefined ? undefined : systemOf(drive);
    },
    write: (disk, system) => {
      const drive = driveOf(disk);
      if (drive !== undefined) writeSystem(drive, system);
    },
    memory: emptyDisk,
    platform: ({ platform }) => (platform === 'nocloud' ? platformData(drives(), hardware.cloudInit) : noPlatform),
    network: ({ hardware: { links }, settings, platform }) => {
      const network = networkOf({
        links,
        platform,
        config: settings?.network(links),
        lease: (mac) => dhcp.lease(mac),
      });
      return handicaps.get(hardware.name)?.has('no-address') === true
        ? { ...network, addresses: [], gateway: undefined }
        : network;
    },
    imageOf: (reference, running) => installerImage(reference, running, extensionsOf),
  };
}

/** Images for clouds keep the kernel’s names of cards; those for metal name them by where they sit. */
function machineHardware(
  { vmid, uuid, cpus, memoryMiB, nics }: VirtualHardware,
  drives: readonly VirtualDrive[],
  { platform }: SystemImage,
): TwinHardware {
  const nameOf = (slot: string): string => {
    const index = Number(/\d+$/.exec(slot)?.[0] ?? 0);
    return platform === 'metal' ? `ens${18 + index}` : `eth${index}`;
  };
  return {
    // Who took the uuid out of the configuration still has a machine that is told apart from others.
    uuid: uuid === '' ? `00000000-0000-0000-0000-${String(vmid).padStart(12, '0')}` : uuid,
    cpus,
    memoryMiB,
    disks: devicesOf(drives).map(({ disk }) => disk),
    links: nics.map(({ slot, mac }) => ({ name: nameOf(slot), mac: mac.toLowerCase() })),
  };
}
