import type { Inventory } from '../model/host.ts';
import type { Role, Shape } from '../model/machine.ts';
import type { Problem } from '../model/problem.ts';
import type { Seen } from '../model/seen.ts';

/** What proves that a machine is ours. Written when it is made, read again before anything is done to it. */
export type Mark = { readonly platform: string; readonly name: string; readonly uuid: string };

/** Where a machine was last seen, and who it must turn out to be. */
export type MachineRef = {
  readonly mark: Mark;
  /** The provider’s own word: a VMID, a server id, a domain’s uuid. Can belong to somebody else by now. */
  readonly id: string;
  readonly host: string;
};

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
};

/** What the provider has: every host with what it carries, ours and everybody else’s. */
export type Survey = {
  readonly provider: { readonly product: string; readonly version: string };
  readonly inventory: Inventory;
  /** Machines of ours there, of whatever platform; they cost no calls besides. */
  readonly machines: readonly Seen<ObservedMachine>[];
  /** Hosts that did not answer; they are in no inventory, and nothing may be concluded about what they carry. */
  readonly silent: readonly { readonly host: string; readonly because: string }[];
  /** Why writing would be refused at the moment, such as a lost quorum; undefined: it would not. */
  readonly readOnly: string | undefined;
};

/** One thing that was checked before anything is touched. */
export type Finding = {
  /** permissions, storage, bridge, image … */
  readonly about: string;
  readonly host?: string;
  /** What was looked at, as a sentence that is true when it is fine. */
  readonly what: string;
  /** Undefined: it is fine. */
  readonly problem: Problem | undefined;
};

/** What machines are going to use. */
export type Needs = {
  /** That they start from. */
  readonly images: readonly ImageRequest[];
  /** That their disks are to lie on; empty: those that the settings say. */
  readonly datastores: readonly string[];
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

/** All that observe/ ever holds of a provider. Nothing here changes anything. */
export interface MachineReader {
  survey(signal: AbortSignal): Promise<Survey>;
  /** Machines that carry the mark of this platform, wherever they are. */
  machines(platform: string, signal: AbortSignal): Promise<readonly Seen<ObservedMachine>[]>;
  /** Undefined: it has none yet, or nobody inside tells. */
  address(machine: MachineRef, rule: AddressRule, signal: AbortSignal): Promise<string | undefined>;
  /** Where an image is already; hosts that lack it are absent. */
  images(request: ImageRequest, hosts: readonly string[], signal: AbortSignal): Promise<readonly Image[]>;
  /** Everything that would stop us later, looked at now. */
  check(needs: Needs, signal: AbortSignal): Promise<readonly Finding[]>;
}

/**
 * Held by execute/ alone. Every call may be repeated: a second time changes nothing, also when the answer to the first was
 * lost. Whatever would stop, reset or delete a machine proves first that it is the one that `mark` says.
 */
export interface MachineWriter {
  /** Once per host, or once per datastore that hosts share. */
  ensureImage(request: ImageRequest, hosts: readonly string[], signal: AbortSignal): Promise<readonly Image[]>;
  /** Made and not started. */
  create(request: MachineRequest, signal: AbortSignal): Promise<MachineRef>;
  /** `off` cuts the power, also when somebody else’s orderly shutdown is under way. */
  setPower(machine: MachineRef, power: Power, signal: AbortSignal): Promise<void>;
  /** Hard, as the button on the case. */
  reset(machine: MachineRef, signal: AbortSignal): Promise<void>;
  /** Takes installation medium and first configuration out of their drives, once the machine has booted from its disk. */
  ejectMedia(machine: MachineRef, signal: AbortSignal): Promise<void>;
  /** Disks only grow. What a running machine cannot take up waits for its next cold start, and is returned by name. */
  resize(machine: MachineRef, shape: Shape, signal: AbortSignal): Promise<{ readonly afterRestart: readonly string[] }>;
  /** Gone with its disks. A machine that is not there any more is deleted already. */
  delete(machine: MachineRef, signal: AbortSignal): Promise<void>;
  /** Keeps these apart by the provider’s own means; an empty list takes the rule away. */
  keepApart(group: string, machines: readonly MachineRef[], signal: AbortSignal): Promise<void>;
  /** Lets through what each role needs, and nothing else. An empty list takes our rules away. */
  firewall(
    platform: string,
    machines: readonly FirewalledMachine[],
    rules: FirewallRules,
    signal: AbortSignal,
  ): Promise<void>;
}

export type FirewalledMachine = MachineRef & { readonly role: Role; readonly addresses: readonly string[] };

export type FirewallRules = {
  /** Networks that may reach the Talos and Kubernetes APIs; empty: all. */
  readonly management: readonly string[];
  /** Further addresses that machines send from: VIP, pods, load balancers. */
  readonly alsoOurs: readonly string[];
};

export type Provider = { readonly reader: MachineReader; readonly writer: MachineWriter } & AsyncDisposable;
