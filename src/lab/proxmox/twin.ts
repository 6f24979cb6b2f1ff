import type { Duplex } from 'node:stream';
import type { LabClock } from '../clock.ts';
import type { GuestFactory } from './guest.ts';

/** A host before anything runs on it. */
export type HostOptions = {
  readonly name: string;
  readonly cpus?: number;
  readonly memoryMiB?: number;
  /** Bridges, and whether they carry VLANs; absent: vmbr0, which does. */
  readonly bridges?: Readonly<Record<string, { readonly vlanAware?: boolean }>>;
  /** How far its clock is ahead of everybody else’s. */
  readonly clockAheadMs?: number;
};

/** Virtual networks. */
export type SdnOptions = {
  readonly zones?: readonly {
    readonly zone: string;
    readonly type?: 'simple' | 'vlan' | 'qinq' | 'vxlan' | 'evpn';
    /** Hosts that it reaches; absent: all. */
    readonly hosts?: readonly string[];
  }[];
  readonly vnets?: readonly { readonly vnet: string; readonly zone: string; readonly tag?: number }[];
};

export type StorageOptions = {
  readonly id: string;
  readonly type?: 'dir' | 'lvmthin' | 'lvm' | 'zfspool' | 'nfs' | 'rbd';
  readonly content: readonly ('images' | 'iso' | 'import' | 'vztmpl' | 'backup' | 'snippets' | 'rootdir')[];
  /** The same space, seen from every host. */
  readonly shared?: boolean;
  readonly totalGiB?: number;
  /** Hosts that have it; absent: all. */
  readonly hosts?: readonly string[];
  /** Folder of a `dir` or `nfs`, as logs show it. */
  readonly path?: string;
};

/** How long things take, in milliseconds of the lab’s clock. */
export type ProxmoxDurations = {
  readonly create: number;
  /** Copying one GiB of an image onto a disk. */
  readonly importPerGiB: number;
  readonly start: number;
  readonly stop: number;
  readonly destroy: number;
  readonly resize: number;
  readonly config: number;
  readonly clonePerGiB: number;
  readonly downloadPerGiB: number;
  /** Until a refused login is told so. */
  readonly refusal: number;
  /** Until a host notices that the agent of a guest does not answer. */
  readonly agentSilence: number;
  /** How long an operation waits for the lock of a VM. */
  readonly lockWait: number;
  /** Between looks of the HA manager and of its agents, which take turns. */
  readonly haRound: number;
  /** Between two looks of the statistics daemon. */
  readonly statistics: number;
  /** Until what a dead host last told about its guests is forgotten. */
  readonly forget: number;
  /** Until a forwarded request is given up. */
  readonly proxy: number;
};

export type DatacenterOptions = {
  readonly clock?: LabClock;
  /** A number makes pve1, pve2, … alike. One host is no cluster, as with the real thing. */
  readonly hosts?: number | readonly HostOptions[];
  readonly storages?: readonly StorageOptions[];
  readonly sdn?: SdnOptions;
  /** PEMs of authorities that hosts trust when they download, besides those that everybody trusts. */
  readonly trust?: readonly string[];
  /** Containers that are there already and take room. */
  readonly containers?: readonly {
    readonly vmid: number;
    readonly host: string;
    readonly name?: string;
    readonly cpus?: number;
    readonly memoryMiB?: number;
    readonly diskGiB?: number;
    readonly running?: boolean;
  }[];
  /** Which Proxmox VE it plays. */
  readonly version?: '8.4' | '9.2';
  readonly clusterName?: string;
  readonly durations?: Partial<ProxmoxDurations>;
  /** Before every answer, in milliseconds of the wall’s clock. */
  readonly latencyMs?: number;
  /**
   * `own`: port 8006 on an address of its own per host, from the second of `network` on, as with the real thing. `mapped`:
   * ports as they come on 127.0.0.1, for tests that run side by side and for systems with one loopback address.
   */
  readonly addresses?: 'own' | 'mapped';
  /** Loopback network of hosts (first half) and guests (second half). */
  readonly network?: string;
  /** What starts when a VM does; absent: VMs run, and nothing is in them. */
  readonly guests?: GuestFactory;
  /** Decides everything that would be chance. */
  readonly seed?: number;
};

/** What goes wrong, where and how often. Requests of every client are meant, unless `match` says otherwise. */
export type ProxmoxFault = {
  readonly kind:
    /** The request is carried out, and the connection closed without an answer. */
    | 'lose-answer'
    /** Nothing happens, and the connection is closed. */
    | 'lose-request'
    /** Answers with `status` and `reason`, and does nothing. */
    | 'refuse'
    /** Answers with `status` and `reason`, and does it all the same: 596, or 500 `got no worker upid`. */
    | 'refuse-and-do'
    | 'delay'
    /** Somebody holds the lock of a VM for `delayMs`. */
    | 'lock'
    /** The task that the request starts ends with `reason`. */
    | 'fail-task'
    /** The task that the request starts is killed: `unexpected status`, and what it did so far stays. */
    | 'kill-task'
    /** The task ends with WARNINGS: 1. */
    | 'warn-task'
    /** Whatever would change something is refused with 403; a login changes nothing. */
    | 'read-only';
  /** `POST /nodes/*\/qemu`; a star is one segment, two are any number. Absent: every request. */
  readonly match?: string;
  /** Share of requests, 0 to 1; absent: all of them. */
  readonly share?: number;
  /** Decides about the share; absent: the lab’s own chance. */
  readonly chance?: () => number;
  readonly times?: number;
  readonly status?: number;
  readonly reason?: string;
  readonly delayMs?: number;
};

/** One request as the twin saw it; secrets are not in it. */
export type SeenRequest = {
  readonly at: Date;
  readonly host: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly who: string;
  readonly status: number;
};

/** A host as whoever stands in the data centre sees it. */
type SeenHost = {
  readonly name: string;
  readonly state: 'up' | 'dead' | 'frozen' | 'cut off';
  readonly cpus: number;
  readonly memoryMiB: number;
};

/** A VM as whoever stands in the data centre sees it. */
export type SeenVm = {
  readonly vmid: number;
  readonly host: string;
  readonly running: boolean;
  readonly config: Readonly<Record<string, string>>;
};

/** A Proxmox VE cluster that is not there. */
export interface ProxmoxLab extends AsyncDisposable {
  /** `https://…:8006` by host. */
  readonly endpoints: ReadonlyMap<string, string>;
  /** PEM of the cluster’s authority. */
  readonly ca: string;
  /** SHA-256 of the certificate that a host serves. */
  fingerprint(host: string): string;
  /** A new token `root@pam!NAME` without privilege separation, as `USER@REALM!NAME=UUID`. */
  token(name?: string): string;
  /** The same of `NAME@pve`, who is an administrator and not root. */
  administrator(name: string): string;
  readonly password: { readonly username: string; readonly password: string };
  requests(): readonly SeenRequest[];
  vms(): readonly SeenVm[];
  hosts(): readonly SeenHost[];
  /** Names of the storages. */
  storages(): readonly string[];
  fail(fault: ProxmoxFault): void;
  heal(): void;
  /** `dead`: power failure, guests included. `frozen`: connections open, nothing answers. `cut off`: alone without quorum. */
  setHost(host: string, state: 'up' | 'dead' | 'frozen' | 'cut off'): void;
  /** Leaves that much room on a storage. */
  fill(storage: string, freeGiB: number, host?: string): void;
  /** Opens a byte stream to a host or guest of the lab, wherever its ports really are. */
  connector(): (target: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<Duplex>;
}
