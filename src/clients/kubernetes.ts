import type { Connector } from '../model/connector.ts';
import type { Manifest } from '../model/manifest.ts';
import type { Pause } from '../model/pause.ts';
import type { ApiResource, KubeList, KubeObject, WatchEvent } from '../wire/kubernetes/objects.ts';

/** PEM, both. */
export type ClientCertificate = { readonly crt: string; readonly key: string };

/**
 * How we prove who we are. What an exec plugin says is fetched when it is needed, and again when it has expired.
 * A certificate may be shown besides.
 */
export type KubernetesCredentials =
  | ({ readonly kind: 'certificate' } & ClientCertificate)
  | { readonly kind: 'token'; readonly token: string; readonly certificate?: ClientCertificate }
  /** Read again as it changes; the token is for as long as the file cannot be read. */
  | {
      readonly kind: 'token-file';
      readonly path: string;
      readonly token?: string;
      readonly certificate?: ClientCertificate;
    }
  | {
      readonly kind: 'password';
      readonly username: string;
      readonly password: string;
      readonly certificate?: ClientCertificate;
    }
  | { readonly kind: 'exec'; readonly plugin: ExecPlugin; readonly certificate?: ClientCertificate }
  | { readonly kind: 'nobody' };

export type ExecPlugin = {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly interactive: 'Never' | 'IfAvailable' | 'Always';
  readonly clusterInfo: boolean;
  /** What the cluster’s entry has to say to plugins; handed on with the cluster’s information. */
  readonly clusterConfig: unknown;
  readonly installHint: string | undefined;
};

/** Whom to act as. */
export type Impersonation = {
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

/** Where a cluster is, and as whom: one context of a kubeconfig, or what a pod finds about its own. */
export type KubernetesTarget = {
  /** `https://10.10.0.5:6443`, perhaps with a path. */
  readonly server: string;
  /** PEM. Undefined: authorities that this system knows. */
  readonly ca: string | undefined;
  readonly tlsServerName: string | undefined;
  /** Warns every time. */
  readonly insecure: boolean;
  readonly proxy: string | undefined;
  readonly credentials: KubernetesCredentials;
  readonly as: Impersonation | undefined;
  /** Of the context; `default` otherwise. */
  readonly namespace: string;
};

/** Where a server of the same API listens, which shows the same names in its certificate. */
export type ApiServer = { readonly host: string; readonly port: number };

export type KubernetesTools = {
  readonly connect?: Connector;
  /** Dialled as well when the target’s own server does not answer at once. */
  readonly others?: () => readonly ApiServer[];
  readonly pause?: Pause;
  readonly now?: () => Date;
  /** 0 to 1, for jitter. */
  readonly chance?: () => number;
  readonly warn?: (message: string) => void;
  readonly userAgent?: string;
  /** What plugins inherit. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether somebody sits before it whom a plugin can ask. */
  readonly terminal?: boolean;
  /** Milliseconds of the wall’s clock. */
  readonly deadlines?: Partial<KubernetesDeadlines>;
  /** Requests at a time; watches and logs are not counted. */
  readonly concurrency?: number;
};

export type KubernetesDeadlines = {
  /** Until a connection stands and its certificate is believed. */
  readonly dial: number;
  /** Until an answer begins, and between its parts. */
  readonly answer: number;
  /** Of a watch: as long as nothing, not even a bookmark, may come. */
  readonly silence: number;
};

/** Which object. */
export type ObjectRef = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
};

/** Which objects. Without a namespace: those of all. */
export type ListQuery = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly labels?: string;
  readonly fields?: string;
};

export type ListOptions = {
  /** Objects per request; the list is whole all the same. */
  readonly pageSize?: number;
  /** `0`: whatever the server has at hand. */
  readonly resourceVersion?: string;
};

export type WatchOptions = {
  /** From here on; absent: from what is there now, each told as ADDED first. */
  readonly resourceVersion?: string;
};

