import type { Command } from 'commander';
import type { Helm } from '../clients/helm.ts';
import type { KubernetesClient } from '../clients/kubernetes.ts';
import type { Clock } from '../model/clock.ts';
import type { Entropy } from '../model/entropy.ts';
import type { Pause } from '../model/pause.ts';
import type { Terminal } from './terminal.ts';

export type ClusterOptions = { readonly kubeconfig?: string; readonly context?: string };

/** What commands that talk to a Kubernetes API are handed; loaded by the first that needs it. */
export type KubernetesDoor = {
  readonly terminal: () => Terminal;
  readonly open: (options: ClusterOptions, warn: (message: string) => void) => Promise<KubernetesClient>;
  /** The helm of this machine, if it has one. */
  readonly helm: (signal: AbortSignal) => Promise<Helm | undefined>;
  readonly system: () => Promise<{ readonly clock: Clock; readonly entropy: Entropy; readonly pause: Pause }>;
};

/** The options of every command that talks to a cluster. */
export const withCluster = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'kubeconfig of the cluster (default: KUBECONFIG, or ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: its current one)');

/** The cluster that is meant; warnings are shown as they come. */
export function openCluster(options: ClusterOptions, door: KubernetesDoor): Promise<KubernetesClient> {
  const terminal = door.terminal();
  return door.open(options, (message) => terminal.err(`${terminal.paint('yellow', 'warning')}: ${message}\n`));
}
