import type { Role, Shape } from './machine.ts';
import type { Seen } from './seen.ts';

/** What proves that a machine is ours. Written when it is made, read again before anything is done to it. */
export type Mark = { readonly platform: string; readonly name: string; readonly uuid: string };

/** Where a machine was last seen, and who it must turn out to be. */
export type MachineRef = {
  readonly mark: Mark;
  /** The provider’s own word: a VMID, a server id, a domain’s uuid. Can belong to somebody else by now. */
  readonly id: string;
  readonly host: string;
};

/** A mark that somebody took a part off. */
export type Damage = { readonly lacking: readonly string[]; readonly restore: string };

export type Power = 'on' | 'off';

export type ObservedDisk = {
  /** As in the shape of a machine: `system`, or the name of a data disk. Undefined: nobody of ours made it. */
  readonly name: string | undefined;
  readonly sizeGiB: number;
  readonly datastore: string;
};

/** One of our machines as it is now. */
export type ObservedMachine = MachineRef & {
  readonly power: Seen<Power>;
  /** What somebody is doing to it at the moment, in the provider’s word: create, backup, migrate. */
  readonly busy: string | undefined;
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly disks: readonly ObservedDisk[];
  /** The first is the one that the node network is on. */
  readonly macs: readonly string[];
  /** Installation medium that is still in a drive. */
  readonly medium: string | undefined;
  /** What it was told about its own address; undefined: it asks DHCP. */
  readonly staticAddress: string | undefined;
  /** Everything else that `create` writes and a person can change by hand, each as text. */
  readonly settings: Readonly<Record<string, string>>;
  /** What its mark lacks, although it is ours beyond doubt. */
  readonly damage?: Damage | undefined;
};

/** A machine of whoever it is, as its hypervisor describes it. */
export type AnyMachine = {
  readonly id: string;
  readonly host: string;
  readonly name: string;
  /** Undefined: it has none. */
  readonly uuid: string | undefined;
  readonly macs: readonly string[];
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly disks: readonly ObservedDisk[];
  readonly settings: Readonly<Record<string, string>>;
};

/** The Talos image that machines start from. */
export type ImageRequest =
  | {
      readonly kind: 'disk' | 'iso';
      readonly url: string;
      /** The same name is the same content, for ever: schematic and version are in it. */
      readonly name: string;
      readonly checksum: { readonly algorithm: 'sha256' | 'sha512'; readonly hex: string } | undefined;
      /** Who fetches it: the host, or this machine, which uploads it. `auto`: this machine where the host cannot. */
      readonly download: 'auto' | 'host' | 'here';
      readonly datastore: string;
    }
  /** Somebody put it there. */
  | { readonly kind: 'iso'; readonly volume: string };

/** An image as machines of one host can use it. */
export type Image = { readonly kind: 'disk' | 'iso'; readonly host: string; readonly volume: string };

export type StaticAddress = {
  readonly address: string;
  readonly prefix: number;
  readonly gateway: string | undefined;
  readonly nameservers: readonly string[];
};

export type MachineRequest = {
  readonly mark: Mark;
  readonly role: Role;
  readonly pool: string | null;
  readonly hostname: string;
  readonly host: string;
  /** VMID, where the provider lets us choose. */
  readonly id: string | undefined;
  /** The first disk is the system’s. */
  readonly shape: Shape;
  readonly mac: string;
  readonly image: Image;
  readonly staticAddress: StaticAddress | undefined;
  /** Machine configuration that it finds at its first boot. Secret. Undefined: it waits in maintenance mode. */
  readonly firstConfig: string | undefined;
};

/** How an address is recognised among all that a machine reports. */
export type AddressRule = {
  readonly mac: string;
  /** Node network, where it is known. */
  readonly network: string | undefined;
  /** Addresses that are nobody’s own: the VIP, pods, services, pools of load balancers. */
  readonly not: readonly string[];
};
