import type { Shape } from './machine.ts';
import type { ImageRequest, MachineRef, MachineRequest } from './observed.ts';

/** What a step costs those who use the platform, from nothing to data that is gone for ever. */
export const disruptions = ['none', 'restart', 'drain', 'downtime', 'data'] as const;
export type Disruption = (typeof disruptions)[number];

/** One value of a machine configuration that becomes another one; what is secret is masked on both sides. */
export type ConfigChange = {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Talos restarts the machine for it. */
  readonly reboot: boolean;
};

/** What is in an image, as its factory is told: the text, and the id that follows from it. */
export type Schematic = { readonly factory: string; readonly id: string; readonly text: string };

/** A machine as it is going to be asked for; the image is named, because where it lies is known when it is there. */
export type MachineOrder = Omit<MachineRequest, 'image' | 'firstConfig'> & { readonly image: string };

/**
 * One thing to do, as plain data: it can be shown, saved and compared. Machines are meant by name; a `ref` says where one was
 * seen or is going to be, and handlers prove it before they touch anything. What nobody can know yet is not in it.
 */
export type Step =
  // Layer 0: identity
  | { readonly kind: 'secrets.make' }
  /** Only when somebody asked for everything: without its secrets the cluster can never be the same again. */
  | { readonly kind: 'secrets.delete' }
  // Layer 1a: machines
  | {
      readonly kind: 'image.ensure';
      readonly image: ImageRequest;
      readonly hosts: readonly string[];
      /** What the factory must be told before it can make the image; undefined: it knows, or nobody asks it. */
      readonly schematic: Schematic | undefined;
    }
  | { readonly kind: 'machine.create'; readonly machine: string; readonly order: MachineOrder }
  | { readonly kind: 'machine.start'; readonly machine: string; readonly ref: MachineRef }
  | {
      readonly kind: 'machine.resize';
      readonly machine: string;
      readonly ref: MachineRef;
      readonly shape: Shape;
      /** `cpu 4 -> 8`, for people. */
      readonly changes: readonly string[];
    }
  /** Cuts the power. */
  | { readonly kind: 'machine.stop'; readonly machine: string; readonly ref: MachineRef }
  | { readonly kind: 'machine.eject'; readonly machine: string; readonly ref: MachineRef }
  | { readonly kind: 'machine.delete'; readonly machine: string; readonly ref: MachineRef }
  /** One of `existing` that does not answer any more, and of which nothing is left in the cluster: it is not wiped. */
  | { readonly kind: 'machine.forget'; readonly machine: string; readonly address: string }
  /** What the provider itself is told about machines of ours: to keep them apart, to let through what they need. */
  | { readonly kind: 'machines.guard'; readonly refs: readonly MachineRef[]; readonly digest: string }
  // Layer 1b: the cluster
  /** Until the machine has an address and Talos answers there, in whatever mode. */
  | { readonly kind: 'talos.reach'; readonly machine: string; readonly ref: MachineRef | undefined }
  /** Its first configuration, while it waits in maintenance mode. */
  | { readonly kind: 'talos.configure'; readonly machine: string; readonly ref: MachineRef | undefined }
  /** Until it answers to our certificates and its boot is done. */
  | { readonly kind: 'talos.await-up'; readonly machine: string; readonly ref: MachineRef | undefined }
  | {
      readonly kind: 'talos.reconfigure';
      readonly machine: string;
      readonly ref: MachineRef | undefined;
      readonly changes: readonly ConfigChange[];
      readonly reboot: boolean;
    }
  | {
      readonly kind: 'talos.upgrade';
      readonly machine: string;
      readonly ref: MachineRef | undefined;
      readonly from: string;
      readonly to: string;
      readonly image: string;
    }
  /** An orderly shutdown. */
  | { readonly kind: 'talos.shutdown'; readonly machine: string; readonly ref: MachineRef | undefined }
  /** Wipes it; it waits in maintenance mode afterwards. `address` is where it was seen. */
  | { readonly kind: 'talos.reset'; readonly machine: string; readonly address: string }
  | { readonly kind: 'etcd.bootstrap'; readonly machine: string; readonly ref: MachineRef | undefined }
  /** Until it votes. */
  | { readonly kind: 'etcd.await-member'; readonly machine: string; readonly ref: MachineRef | undefined }
  | { readonly kind: 'etcd.leave'; readonly machine: string; readonly address: string; readonly hostname: string }
  /** A member whose machine is gone. */
  | { readonly kind: 'etcd.remove'; readonly member: string; readonly hostname: string }
  | { readonly kind: 'kubernetes.await-api' }
  /** Until a control plane runs everything of Kubernetes as it is configured, and its own API server serves. */
  | { readonly kind: 'kubernetes.await-server'; readonly machine: string; readonly ref: MachineRef | undefined }
  /** Until the kubelet works as it is configured, in this version where that is another one. */
  | {
      readonly kind: 'kubernetes.await-kubelet';
      readonly machine: string;
      readonly ref: MachineRef | undefined;
      readonly version: string | undefined;
    }
  | { readonly kind: 'cni.install'; readonly network: string; readonly version: string }
  /** Until these machines are Ready nodes. */
  | { readonly kind: 'node.await-ready'; readonly machines: readonly string[] }
  /** The gate between two machines of a rollout: etcd has all its members and all nodes are Ready but these. */
  | { readonly kind: 'cluster.await-healthy'; readonly except: readonly string[] }
  /** Cordons it with `drainedMark` as its annotation, so that the next run knows whose cordon it is; `uncordon` takes both away. */
  | { readonly kind: 'node.drain'; readonly machine: string; readonly node: string }
  | { readonly kind: 'node.uncordon'; readonly machine: string; readonly node: string }
  | { readonly kind: 'node.delete'; readonly machine: string; readonly node: string }
  /** Files for people and their tools, by their path in the folder. */
  | { readonly kind: 'artifacts.write'; readonly files: readonly string[] }
  /** After a destroy: the cluster’s life is over, and the next one is bootstrapped anew. */
  | { readonly kind: 'cluster.forget'; readonly files: readonly string[] };

export type StepKind = Step['kind'];

/** Changes nothing: it may be left at any moment, and nobody needs to know that it was begun. */
export const onlyWaits = ({ kind }: Pick<Step, 'kind'>): boolean => kind === 'talos.reach' || kind.includes('.await-');
