import type { TalosReader } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';

/** Two members are the one number at which taking one down stops etcd, and Talos’ new way to upgrade does not look. */
export async function mustKeepQuorum(
  node: Pick<TalosReader, 'services' | 'etcdMembers'>,
  remedy: string,
  signal: AbortSignal,
): Promise<void> {
  const isControlPlane = (await node.services(signal)).some(({ id }) => id === 'etcd');
  if (!isControlPlane) return;
  const members = await node.etcdMembers(signal, { local: true });
  const voters = members.filter(({ learner }) => !learner);
  if (voters.length === 2)
    throw new Problem('no-quorum', 'etcd has two members: while one of them restarts, the cluster stands still.', {
      remedy,
    });
  const learner = members.find((member) => member.learner);
  if (learner !== undefined)
    throw new Problem('no-quorum', `etcd member "${learner.hostname}" is still joining.`, {
      recovery: 'wait',
      remedy: 'Wait until it votes:\n    ichor talos etcd members',
    });
}
