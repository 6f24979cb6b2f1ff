import type { ApiServer, KubernetesReader, KubernetesTarget } from '../clients/kubernetes.ts';
import type { ProbeTalos, TalosAccess, TalosReader, TalosTarget } from '../clients/talos.ts';
import type { Network } from '../kubernetes/cni/network.ts';
import type { Clock } from '../model/clock.ts';
import type { Inventory } from '../model/host.ts';
import type { AddressRule } from '../model/observed.ts';
import type { Identity } from '../model/proof.ts';
import type { MachineReader } from '../providers/provider.ts';
import type { Store } from '../state/store.ts';

/** What the file comes to, to compare with. Secret; what is seen of it is masked. */
export interface Wanted {
  /** Both need the secrets. */
  talosAccess(): Promise<TalosAccess>;
  kubernetes(found: ReadonlyMap<string, string>): Promise<KubernetesTarget>;
  /** Where control planes serve the Kubernetes API themselves, for when its endpoint does not answer. */
  apiServers(found: ReadonlyMap<string, string>): readonly ApiServer[];
  config(machine: string, found: ReadonlyMap<string, string>): Promise<string>;
  /** Files for people, by their path in the folder. */
  readonly artifacts: readonly string[];
  /** What one of them should say: what is there stays where it is good. */
  artifact(path: string, found: ReadonlyMap<string, string>): Promise<string>;
  readonly network: Network;
  addressRule(machine: string): AddressRule;
  fixedAddress(machine: string): string | undefined;
  hostname(machine: string): string | undefined;
  /** By what its VM is recognised, also where somebody took its mark off. */
  identity?(machine: string): Identity | undefined;
  /** The same, with what the provider has: machines that are there keep what they were given. */
  knowing?(inventory: Inventory): Wanted;
}

export type TalosEyes = {
  readonly open: (target: TalosTarget) => TalosReader & AsyncDisposable;
  readonly probe: ProbeTalos;
};

/** Everything that a platform is looked at with. None of it can change anything. */
export type Eyes = {
  readonly clock: Clock;
  /** Undefined: there is nobody to ask for machines. */
  readonly reader: MachineReader | undefined;
  readonly talos: TalosEyes;
  readonly openKubernetes: (
    target: KubernetesTarget,
    others?: () => readonly ApiServer[],
  ) => KubernetesReader & AsyncDisposable;
  readonly store: Pick<Store, 'memory' | 'secrets' | 'artifact'>;
  readonly wanted: Wanted;
  /** Addresses that this run has found already, by machine: asking again costs a hypervisor seconds. */
  readonly found?: ReadonlyMap<string, string>;
};
