import type { Helm } from '../clients/helm.ts';
import type { ApiServer, KubernetesClient, KubernetesTarget } from '../clients/kubernetes.ts';
import type { BootstrapOnce, OpenTalos, ProbeTalos, TalosAccess } from '../clients/talos.ts';
import type { Network } from '../kubernetes/cni/network.ts';
import type { Clock } from '../model/clock.ts';
import type { Entropy } from '../model/entropy.ts';
import type { AddressRule, Image, ImageRequest, MachineRef } from '../model/observed.ts';
import type { Pause } from '../model/pause.ts';
import type { Schematic, Step, StepKind } from '../model/step.ts';
import type { Provider } from '../providers/provider.ts';
import type { Store } from '../state/store.ts';
import type { Waits } from './waiting.ts';

/** What handlers must know of the platform beyond their step. Secrets are resolved here, and nowhere before. */
export interface Material {
  readonly platform: string;
  /** The secrets of a cluster that is to be: text of `secrets.yaml`. */
  newSecrets(): Promise<string>;
  /** How we prove to Talos who we are; needs the secrets. */
  talosAccess(): Promise<TalosAccess>;
  /** The configuration of a machine, as it is applied. Secret. Addresses that were found count where the file leaves them open. */
  config(machine: string, found: ReadonlyMap<string, string>): Promise<string>;
  /** The Kubernetes API as an administrator: the endpoint that people use. */
  kubernetes(found: ReadonlyMap<string, string>): Promise<KubernetesTarget>;
  /** Where control planes themselves serve it, as far as they are known: for when the endpoint does not answer. */
  apiServers(found: ReadonlyMap<string, string>): readonly ApiServer[];
  readonly network: Network;
  /** How a machine’s own address is told from others on it; undefined: the file says the address. */
  addressRule(machine: string): AddressRule;
  /** The machine whose address all others are told as the endpoint; undefined: the file says where the API is. */
  readonly endpointMachine: string | undefined;
  /** Where the file or the provider says a machine is; undefined: it must be found. */
  fixedAddress(machine: string): string | undefined;
  /** Fingerprint of the machine’s maintenance certificate, where the file pins one. */
  fingerprint(machine: string): string | undefined;
  /** Kubernetes’ name of a machine; undefined: DHCP gives it, and it is found by its address. */
  hostname(machine: string): string | undefined;
  readonly controlPlanes: readonly string[];
  readonly machines: readonly string[];
  /** That machines start from. */
  readonly images: readonly ImageRequest[];
  /** What is in them, where their factory must be told. */
  readonly schematics: readonly Schematic[];
  /** Files for people, by their path in the folder. */
  readonly artifacts: readonly string[];
  /** What one of them should say: what is there stays where it is good. Secret. */
  artifact(path: string, found: ReadonlyMap<string, string>): Promise<string>;
  /** What the provider is told to guard machines; undefined: nothing. */
  readonly guard: {
    readonly apart: boolean;
    readonly firewall: boolean;
    readonly management: readonly string[];
    readonly alsoOurs: readonly string[];
  };
}

/** Where things turned out to be in this run; filled by handlers, read by handlers. */
export type Found = {
  /** By machine. */
  readonly addresses: Map<string, string>;
  readonly refs: Map<string, MachineRef>;
  /** By their name and host. */
  readonly images: Map<string, ReadonlyMap<string, Image>>;
};

export type Tools = {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly entropy: Entropy;
  readonly store: Store;
  /** Undefined: machines exist. */
  readonly provider: Provider | undefined;
  /** Everything that is opened goes through the tunnel, where there is one. */
  readonly talos: { readonly open: OpenTalos; readonly probe: ProbeTalos; readonly bootstrapOnce: BootstrapOnce };
  /** `others`: where the same API is served too, for when the target’s own server does not answer; asked at every dial. */
  readonly openKubernetes: (target: KubernetesTarget, others?: () => readonly ApiServer[]) => KubernetesClient;
  readonly helm: (signal: AbortSignal) => Promise<Helm | undefined>;
  /** Tells an Image Factory what is in an image; may be repeated. */
  readonly registerSchematic: (schematic: Schematic, signal: AbortSignal) => Promise<void>;
  readonly material: Material;
  readonly found: Found;
};

/** What one run of one step is handed besides. */
export type StepContext = {
  readonly tell: (event: Waits | { readonly kind: 'says'; readonly text: string }) => void;
  /** The longest that a gate may be waited for. */
  readonly atMostMs: number;
};

/**
 * Every kind has exactly one handler; a missing one does not compile. Each may be repeated: it looks first, and what is done
 * already is not done again. What was begun is finished when the signal comes, or left so that a repeat takes it up.
 */
export type Handlers = {
  readonly [K in StepKind]: (
    step: Extract<Step, { readonly kind: K }>,
    tools: Tools,
    context: StepContext,
    signal: AbortSignal,
  ) => Promise<void>;
};
