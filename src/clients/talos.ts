import type { Connector } from '../model/connector.ts';

/** How we prove who we are, and how we know the node. PEM texts; `key` may have Talos’ own label. */
export type TalosAccess =
  | { readonly kind: 'mutual'; readonly ca: string; readonly crt: string; readonly key: string }
  /** Maintenance mode. The fingerprint is base64(SHA-256(SubjectPublicKeyInfo)); without one the first contact pins it. */
  | { readonly kind: 'maintenance'; readonly fingerprint?: string };

export type TalosTarget = {
  /** Address of the node itself; the port is 50000 unless said otherwise. */
  readonly host: string;
  readonly port?: number;
  readonly access: TalosAccess;
  readonly connect?: Connector;
};

/** What stands behind an address, as far as anybody may know without credentials. */
export type Standing =
  | { readonly kind: 'maintenance'; readonly version: string | undefined; readonly fingerprint: string }
  | { readonly kind: 'configured' }
  | { readonly kind: 'absent'; readonly because: string };

export type TalosVersion = {
  readonly tag: string;
  readonly sha: string;
  readonly arch: string;
  readonly platform: string;
  readonly mode: string;
};

export type ServiceState = {
  readonly id: string;
  readonly state: string;
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  readonly message: string;
  readonly events: readonly { readonly state: string; readonly message: string; readonly at: Date }[];
};

/** Ids are 16 hex digits, as people know them. */
export type EtcdMember = {
  readonly id: string;
  readonly hostname: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly learner: boolean;
};

export type EtcdStatus = {
  readonly memberId: string;
  readonly leader: string;
  readonly version: string;
  readonly storageVersion: string;
  readonly dbSize: bigint;
  readonly dbSizeInUse: bigint;
  readonly raftIndex: bigint;
  readonly raftTerm: bigint;
  readonly raftAppliedIndex: bigint;
  readonly learner: boolean;
  readonly errors: readonly string[];
};

export type MachineStage =
  | 'unknown'
  | 'booting'
  | 'installing'
  | 'maintenance'
  | 'running'
  | 'rebooting'
  | 'shutting down'
  | 'resetting'
  | 'upgrading';

export type MachineStatus = {
  readonly stage: MachineStage;
  readonly ready: boolean;
  readonly unmet: readonly { readonly name: string; readonly reason: string }[];
};

/** A resource of the node’s state; `spec` is its YAML, parsed. */
export type Resource = {
  readonly namespace: string;
  readonly type: string;
  readonly id: string;
  readonly version: string;
  readonly phase: string;
  readonly owner: string;
  readonly created: Date;
  readonly updated: Date;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly spec: unknown;
  /** As the node wrote it, in both encodings. */
  readonly yaml: string;
  readonly proto: Uint8Array;
};

export type ResourceDefinition = {
  readonly type: string;
  readonly namespace: string;
  readonly aliases: readonly string[];
  readonly sensitive: boolean;
  readonly columns: readonly { readonly name: string; readonly path: string }[];
};

export type ResourceChange =
  | { readonly kind: 'created' | 'destroyed'; readonly resource: Resource }
  | { readonly kind: 'updated'; readonly resource: Resource; readonly old: Resource | undefined }
  /** Everything that was there has been told. */
  | { readonly kind: 'bootstrapped' };

export type ResourceQuery = {
  /** Type, or one of its aliases: `Members.cluster.talos.dev`, `members`. */
  readonly type: string;
  readonly namespace?: string;
  readonly id?: string;
};

export type TalosEvent = { readonly id: string; readonly actor: string } & (
  | {
      readonly kind: 'sequence';
      readonly sequence: string;
      readonly action: 'noop' | 'start' | 'stop';
      readonly error: string | undefined;
    }
  | { readonly kind: 'phase'; readonly phase: string; readonly action: 'start' | 'stop' }
  | { readonly kind: 'task'; readonly task: string; readonly action: 'start' | 'stop' }
  | {
      readonly kind: 'service';
      readonly service: string;
      readonly state: string;
      readonly message: string;
      readonly health: ServiceState['health'];
    }
  | { readonly kind: 'status'; readonly status: MachineStatus }
  | { readonly kind: 'address'; readonly hostname: string; readonly addresses: readonly string[] }
  | { readonly kind: 'restart' }
  | { readonly kind: 'config-error'; readonly error: string }
  | { readonly kind: 'other'; readonly type: string }
);

type EventsFrom = {
  readonly tail?: number;
  readonly after?: string;
  readonly seconds?: number;
  readonly actor?: string;
};

