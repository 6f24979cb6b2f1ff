import type { Helm } from '../clients/helm.ts';
import type { KubernetesClient } from '../clients/kubernetes.ts';
import { ipsecSecret, newIpsecKeys } from '../kubernetes/cni/ipsec.ts';
import { upgradeArguments } from '../kubernetes/cni/installer.ts';
import type { Network, Release } from '../kubernetes/cni/network.ts';
import { standingOf, type Standing } from '../kubernetes/cni/standing.ts';
import { releaseSelector, type HelmRevision } from '../kubernetes/helm/release.ts';
import type { Entropy } from '../model/entropy.ts';
import { Problem } from '../model/problem.ts';
import { clearInstallers, runInstaller } from './cni-job.ts';
import { untilNodesReady } from './nodes.ts';
import { applySet } from './set.ts';
import type { SetEvent, SetOptions, SetTools } from './set-tools.ts';

export type Cilium = Extract<Network, { readonly kind: 'cilium' }>;

export type NetworkEvent =
  | SetEvent
  | { readonly kind: 'standing'; readonly standing: Standing }
  | { readonly kind: 'installing'; readonly with: 'helm' | 'job'; readonly release: string; readonly version: string }
  | { readonly kind: 'made'; readonly object: string };

export type NetworkTools = Omit<SetTools, 'client' | 'tell'> & {
  readonly client: KubernetesClient;
  readonly entropy: Entropy;
  /** Undefined: there is none, and a Job in the cluster takes its place. */
  readonly helm: Helm | undefined;
  readonly tell: (event: NetworkEvent) => void;
};

export type NetworkOptions = Pick<SetOptions, 'atMostMs' | 'everyMs'> & {
  /** Nodes that must be Ready in the end, besides those that are there; undefined: nobody waits for nodes. */
  readonly nodes: readonly string[] | undefined;
  /** With helm in it, for the Job. */
  readonly image?: string;
};

export type NetworkOutcome = {
  readonly outcome: 'installed' | 'upgraded' | 'unchanged' | 'handed-over';
  readonly reasons: readonly string[];
};

/** Installs the network, or brings it up to date; where helm's own record says that nothing is to be done, nothing is. */
export async function installNetwork(
  network: Cilium,
  options: NetworkOptions,
  tools: NetworkTools,
  signal: AbortSignal,
): Promise<NetworkOutcome> {
  const { release } = network;
  await clearInstallers(network, options, tools, signal);
  const standing = await settled(await standingNow(release, tools, signal), release, tools, signal);
  tools.tell({ kind: 'standing', standing });
  if (network.ipsec) await ensureIpsecKeys(tools, signal);
  if (standing.kind === 'absent' || standing.kind === 'differs') {
    const way = tools.helm === undefined ? 'job' : 'helm';
    tools.tell({ kind: 'installing', with: way, release: release.name, version: release.version });
    if (tools.helm === undefined) await runInstaller(network, options, tools, signal);
    else await tools.helm.run(orderOf(release), tools.client.target, signal);
    await mustBeCurrent(release, tools, signal);
  }
  // Cilium brings the kinds of its pools, so that who waits for those would not be told which node keeps it from that.
  if (options.nodes !== undefined) await untilNodesReady(options.nodes, options, tools, signal);
  // Whoever keeps the chart keeps what belongs to it.
  if (standing.kind !== 'handed-over') await applyPools(network, options, tools, signal);
  return outcomeOf(standing);
}

const orderOf = (release: Release) => ({
  words: (file: string) => upgradeArguments(release, file),
  values: JSON.stringify(release.values),
});

function outcomeOf(standing: Standing): NetworkOutcome {
  switch (standing.kind) {
    case 'handed-over':
      return { outcome: 'handed-over', reasons: [`${standing.to} keeps it`] };
    case 'current':
      return { outcome: 'unchanged', reasons: [] };
    case 'differs':
      return { outcome: 'upgraded', reasons: standing.reasons };
    default:
      return { outcome: 'installed', reasons: ['it was not there'] };
  }
}

