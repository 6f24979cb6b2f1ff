import type { KubernetesReader } from '../clients/kubernetes.ts';
import type { Network } from '../kubernetes/cni/network.ts';
import { standingOf, type Standing } from '../kubernetes/cni/standing.ts';
import { releaseSelector } from '../kubernetes/helm/release.ts';
import { known, unknown, type Seen } from '../model/seen.ts';
import type { NetworkWorld } from '../model/world.ts';
import type { Cluster } from './kubernetes.ts';
import { becauseOf } from './failure.ts';

/** How the pod network stands, where it is ours to bring up. */
export async function lookAtNetwork(
  network: Network,
  { client, nodes }: Cluster,
  signal: AbortSignal,
): Promise<Seen<NetworkWorld>> {
  if (network.kind !== 'cilium') return known({ kind: 'not-ours' });
  if (nodes.kind === 'unknown') return nodes;
  if (client === undefined) return known({ kind: 'absent' });
  try {
    return known(networkWorld(await standingNow(network.release, client, signal)));
  } catch (error) {
    return unknown(becauseOf(error, signal));
  }
}

async function standingNow(
  release: Extract<Network, { kind: 'cilium' }>['release'],
  client: KubernetesReader,
  signal: AbortSignal,
): Promise<Standing> {
  const { name, namespace } = release;
  const [secrets, agent] = await Promise.all([
    client.list({ apiVersion: 'v1', kind: 'Secret', namespace, labels: releaseSelector(name) }, {}, signal),
    client.get({ apiVersion: 'apps/v1', kind: 'DaemonSet', namespace, name }, signal),
  ]);
  return standingOf(release, secrets.items, agent);
}

function networkWorld(standing: Standing): NetworkWorld {
  switch (standing.kind) {
    case 'current':
      return { kind: 'current' };
    case 'differs':
      return { kind: 'differs', reasons: standing.reasons };
    case 'pending':
      return { kind: 'pending', since: standing.newest.at?.toISOString() };
    default:
      return standing;
  }
}
