import type { EtcdCluster } from './etcd/cluster.ts';
import type { Machine } from './node/machine.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LabNetwork } from './network.ts';
import type { Boot } from './node/boot.ts';
import type { LabClock } from '../clock.ts';

/** A node as Kubernetes would know it. */
export type LabNode = {
  readonly name: string;
  readonly address: string;
  readonly controlPlane: boolean;
  readonly ready: boolean;
  /** Its kubelet runs. */
  readonly alive: boolean;
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly talosVersion: string;
  /** Undefined: as the API server. */
  readonly kubeletVersion: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** How often each static pod that it runs was configured, by component. */
  readonly staticPods: Readonly<Record<string, number>>;
};

/** What a Kubernetes API that is put onto the nodes gets to know about its cluster. */
export type LabCluster = {
  readonly name: string;
  readonly endpoint: string;
  readonly nodes: () => readonly LabNode[];
  /** A machine that is on has the data of its etcd: without that there is no such cluster, whatever machines are called. */
  readonly isThere: () => boolean;
  /** Says of a node whether Kubernetes has it ready; nobody else does while an API is plugged in. */
  readonly setReady: (node: string, ready: boolean) => void;
  /** As the first control plane was configured. */
  readonly settings: {
    /** `v1.36.3`; undefined: its image does not say. */
    readonly version: string | undefined;
    readonly podSubnets: readonly string[];
    readonly serviceSubnets: readonly string[];
    readonly domain: string;
    readonly cni: string;
    readonly kubeProxy: boolean;
    readonly acceptedCas: readonly string[];
  };
  /** PEM, as the configuration has them. */
  readonly ca: { readonly crt: string; readonly key: string };
};

/** Answers for the Kubernetes API of a cluster, on every control plane that would serve it. */
export type KubernetesApi = {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Nodes came, went or are configured otherwise. */
  readonly changed?: () => void;
  /** No further pods for a node, and those that are there are asked to leave. */
  readonly drain?: (node: string) => void;
  readonly close?: () => Promise<void>;
};

/** What machines know about each other: those that are switched on, and the etcd clusters among them. */
export interface World {
  readonly clock: LabClock;
  readonly network: LabNetwork;
  readonly clusters: Set<EtcdCluster>;
  machines(): Iterable<Machine>;
  at(address: string): Machine | undefined;
  /** A machine or a virtual address, powered or not. */
  isThere(address: string): boolean;
  /** A machine came, went, or is at other addresses now. */
  moved(machine: Machine, from: readonly string[], to: readonly string[]): void;
  /** Of the cluster that a node belongs to; undefined when nobody was plugged in, or it has no etcd yet. */
  kubernetesOf(boot: Boot): KubernetesApi | undefined;
  /** Something that others wait for happened: trustd is up, a member joined, an API answers. */
  stir(): void;
  /** Resolves as soon as it holds, looked at after every stir. */
  until(holds: () => boolean, signal: AbortSignal): Promise<void>;
}