/** How the release stands now. */
async function standingNow(
  release: Release,
  { client }: Pick<NetworkTools, 'client'>,
  signal: AbortSignal,
): Promise<Standing> {
  const { name, namespace } = release;
  const [secrets, agent] = await Promise.all([
    client.list({ apiVersion: 'v1', kind: 'Secret', namespace, labels: releaseSelector(name) }, {}, signal),
    client.get({ apiVersion: 'apps/v1', kind: 'DaemonSet', namespace, name }, signal),
  ]);
  return standingOf(release, secrets.items, agent);
}

/** How long helm may be at it before it is taken for dead. */
const helmDiesAfterMs = 10 * 60_000;

/** Ends what stands in the way of a release; what only a person can end is a problem. */
async function settled(
  standing: Standing,
  release: Release,
  tools: NetworkTools,
  signal: AbortSignal,
): Promise<Standing> {
  if (standing.kind === 'foreign')
    throw new Problem('network-foreign', `${standing.object} is there already, and helm knows nothing of it.`, {
      remedy: `Take it away, or give it to helm: its objects need the label app.kubernetes.io/managed-by: Helm and the annotations meta.helm.sh/release-name: ${release.name} and meta.helm.sh/release-namespace: ${release.namespace}.`,
    });
  if (standing.kind !== 'pending') return standing;
  await endPending(standing.newest, release, tools, signal);
  return standingNow(release, tools, signal);
}

async function endPending(
  { at, status, revision, secret }: HelmRevision,
  { name, namespace }: Release,
  { client, clock }: NetworkTools,
  signal: AbortSignal,
): Promise<void> {
  const age = at === undefined ? Infinity : clock.now().getTime() - at.getTime();
  if (age < helmDiesAfterMs)
    throw new Problem(
      'network-busy',
      `Somebody is at the release ${name} with helm since ${at?.toISOString()} (revision ${revision} is ${status}).`,
      { recovery: 'wait', remedy: 'Wait until that has ended, and run this again.' },
    );
  // What helm had begun it takes up again: its objects carry its name.
  await client.delete({ apiVersion: 'v1', kind: 'Secret', namespace, name: secret }, {}, signal);
}

async function mustBeCurrent(release: Release, tools: NetworkTools, signal: AbortSignal): Promise<void> {
  const after = await standingNow(release, tools, signal);
  if (after.kind === 'current') return;
  const why = after.kind === 'differs' ? after.reasons.join('; ') : `it is ${after.kind}`;
  throw new Problem(
    'network-not-installed',
    `Helm has run, and the release ${release.name} is not as wanted: ${why}.`,
    {
      recovery: 'retry',
      remedy: `See what helm made of it:\n    helm history ${release.name} -n ${release.namespace}`,
    },
  );
}

/** Made once; the keys that are there stay. */
async function ensureIpsecKeys({ client, entropy, tell }: NetworkTools, signal: AbortSignal): Promise<void> {
  const { name, namespace } = ipsecSecret;
  if ((await client.get(ipsecSecret, signal)) !== undefined) return;
  try {
    await client.create(newIpsecKeys(entropy), { manager: 'ichor' }, signal);
    tell({ kind: 'made', object: `Secret ${namespace}/${name}` });
  } catch (error) {
    // Somebody else was faster, and theirs count.
    if (!(error instanceof Problem) || error.code !== 'kubernetes-already-exists') throw error;
  }
}

const applyPools = (network: Cilium, options: NetworkOptions, tools: NetworkTools, signal: AbortSignal) =>
  applySet(
    network.manifests,
    {
      set: 'cilium',
      manager: 'ichor',
      force: false,
      prune: 'without-data',
      groups: ['cilium.io'],
      wait: false,
      atMostMs: options.atMostMs,
      ...(options.everyMs === undefined ? {} : { everyMs: options.everyMs }),
    },
    tools,
    signal,
  );
