import type { KubernetesReader } from '../clients/kubernetes.ts';
import { listAt, textAt, at, type Live } from '../kubernetes/live.ts';
import { drainedMark, nodeStandings } from '../kubernetes/nodes.ts';
import { known, unknown, type Seen } from '../model/seen.ts';
import type { WorldMember, WorldNode } from '../model/world.ts';
import { becauseOf, unlessHidden } from './failure.ts';
import type { Eyes } from './eyes.ts';
import { machineFinder, type Known } from './whose.ts';
import { within } from '../model/signals.ts';

/** An API that is there answers in moments. */
const patienceMs = 6000;

export type Cluster = {
  /** Undefined: it could not be asked, or there is none. */
  readonly client: (KubernetesReader & AsyncDisposable) | undefined;
  readonly nodes: Seen<readonly WorldNode[] | undefined>;
};

/** The nodes, as the API tells them: through its endpoint, or where that is dead through a control plane itself. */
export async function lookAtNodes(
  etcd: Seen<readonly WorldMember[]>,
  whose: Known,
  found: ReadonlyMap<string, string>,
  { openKubernetes, wanted }: Pick<Eyes, 'openKubernetes' | 'wanted'>,
  signal: AbortSignal,
): Promise<Cluster> {
  // Without etcd there is no API, and whoever answered at its address would be somebody else.
  if (etcd.kind === 'known' && etcd.value.length === 0) return { client: undefined, nodes: known(undefined) };
  const target = await unlessHidden(() => wanted.kubernetes(found));
  if (target.kind === 'unknown') return { client: undefined, nodes: target };
  const client = openKubernetes(target.value, () => wanted.apiServers(found));
  using soon = within(patienceMs, signal);
  try {
    const { items } = await client.list({ apiVersion: 'v1', kind: 'Node' }, {}, soon);
    return { client, nodes: known(worldNodes(items, whose)) };
  } catch (error) {
    await client[Symbol.asyncDispose]();
    return { client: undefined, nodes: unknown(becauseOf(error, signal)) };
  }
}

const controlPlaneLabel = 'node-role.kubernetes.io/control-plane';

export function worldNodes(nodes: readonly Live[], of: Known): readonly WorldNode[] {
  const whose = machineFinder(of);
  const standings = new Map(nodeStandings(nodes, []).map(({ node, missing }) => [node, missing]));
  return nodes.map((node): WorldNode => {
    const name = node.metadata.name ?? '';
    const addresses = listAt(node, 'status', 'addresses').flatMap((each) => textAt(each, 'address') ?? []);
    const missing = standings.get(name) ?? [];
    return {
      name,
      machine: whose(name, addresses),
      addresses: addresses.filter((address) => address !== name),
      controlPlane: node.metadata.labels?.[controlPlaneLabel] !== undefined,
      ready: missing.length === 0,
      missing,
      drained: node.metadata.annotations?.[drainedMark] !== undefined,
      schedulable: at(node, 'spec', 'unschedulable') !== true,
      version: textAt(node, 'status', 'nodeInfo', 'kubeletVersion') ?? '',
    };
  });
}
