import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LabClock } from '../clock.ts';
import type { Api } from './api.ts';

/** How long things take, in milliseconds of the lab’s clock. */
export type KubernetesDurations = {
  /** Until a scheduled pod runs and is ready. */
  readonly podStart: number;
  /** Until a pod that was asked to end has ended; never longer than its grace period. */
  readonly podStop: number;
  /** How long the command of a Job’s pod takes. */
  readonly jobRun: number;
  /** Between two renewals of a node’s lease. */
  readonly nodeLease: number;
  /** Until a node whose lease is not renewed is `Unknown`. */
  readonly nodeGone: number;
  /** Until the pods of such a node are given up. */
  readonly podEviction: number;
  /** Until a network is up on a node after its pod runs there. */
  readonly networkUp: number;
};

/** A node as whoever runs the machines knows it. */
export type TwinNode = {
  readonly name: string;
  readonly address: string;
  readonly controlPlane: boolean;
  /** The machine is up and its kubelet answers. */
  readonly alive: boolean;
  readonly cpus?: number;
  readonly memoryMiB?: number;
  readonly talosVersion?: string;
  readonly kubeletVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** How often each static pod was configured, by component; absent: once. */
  readonly staticPods?: Readonly<Record<string, number>>;
};

/** What goes wrong, where and how often. */
export type KubernetesFault = {
  readonly kind:
    /** It is carried out, and the connection closed without an answer. */
    | 'lose-answer'
    /** Nothing happens, and the connection is closed. */
    | 'lose-request'
    /** Answers with a Status of `code` and does nothing: 429 (with `retryAfterSeconds`), 500, 503, 504. */
    | 'refuse'
    | 'delay'
    /** Open watches end without a word; `silent`: they stay open and tell nothing any more. */
    | 'drop-watch'
    | 'silent-watch'
    /** Watches and pages of a list that go on from an older version are told 410. */
    | 'forget'
    /** Whatever would change something is refused with 403; a dry run or a review changes nothing. */
    | 'read-only';
  /** `GET /api/v1/namespaces/*\/pods`; a star is one segment, two are any number. Absent: every request. */
  readonly match?: string;
  /** Share of requests, 0 to 1; absent: all of them. */
  readonly share?: number;
  /** Decides about the share; absent: the twin’s own chance. */
  readonly chance?: () => number;
  readonly times?: number;
  readonly code?: number;
  readonly retryAfterSeconds?: number;
  readonly delayMs?: number;
};

/** One request as the twin saw it; secrets are not in it. */
export type SeenKubernetesRequest = {
  readonly at: Date;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly who: string;
  readonly status: number;
  /** Whether it would change something. */
  readonly write: boolean;
};

export type KubernetesOptions = {
  readonly clock?: LabClock;
  readonly version?: string;
  readonly durations?: Partial<KubernetesDurations>;
  /** PEM: whoever shows a certificate of these is who it says. */
  readonly clientAuthorities?: readonly string[];
  /** PEM and key that sign service account tokens; made up when absent. */
  readonly serviceAccountKey?: string;
  /** Tokens by value, as a file of `--token-auth-file` has them. */
  readonly tokens?: Readonly<Record<string, { readonly user: string; readonly groups: readonly string[] }>>;
  /** As people outside reach it; shows up in the `kubernetes` endpoints and in kubeadm’s config map. */
  readonly endpoint?: string;
  readonly podCidr?: string;
  readonly serviceCidr?: string;
  readonly clusterDomain?: string;
  /** `none`: nodes wait for a network that somebody installs. `flannel`: Talos brings it. */
  readonly cni?: 'none' | 'flannel';
  readonly kubeProxy?: boolean;
  /** `off`: nothing but the API server runs, as with the real one of the real tier. */
  readonly controllers?: 'on' | 'off';
  /** Decides everything that would be chance. */
  readonly seed?: number;
};

/** The Kubernetes API of one cluster that is not there. It has no socket of its own: who serves it hands requests in. */
export interface KubernetesTwin extends AsyncDisposable {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** As the cluster’s own controllers see it: no network, no authorization. */
  readonly api: Api;
  /** The machines that are there now; called again whenever that changes. */
  setNodes(nodes: readonly TwinNode[]): void;
  /** Whether a node is Ready, as its own status says. */
  isReady(node: string): boolean;
  fail(fault: KubernetesFault): void;
  heal(): void;
  requests(): readonly SeenKubernetesRequest[];
}