/** What a watch tells that goes on through everything but a version that the server has forgotten. */
export type Watched =
  | Exclude<WatchEvent, { type: 'ERROR' }>
  /** The server has forgotten the version: list again. The last thing that is told. */
  | { readonly type: 'EXPIRED' };

/** A version as discovery and `/version` tell it. */
export type ServerVersion = { readonly gitVersion: string; readonly major: string; readonly minor: string };

/** Nothing here changes anything. */
export interface KubernetesReader {
  version(signal: AbortSignal): Promise<ServerVersion>;
  /** What the server knows, kept until a kind is asked for that is not in it. */
  resources(signal: AbortSignal): Promise<readonly ApiResource[]>;
  /** Group versions, such as `metrics.k8s.io/v1`, whose own server does not answer: what they have is not in `resources`. */
  silent(signal: AbortSignal): Promise<readonly string[]>;
  /** Undefined: it is not there. A kind that the server does not know is a problem. */
  get(ref: ObjectRef & { readonly subresource?: string }, signal: AbortSignal): Promise<KubeObject | undefined>;
  /** Whole, however many pages it took. */
  list(query: ListQuery, options: ListOptions, signal: AbortSignal): Promise<KubeList>;
  /** Resumes by itself; ends with EXPIRED, with the signal, or with a problem that asking again does not solve. */
  watch(query: ListQuery, options: WatchOptions, signal: AbortSignal): AsyncIterable<Watched>;
  logs(pod: ObjectRef, options: LogOptions, signal: AbortSignal): AsyncIterable<string>;
  /** Whatever has no kind: `/readyz`, `/metrics`. */
  raw(path: string, signal: AbortSignal): Promise<{ readonly status: number; readonly text: string }>;
}

export type LogOptions = {
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
};

export type WriteOptions = {
  readonly dryRun?: boolean;
  /** Who owns the fields; `ichor` when nobody says. */
  readonly manager?: string;
  /** `status`, `scale` … */
  readonly subresource?: string;
  /** What the server does about fields that it does not know; `Strict` when nobody says. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
};

export type Patch =
  | { readonly kind: 'json'; readonly operations: readonly object[] }
  | { readonly kind: 'merge' | 'strategic'; readonly body: object };

export type DeleteOptions = {
  readonly dryRun?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
};

export interface KubernetesWriter {
  create(object: KubeObject | Manifest, options: WriteOptions, signal: AbortSignal): Promise<KubeObject>;
  /** Refused with `kubernetes-conflict` when its resourceVersion is not the newest. */
  replace(object: KubeObject, options: WriteOptions, signal: AbortSignal): Promise<KubeObject>;
  patch(ref: ObjectRef, patch: Patch, options: WriteOptions, signal: AbortSignal): Promise<KubeObject>;
  /** Server-side apply. Fields of others are refused with `kubernetes-owned-by-others` unless forced. */
  apply(
    object: Manifest,
    options: WriteOptions & { readonly force?: boolean },
    signal: AbortSignal,
  ): Promise<KubeObject>;
  /** `gone` when it is, also when it was not there; `going` while finalizers or a grace period hold it. */
  delete(ref: ObjectRef, options: DeleteOptions, signal: AbortSignal): Promise<'gone' | 'going'>;
  /** Refused with `kubernetes-disruption-budget` when a budget does not allow it now. */
  evict(pod: ObjectRef, options: DeleteOptions, signal: AbortSignal): Promise<'evicted' | 'gone'>;
  /** A token of a service account; secret. */
  token(
    account: ObjectRef,
    options: { readonly audiences?: readonly string[]; readonly expirationSeconds?: number },
    signal: AbortSignal,
  ): Promise<{ readonly token: string; readonly expires: Date }>;
}

/** A connection that is kept; closed when it is disposed of. */
export interface KubernetesClient extends KubernetesReader, KubernetesWriter, AsyncDisposable {
  readonly target: KubernetesTarget;
}