export type Disk = {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: bigint;
  readonly model: string;
  readonly serial: string;
  readonly wwid: string;
  readonly transport: string;
  readonly busPath: string;
  readonly rotational: boolean;
  readonly readonly: boolean;
  readonly cdrom: boolean;
  readonly system: boolean;
};

export type Link = {
  readonly name: string;
  readonly kind: string;
  readonly mac: string;
  readonly up: boolean;
  readonly mtu: number;
  readonly physical: boolean;
};

export type Address = { readonly address: string; readonly link: string; readonly scope: string };

export type LogsOf = {
  readonly id: string;
  readonly namespace?: 'system' | 'k8s.io';
  readonly tail?: number;
  readonly follow?: boolean;
};

type ClusterAsked = {
  readonly controlPlanes: readonly string[];
  readonly workers: readonly string[];
  readonly waitMs: number;
};

/** `said` is `OK`, `SKIP`, or what is missing. */
export type ConditionSaid = { readonly condition: string; readonly said: string };

/** Looks, and changes nothing. */
export interface TalosReader {
  version(signal: AbortSignal): Promise<TalosVersion>;
  hostname(signal: AbortSignal): Promise<string>;
  machineStatus(signal: AbortSignal): Promise<MachineStatus>;
  services(signal: AbortSignal): Promise<readonly ServiceState[]>;
  memory(signal: AbortSignal): Promise<{ readonly totalBytes: bigint }>;
  /** Only what this node’s own etcd says; never waits longer than `deadlineMs` (2 s). */
  etcdMembers(
    signal: AbortSignal,
    options?: { readonly local?: boolean; readonly deadlineMs?: number },
  ): Promise<readonly EtcdMember[]>;
  etcdStatus(signal: AbortSignal): Promise<EtcdStatus>;
  etcdAlarms(signal: AbortSignal): Promise<readonly { readonly memberId: string; readonly alarm: string }[]>;
  etcdSnapshot(signal: AbortSignal): AsyncIterable<Uint8Array>;
  disks(signal: AbortSignal): Promise<readonly Disk[]>;
  links(signal: AbortSignal): Promise<readonly Link[]>;
  addresses(signal: AbortSignal): Promise<readonly Address[]>;
  systemUuid(signal: AbortSignal): Promise<string | undefined>;
  bootId(signal: AbortSignal): Promise<string>;
  /** Needs a role that may read secrets. */
  kubeconfig(signal: AbortSignal): Promise<string>;
  machineConfig(signal: AbortSignal): Promise<string>;
  /** What a control plane itself finds of the cluster, condition by condition; ends when all hold, or when it has waited long enough. */
  clusterHealth(of: ClusterAsked, signal: AbortSignal): AsyncIterable<ConditionSaid>;
  events(from: EventsFrom, signal: AbortSignal): AsyncIterable<TalosEvent>;
  logs(of: LogsOf, signal: AbortSignal): AsyncIterable<Uint8Array>;
  dmesg(
    options: { readonly follow?: boolean; readonly tail?: boolean },
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>;
  definitions(signal: AbortSignal): Promise<readonly ResourceDefinition[]>;
  get(query: ResourceQuery & { readonly id: string }, signal: AbortSignal): Promise<Resource | undefined>;
  list(query: ResourceQuery, signal: AbortSignal): Promise<readonly Resource[]>;
  watch(query: ResourceQuery, signal: AbortSignal): AsyncIterable<ResourceChange>;
}

export type ApplyMode = 'auto' | 'no-reboot' | 'reboot' | 'staged' | 'try';

export type Applied = {
  readonly mode: ApplyMode;
  readonly warnings: readonly string[];
  /** What the node said, without anything secret: Talos’ own text carries keys in clear. */
  readonly details: string;
};

export type ResetRequest = {
  readonly graceful: boolean;
  readonly reboot: boolean;
  /** Labels of system partitions; empty: the whole system disk. */
  readonly partitions?: readonly string[];
  readonly userDisks?: readonly string[];
  readonly wipe?: 'all' | 'system-disk' | 'user-disks';
};

export type UpgradeProgress =
  | { readonly kind: 'pulling'; readonly layer: string; readonly done: bigint; readonly total: bigint }
  | { readonly kind: 'pulled'; readonly image: string }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'installed' }
  /** The old way: the node goes on by itself and reboots. */
  | { readonly kind: 'accepted'; readonly actor: string };

