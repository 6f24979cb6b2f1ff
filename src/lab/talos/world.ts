import type { EtcdCluster } from './etcd/cluster.ts';
import type { Machine } from './node/machine.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LabNetwork } from './network.ts';
import type { Boot } from './node/boot.ts';
import type { LabClock } from '../clock.ts';

/** A node as Kubernetes would know it. */
type LabNode = {
  readonly name: string;
  readonly address: string;
  readonly controlPlane: boolean;
  readonly ready: boolean;
};

/** What a Kubernetes API that is put onto the nodes gets to know about its cluster. */
export type LabCluster = {
  readonly name: string;
  readonly endpoint: string;
  readonly nodes: () => readonly LabNode[];
  /** For who brings a CNI of its own: without one in the configuration no node becomes ready by itself. */
  readonly setReady: (node: string, ready: boolean) => void;
  /** PEM, as the configuration has them. */
  readonly ca: { readonly crt: string; readonly key: string };
};

/** Answers for the Kubernetes API of a cluster, on every control plane that would serve it. */
export type KubernetesApi = (request: IncomingMessage, response: ServerResponse) => void;

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
  /** Undefined when nobody was plugged in. */
  kubernetesOf(boot: Boot): KubernetesApi | undefined;
  /** Something that others wait for happened: trustd is up, a member joined, an API answers. */
  stir(): void;
  /** Resolves as soon as it holds, looked at after every stir. */
  until(holds: () => boolean, signal: AbortSignal): Promise<void>;
}
