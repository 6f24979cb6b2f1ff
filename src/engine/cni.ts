import type { Helm } from '../clients/helm.ts';
import type { KubernetesClient } from '../clients/kubernetes.ts';
import { installNetwork, type NetworkEvent, type NetworkOutcome } from '../execute/cni.ts';
import { untilNodesReady } from '../execute/nodes.ts';
import { networkOf, type Network } from '../kubernetes/cni/network.ts';
import { manifestsText, valuesText } from '../kubernetes/cni/text.ts';
import type { Clock } from '../model/clock.ts';
import type { Entropy } from '../model/entropy.ts';
import type { Manifest } from '../model/manifest.ts';
import type { Pause } from '../model/pause.ts';
import { Problem } from '../model/problem.ts';
import type { Platform } from '../spec/platform.ts';

export type { NetworkEvent } from '../execute/cni.ts';
export type { Network } from '../kubernetes/cni/network.ts';

/** The pod network of a platform, and what its chart is told. */
export const describeNetwork = (platform: Platform): Network => networkOf(platform);

/** What the chart is told, as a file for helm. */
export function networkValues(platform: Platform): string {
  const network = networkOf(platform);
  if (network.kind === 'cilium') return valuesText(network);
  throw new Problem('no-chart', `The network of ${platform.name} has no chart: ${chosen[network.kind]}`, {
    path: 'cluster.cni',
    remedy: 'Choose Cilium to have one: cni: { cilium: {} }.',
  });
}

const chosen = { flannel: 'Talos brings flannel by itself.', none: 'you install one yourself.' } as const;

/** What is applied besides the chart. */
export function networkManifests(platform: Platform): {
  readonly manifests: readonly Manifest[];
  readonly text: string;
} {
  const network = networkOf(platform);
  const manifests = network.kind === 'cilium' ? network.manifests : [];
  return { manifests, text: manifestsText(manifests) };
}

export type InstallTools = {
  readonly client: KubernetesClient;
  readonly helm: Helm | undefined;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly entropy: Entropy;
  readonly tell: (event: NetworkEvent) => void;
};

export type InstallOptions = {
  readonly atMostMs: number;
  /** Until all nodes are Ready. */
  readonly wait: boolean;
  /** With helm in it, for the Job. */
  readonly image?: string;
  /** Another place of the chart: a repository, `oci://…` or a folder. */
  readonly chart?: string;
};

export type Installed = Omit<NetworkOutcome, 'outcome'> & {
  readonly network: Network['kind'];
  readonly outcome: NetworkOutcome['outcome'] | 'not-ours';
};

/** Brings up the network of a platform in a cluster that runs, and waits until it has made all nodes Ready. */
export async function installCni(
  platform: Platform,
  { atMostMs, wait, image, chart }: InstallOptions,
  tools: InstallTools,
  signal: AbortSignal,
): Promise<Installed> {
  const network = networkOf(platform);
  // Names of nodes are the machines' own only where Talos is told them.
  const expected = platform.cluster.hostnames === 'talos' ? platform.machines.map(({ name }) => name) : [];
  const nodes = wait ? expected : undefined;
  if (network.kind !== 'cilium') {
    if (nodes !== undefined) await untilNodesReady(nodes, { atMostMs }, tools, signal);
    return { network: network.kind, outcome: 'not-ours', reasons: [chosen[network.kind]] };
  }
  const release = chart === undefined ? network.release : { ...network.release, repository: chart };
  const salt = Buffer.from(tools.entropy.bytes(16)).toString('hex');
  const options = { atMostMs, nodes, ...(image === undefined ? {} : { image }) };
  const outcome = await installNetwork({ ...network, release }, options, { ...tools, salt }, signal);
  return { network: network.kind, ...outcome };
}