/** Changes the node. Nothing here is tried a second time by itself. */
export interface TalosWriter {
  apply(
    config: string,
    options: { readonly mode: ApplyMode; readonly dryRun?: boolean; readonly tryTimeoutMs?: number },
    signal: AbortSignal,
  ): Promise<Applied>;
  /** Once in a cluster’s life, on one node. Never send it again before having looked. */
  bootstrap(
    options: { readonly recover?: boolean; readonly skipHashCheck?: boolean },
    signal: AbortSignal,
  ): Promise<void>;
  etcdRecover(snapshot: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  /** The new leader’s name; undefined when this node did not lead. */
  etcdForfeit(signal: AbortSignal): Promise<string | undefined>;
  etcdLeave(signal: AbortSignal): Promise<void>;
  etcdRemove(memberId: string, signal: AbortSignal): Promise<void>;
  etcdDefragment(signal: AbortSignal): Promise<void>;
  etcdDisarm(signal: AbortSignal): Promise<void>;
  reboot(mode: 'default' | 'powercycle' | 'force', signal: AbortSignal): Promise<void>;
  shutdown(options: { readonly force?: boolean }, signal: AbortSignal): Promise<void>;
  reset(request: ResetRequest, signal: AbortSignal): Promise<void>;
  rollback(signal: AbortSignal): Promise<void>;
  /** LifecycleService from 1.13 on, the old Upgrade before it or when `legacy` says so. Does not reboot by itself in the new way. */
  upgrade(
    request: { readonly image: string; readonly legacy?: boolean; readonly stage?: boolean; readonly force?: boolean },
    signal: AbortSignal,
  ): AsyncIterable<UpgradeProgress>;
  service(id: string, action: 'start' | 'stop' | 'restart', signal: AbortSignal): Promise<void>;
  clientConfiguration(
    request: { readonly roles: readonly string[]; readonly ttlMs: number },
    signal: AbortSignal,
  ): Promise<{ readonly ca: string; readonly crt: string; readonly key: string; readonly talosconfig: string }>;
}

export interface TalosNode extends TalosReader, TalosWriter, AsyncDisposable {
  /** Of the certificate that the node showed; in maintenance mode this is what was pinned. */
  readonly fingerprint: () => string | undefined;
}

/** Dials lazily; one connection per node, used again. */
export type OpenTalos = (target: TalosTarget) => TalosNode;

/** Asks an address what stands behind it, without credentials. */
export type ProbeTalos = (
  target: Pick<TalosTarget, 'host' | 'port' | 'connect'>,
  signal: AbortSignal,
) => Promise<Standing>;

export type HealthCheck = {
  /** The condition, in Talos’ own words: `etcd to be healthy`. */
  readonly name: string;
  readonly state: 'waiting' | 'ok' | 'failed' | 'skipped';
  /** What is still missing, or why it was skipped. */
  readonly detail: string;
};

/** A node as the checks look at it. */
export type ClusterNode<Node = TalosReader> = {
  readonly name: string;
  readonly role: 'control-plane' | 'worker';
  /** Its own addresses, as etcd and Kubernetes may know it. */
  readonly addresses: readonly string[];
  readonly talos: Node;
};

/** What only the Kubernetes API can tell. */
export interface KubernetesHealth {
  nodes(signal: AbortSignal): Promise<
    readonly {
      readonly name: string;
      readonly addresses: readonly string[];
      readonly controlPlane: boolean;
      readonly ready: boolean;
      readonly schedulable: boolean;
    }[]
  >;
  /** Pods of kube-system with the label `k8s-app`, without those that have ended or are being deleted. */
  pods(app: string, signal: AbortSignal): Promise<readonly { readonly name: string; readonly ready: boolean }[]>;
  /** How many pods the DaemonSet or Deployment with that label wants; undefined: there is none. */
  wanted(app: string, signal: AbortSignal): Promise<number | undefined>;
}

type HealthOptions = {
  /** Without it a control plane is asked for what only the Kubernetes API can tell. */
  readonly kubernetes?: KubernetesHealth;
  /** For all checks together; 20 minutes unless said otherwise. */
  readonly deadlineMs?: number;
};

/** Each check in Talos’ order: `waiting` when it begins and when what is missing changes, then how it ended. Ends after the first one that failed. */
export type CheckHealth = (
  nodes: readonly ClusterNode[],
  options: HealthOptions,
  signal: AbortSignal,
) => AsyncIterable<HealthCheck>;

type Bootstrapped = {
  /** Whether this call did it, or etcd had been there before. */
  readonly by: 'this-call' | 'earlier';
};

/** Bootstraps etcd on the chosen node unless any control plane has one already. The choice must be recorded before. */
export type BootstrapOnce = (
  nodes: readonly ClusterNode<TalosReader & Pick<TalosWriter, 'bootstrap'>>[],
  chosen: string,
  signal: AbortSignal,
) => Promise<Bootstrapped>;
