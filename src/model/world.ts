import type { Inventory } from './host.ts';
import type { Role } from './machine.ts';
import type { Damage, ObservedMachine } from './observed.ts';
import type { Seen } from './seen.ts';
import type { ConfigChange } from './step.ts';

/** What the world cannot tell, kept between runs. Nothing in it is secret. */
export type Memory = {
  /** The platform that this place belongs to. */
  readonly platform: string;
  /** The control plane that etcd is, or was, bootstrapped on: chosen before it is asked, and never another one in this life. */
  readonly bootstrap:
    | {
        readonly machine: string;
        readonly chosenAt: string;
        /**
         * Machines that voted when somebody last looked: once there are any, this life has begun, and nobody begins it again.
         * Undefined: it was only chosen so far.
         */
        readonly members?: readonly string[];
        /** A destroy has begun: nothing of this life is to be kept. */
        readonly ending?: true;
      }
    | undefined;
  /** Machines of `existing` that we configured, by name: once they are out of the file, nobody else says where they are. */
  readonly configured: Readonly<Record<string, { readonly address: string; readonly role: Role }>>;
  /** What the provider was last told about guarding machines; a digest. */
  readonly guarded: string | undefined;
};

/** Talos as it stands on a machine. */
export type TalosWorld =
  /** The machine has no power. */
  | { readonly kind: 'off' }
  | { readonly kind: 'maintenance'; readonly version: string | undefined; readonly fingerprint: string }
  /** Configured, and by somebody else: it does not take our certificates. */
  | { readonly kind: 'foreign'; readonly because: string }
  | {
      readonly kind: 'ours';
      readonly version: string;
      /** `running`, `booting`, `rebooting` …, in Talos’ words. */
      readonly stage: string;
      readonly hostname: string;
      /** Schematic that its image was made from; undefined: it does not say. */
      readonly schematic: string | undefined;
      /** What is other than the file asks for; empty: nothing. */
      readonly changes: readonly ConfigChange[];
    };

/** A machine of the file, or one of ours that the file no longer has. */
export type WorldMachine = {
  readonly name: string;
  readonly role: Role;
  /** The file has it. */
  readonly wanted: boolean;
  /** Null: it is not there. Undefined: nobody makes machines here, they exist. */
  readonly vm: Seen<ObservedMachine | null> | undefined;
  /** Somebody took a part of its mark off: nothing is done to it before that is put back. */
  readonly damage?: Damage | undefined;
  /** Undefined: it has none, or nobody tells. */
  readonly address: string | undefined;
  /** Unknown while nothing answers where something should. Known and undefined: there is no machine. */
  readonly talos: Seen<TalosWorld | undefined>;
};

export type WorldMember = {
  readonly id: string;
  readonly hostname: string;
  readonly learner: boolean;
  /** Machine that it is; undefined: none that we know. */
  readonly machine: string | undefined;
};

export type WorldNode = {
  readonly name: string;
  readonly machine: string | undefined;
  readonly addresses: readonly string[];
  readonly controlPlane: boolean;
  readonly ready: boolean;
  /** Why it is not. */
  readonly missing: readonly string[];
  readonly schedulable: boolean;
  /** It carries the mark of a drain of ours (`drainedMark`): whoever cordoned it, we may let it work again. */
  readonly drained: boolean;
  readonly version: string;
};

export type NetworkWorld =
  /** The file leaves it to Talos or to somebody else. */
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'current' }
  | { readonly kind: 'differs'; readonly reasons: readonly string[] }
  | { readonly kind: 'pending'; readonly since: string | undefined }
  | { readonly kind: 'handed-over'; readonly to: string }
  | { readonly kind: 'foreign'; readonly object: string };

/** A file that people get, and whether it is as it should be. */
export type WorldArtifact = { readonly path: string; readonly standing: 'same' | 'absent' | 'other' };

/** Everything that was seen, at one moment. It has no methods that fetch, and nothing secret in it. */
export type World = {
  readonly platform: string;
  readonly at: Date;
  readonly memory: Memory;
  readonly secrets: 'there' | 'absent';
  /** Undefined: there is nobody to ask for machines. */
  readonly provider:
    | {
        readonly product: string;
        readonly version: string;
        readonly inventory: Inventory;
        readonly silent: readonly { readonly host: string; readonly because: string }[];
        readonly readOnly: string | undefined;
        /** Hosts that have each image, by its name (or volume); unknown: it could not be looked up. */
        readonly images: ReadonlyMap<string, Seen<readonly string[]>>;
      }
    | undefined;
  readonly machines: readonly WorldMachine[];
  /** Known and empty: no control plane has one. */
  readonly etcd: Seen<readonly WorldMember[]>;
  /** Known and undefined: there is no Kubernetes yet. */
  readonly nodes: Seen<readonly WorldNode[] | undefined>;
  readonly network: Seen<NetworkWorld>;
  readonly artifacts: readonly WorldArtifact[];
};
