import type { Inventory } from './host.ts';
import type { Machine } from './machine.ts';

export type Resource = 'cpu' | 'memory' | `disk:${string}`;

/** What makes a machine itself; derived from names, and kept once it is given. */
export type Identity = {
  /** Null where the provider has none. */
  readonly vmid: number | null;
  readonly mac: string;
  readonly uuid: string;
  readonly address: string | null;
};

export type PlacedMachine = {
  readonly machine: Machine;
  readonly identity: Identity;
  /** Null when there is no room for it. */
  readonly host: string | null;
  /** For people; nothing may branch on it. */
  readonly because: string;
  /** It runs already, and stays where it is. */
  readonly exists: boolean;
};

/** How full a resource of a host is. Capacity is after overcommit and reserve. */
export type Gauge = {
  readonly resource: Resource;
  readonly capacity: number;
  /** Used by what is there now. */
  readonly before: number;
  /** Used once the plan is carried out. */
  readonly after: number;
};

export type HostProof = {
  readonly name: string;
  readonly gauges: readonly Gauge[];
  readonly machines: readonly string[];
  /** The fullest of its resources. */
  readonly tightest: Gauge;
};

/** Something that is missing, and where the least of it would help. */
export type Shortage = {
  /** Group of machines that find no room. */
  readonly group: string;
  readonly machines: number;
  readonly host: string | null;
  readonly resource: Resource | 'hosts';
  readonly missing: number;
};

/** What happens when a host is lost. */
export type Loss = {
  readonly host: string;
  readonly controlPlanes: readonly string[];
  readonly membersLeft: number;
  readonly membersNeeded: number;
  readonly quorum: 'kept' | 'lost';
  readonly workers: readonly string[];
  /** Whether the workers that ran there find room elsewhere. */
  readonly fit: boolean;
  readonly short: readonly Shortage[];
};

/** A request that would fit, checked by placing it. */
export type Nearest = { readonly change: string; readonly from: string; readonly to: string };

export type Proof = {
  readonly platform: string;
  readonly kind: 'Platform' | 'Substrate';
  readonly fits: boolean;
  /** Whether "does not fit" is certain; a search that was cut short cannot say so. */
  readonly certain: boolean;
  /** What it was placed on. */
  readonly inventory: Inventory;
  readonly machines: readonly PlacedMachine[];
  readonly hosts: readonly HostProof[];
  /** Datastores that all hosts share. */
  readonly shared: readonly Gauge[];
  readonly losses: readonly Loss[];
  readonly short: readonly Shortage[];
  readonly nearest: readonly Nearest[];
  /** What a person should know besides. */
  readonly remarks: readonly string[];
};
