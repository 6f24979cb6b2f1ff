import type { ClusterNode, OpenTalos, TalosAccess, TalosNode } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import { askNodes, type NamedNode } from './talos-nodes.ts';

export type Member = {
  readonly name: string;
  readonly role: ClusterNode['role'];
  readonly addresses: readonly string[];
};

/** Who belongs to the cluster: as somebody says, else as the first control plane that answers knows it. */
export async function findMembers(
  endpoints: readonly NamedNode[],
  said: { readonly controlPlanes: readonly string[]; readonly workers: readonly string[] },
  open: OpenTalos,
  signal: AbortSignal,
): Promise<readonly Member[]> {
  if (said.controlPlanes.length > 0)
    return [...said.controlPlanes.map(memberAs('control-plane')), ...said.workers.map(memberAs('worker'))];
  let last: Problem | undefined;
  for (const endpoint of endpoints) {
    const [answer] = await askNodes([endpoint], open, membersOf, signal);
    if (answer?.problem === undefined) {
      const found = answer?.answer ?? [];
      // Without discovery a node knows nobody, not even itself.
      return found.length > 0 ? found : endpoints.map(({ target }) => memberAs('control-plane')(target.host));
    }
    last = answer.problem;
  }
  throw (
    last ??
    new Problem('no-node', 'There is nobody to ask who belongs to the cluster.', {
      remedy: 'Name a control plane with -e.',
    })
  );
}

const memberAs =
  (role: Member['role']) =>
  (address: string): Member => ({ name: address, role, addresses: [address] });

type MemberSpec = {
  readonly hostname?: string;
  readonly machineType?: string;
  readonly addresses?: readonly string[];
};

async function membersOf(node: TalosNode, signal: AbortSignal): Promise<readonly Member[]> {
  const found = await node.list({ type: 'Members.cluster.talos.dev', namespace: 'cluster' }, signal);
  return found.flatMap(({ id, spec }) => {
    const { hostname, machineType, addresses = [] } = spec as MemberSpec;
    if (addresses.length === 0) return [];
    const role = machineType === 'worker' ? 'worker' : 'control-plane';
    return [{ name: hostname ?? id, role, addresses }] as const;
  });
}

/** Opens every member at its first address; whoever opened closes. */
export class OpenedCluster implements AsyncDisposable {
  readonly nodes: readonly ClusterNode<TalosNode>[];

  constructor(members: readonly Member[], access: TalosAccess, open: OpenTalos, port: number | undefined) {
    this.nodes = members.map(({ name, role, addresses }) => ({
      name,
      role,
      addresses,
      talos: open({ host: addresses[0] ?? name, access, ...(port === undefined ? {} : { port }) }),
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map(({ talos }) => talos[Symbol.asyncDispose]()));
  }
}
