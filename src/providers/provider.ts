import type { Inventory } from '../model/host.ts';
import type { Role, Shape } from '../model/machine.ts';
import type {
  AddressRule,
  AnyMachine,
  Damage,
  Image,
  ImageRequest,
  MachineRef,
  MachineRequest,
  Mark,
  ObservedMachine,
  Power,
} from '../model/observed.ts';
import type { Problem } from '../model/problem.ts';
import type { Seen } from '../model/seen.ts';

export type {
  AddressRule,
  AnyMachine,
  Image,
  ImageRequest,
  MachineRef,
  MachineRequest,
  Mark,
  ObservedDisk,
  ObservedMachine,
  Power,
  StaticAddress,
} from '../model/observed.ts';

/** What the provider has: every host with what it carries, ours and everybody else’s. */
export type Survey = {
  readonly provider: { readonly product: string; readonly version: string };
  readonly inventory: Inventory;
  /** Machines of ours there, of whatever platform; they cost no calls besides. */
  readonly machines: readonly Seen<ObservedMachine>[];
  /** Machines that may be ours and do not carry a whole mark; whose they are shows in their UUID or MAC. */
  readonly unmarked: readonly Unmarked[];
  /** Hosts that did not answer; they are in no inventory. */
  readonly silent: readonly SilentHost[];
  /** Why writing would be refused at the moment, such as a lost quorum; undefined: it would not. */
  readonly readOnly: string | undefined;
};

export type Unmarked = Pick<AnyMachine, 'id' | 'host' | 'name' | 'uuid' | 'macs'> & {
  /** What of the mark of a machine is missing on it, and the command that puts it back. */
  readonly damage: (mark: Mark) => Damage;
};

type SilentHost = {
  readonly host: string;
  readonly because: string;
  /** What others know it to carry that may be ours; undefined: nobody knows, and nothing may be concluded about it. */
  readonly carries: readonly Carried[] | undefined;
};

/** `platform`: whose tag it has; undefined: no tag of ours. */
export type Carried = { readonly id: string; readonly platform: string | undefined };

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

/** All that observe/ ever holds of a provider. Nothing here changes anything. */
export interface MachineReader {
  survey(signal: AbortSignal): Promise<Survey>;
  /** Machines that carry the mark of this platform, wherever they are. */
  machines(platform: string, signal: AbortSignal): Promise<readonly Seen<ObservedMachine>[]>;
  /** Undefined: it has none yet, or nobody inside tells. */
  address(machine: MachineRef, rule: AddressRule, signal: AbortSignal): Promise<string | undefined>;
  /** Where an image is already; hosts that lack it are absent. */
  images(request: ImageRequest, hosts: readonly string[], signal: AbortSignal): Promise<readonly Image[]>;
  /** Every machine there, ours or not, looked at closely; for whoever takes over what others made. */
  everything?(signal: AbortSignal): Promise<readonly AnyMachine[]>;
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
