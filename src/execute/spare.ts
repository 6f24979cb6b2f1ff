import type { EtcdMember } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import { controlPlaneAddresses, hostsOf, isHealthy, membersFrom, statusOf } from './etcd-members.ts';
import type { OpenedMachine } from './talos-node.ts';
import type { StepContext, Tools } from './tools.ts';
import { waitFor, type Look } from './waiting.ts';
import { patienceOf } from './where.ts';

/**
 * Until etcd can do without a machine that is about to go down: the others themselves are asked, right before it does, because
 * pods were moved and images pulled since the last gate.
 */
export async function awaitSpare(
  opened: Pick<OpenedMachine, 'node' | 'address'>,
  machine: string,
  { tools, context }: { readonly tools: Tools; readonly context: StepContext },
  signal: AbortSignal,
): Promise<void> {
  const etcd = (await opened.node.services(signal)).find(({ id }) => id === 'etcd');
  // A worker; or a member that is down already, which nobody misses more than now.
  if (etcd === undefined || etcd.state !== 'Running' || etcd.health === 'unhealthy') return;
  const look = async (): Promise<Look<undefined>> => {
    const missing = await missedWithout(opened.address, tools, signal);
    return missing === undefined ? { state: 'there', value: undefined } : missing;
  };
  const late = (because: string): Problem =>
    new Problem('no-quorum', `${machine} is not restarted: ${because}.`, {
      recovery: 'wait',
      remedy: 'etcd would lose its majority. Look what keeps the others:\n    ichor talos etcd status',
    });
  await waitFor(`etcd to do without ${machine}`, look, { ...patienceOf(tools, context), late }, context.tell, signal);
}

async function missedWithout(
  address: string,
  tools: Tools,
  signal: AbortSignal,
): Promise<Extract<Look<never>, { readonly state: 'not-yet' | 'over' }> | undefined> {
  const known = [...(await controlPlaneAddresses(tools, signal)).values()];
  const members = await membersFrom([address, ...known], tools, signal);
  const learner = members.find((member) => member.learner);
  if (learner !== undefined) return { state: 'not-yet', because: `${learner.hostname} is still joining etcd` };
  const others = members.filter((member) => !hostsOf(member).includes(address));
  // Alone it is down for a while, as its plan says; and who is no member is not missed.
  if (others.length === 0 || others.length === members.length) return undefined;
  if (members.length === 2) return { state: 'over', problem: onlyTwo() };
  const sick = await sickOf(others, tools, signal);
  if (others.length - sick.length > members.length / 2) return undefined;
  return {
    state: 'not-yet',
    because: `etcd needs ${sick.map(({ hostname }) => hostname).join(', ')}, which is not well`,
  };
}

async function sickOf(
  members: readonly EtcdMember[],
  tools: Tools,
  signal: AbortSignal,
): Promise<readonly EtcdMember[]> {
  const verdicts = await Promise.all(
    members.map(async (member) => isHealthy(member, await statusOf(member, tools, signal))),
  );
  return members.filter((_, index) => verdicts[index] !== true);
}

/** The one number at which taking one down stops etcd, and Talos’ new way to upgrade does not look. */
const onlyTwo = (): Problem =>
  new Problem('no-quorum', 'etcd has two members: while one of them restarts, the cluster stands still.', {
    remedy: 'Add a third control plane first: set cluster.controlPlane.replicas to 3.\n    ichor plan',
  });
