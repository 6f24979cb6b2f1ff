import type { Role } from '../../model/machine.ts';
import type { SecretsBundle } from '../secrets/bundle.ts';
import type { Contract } from './contract.ts';

/** What a machine's configuration must say, in no version's words. */
export type NodeIntent = ClusterIntent & {
  readonly role: Role;
  /** Ordinary workloads may run there. */
  readonly schedulable: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly hostname: Hostname;
  readonly network: NodeNetwork;
  readonly install: Install;
  readonly dataDisks: readonly DataDisk[];
  readonly firewall: readonly FirewallRule[] | undefined;
};

/** What is the same for every machine of a cluster. */
export type ClusterIntent = {
  readonly contract: Contract;
  readonly clusterName: string;
  /** `https://host:port`, and the host alone. */
  readonly endpoint: { readonly url: string; readonly host: string; readonly because: string };
  /** Where the API server listens on every control plane. */
  readonly apiPort: number;
  readonly kubernetesVersion: string;
  readonly secrets: SecretsBundle;
  readonly certSANs: readonly string[];
  /** The networks that nodes and etcd take their addresses from; none: Talos chooses. */
  readonly nodeSubnets: readonly string[];
  readonly podSubnets: readonly string[];
  readonly serviceSubnets: readonly string[];
  readonly dnsDomain: string;
  readonly nameservers: readonly string[];
  readonly timeServers: readonly string[];
  readonly cni: 'flannel' | 'none';
  readonly kubeProxy: boolean;
  readonly kubePrismPort: number | undefined;
  readonly hostDNS: { readonly enabled: boolean; readonly forwardKubeDNSToHost: boolean };
  readonly discovery: { readonly enabled: boolean; /** Undefined: Talos’ own. */ readonly service: string | undefined };
  readonly kubeSpan: { readonly mtu: number | undefined } | undefined;
  readonly registries: Registries;
  readonly encryption: { readonly state: DiskKey | undefined; readonly ephemeral: DiskKey | undefined };
  readonly extensionServices: readonly ExtensionService[];
  readonly inlineManifests: readonly { readonly name: string; readonly contents: string }[];
  readonly manifestUrls: readonly string[];
  readonly sysctls: Readonly<Record<string, string>>;
  /** Longhorn will run in the cluster. */
  readonly longhorn: boolean;
};

/**
 * `fixed`: written into the configuration. `stable`: Talos makes one of the machine's identity.
 * `given`: from DHCP or the platform, and nothing made up; `unsaid`: the same, where the version cannot say so.
 */
export type Hostname =
  | { readonly kind: 'fixed'; readonly name: string }
  | { readonly kind: 'stable' | 'given' | 'unsaid' };

export type Taint = { readonly key: string; readonly value: string; readonly effect: string };

/** `only`: the one physical network card of the machine, whatever it is called. */
export type LinkSelector =
  | { readonly kind: 'mac'; readonly mac: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'only' };

export type NodeNetwork = {
  readonly link: LinkSelector;
  /** With its prefix; undefined: DHCP. */
  readonly address: string | undefined;
  readonly gateway: string | undefined;
  readonly mtu: number | undefined;
  readonly vlan: number | undefined;
  readonly vip: string | undefined;
};

export type Install = {
  readonly image: string;
  /** Undefined: the disk carries Talos already. */
  readonly disk: InstallDisk | undefined;
};
export type InstallDisk =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'selector'; readonly selector: DiskSelector };
export type DiskSelector = {
  readonly size?: { readonly operator: string; readonly amount: number; readonly unit: string };
  readonly model?: string;
  readonly serial?: string;
  readonly wwid?: string;
  readonly type?: 'ssd' | 'hdd' | 'nvme' | 'sd';
  readonly busPath?: string;
};

export type DataDisk = {
  readonly name: string;
  /** Where versions without selectors find it. */
  readonly device: string;
  /** CEL over the disk. */
  readonly match: string;
};

export type DiskKey =
  | { readonly kind: 'nodeID' | 'tpm' }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'kms'; readonly endpoint: string };

export type Registries = {
  readonly mirrors: readonly {
    readonly host: string;
    readonly endpoints: readonly string[];
    readonly overridePath: boolean;
    readonly skipFallback: boolean;
  }[];
  readonly credentials: readonly {
    readonly host: string;
    readonly username: string;
    readonly password: string;
    /** PEM text. */
    readonly ca: string | undefined;
  }[];
};

export type ExtensionService = {
  readonly name: string;
  /** `NAME=value`, in the order of the names. */
  readonly environment: readonly string[];
  readonly files: readonly { readonly content: string; readonly mountPath: string }[];
};

export type FirewallRule = {
  readonly name: string;
  readonly protocol: 'tcp' | 'udp';
  readonly ports: readonly (number | string)[];
  readonly subnets: readonly string[];
};
