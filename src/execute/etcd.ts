import type { ClusterNode, EtcdMember, TalosNode } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import { controlPlaneAddresses, hostsOf, isHealthy, membersFrom, statusOf } from './etcd-members.ts';
import { rememberThat } from './remembering.ts';
import { isProblem, mayHaveHappened, openAt, openMachine } from './talos-node.ts';
import type { Handlers, StepContext, Tools } from './tools.ts';
import { waitFor, type Look } from './waiting.ts';
import { patienceOf } from './where.ts';

type Kinds = 'etcd.bootstrap' | 'etcd.await-member' | 'etcd.leave' | 'etcd.remove';

export const etcdHandlers: Pick<Handlers, Kinds> = {
  'etcd.bootstrap': async ({ machine }, tools, context, signal) => {
    const chosenAt = tools.clock.now().toISOString();
    // Durable before anything is asked: whatever happens from here on, nobody chooses another one.
    const { bootstrap } = await rememberThat(tools, (memory) => ({
      ...memory,
      bootstrap: memory.bootstrap ?? { machine, chosenAt },
    }));
    if (bootstrap !== undefined && bootstrap.machine !== machine) throw chosenElsewhere(machine, bootstrap);
    const look = async (): Promise<Look<undefined>> => {
      const by = await bootstrapOn(machine, tools, signal);
      if (by === 'earlier') context.tell({ kind: 'says', text: 'etcd was bootstrapped before' });
      return { state: 'there', value: undefined };
    };
    await waitFor(`etcd to begin on ${machine}`, look, patienceOf(tools, context), context.tell, signal);
    await rememberThat(tools, (memory) => ({
      ...memory,
      bootstrap: { machine, chosenAt: memory.bootstrap?.chosenAt ?? chosenAt, members: [machine] },
    }));
  },

  'etcd.await-member': async ({ machine, ref }, tools, context, signal) => {
    await using opened = await openMachine(machine, ref, tools, signal);
    const look = async (): Promise<Look<undefined>> => {
      const { learner, leader } = await opened.node.etcdStatus(signal);
      if (!learner && !/^0*$/.test(leader)) return { state: 'there', value: undefined };
      return { state: 'not-yet', because: learner ? 'it is learning, and does not vote yet' : 'etcd has no leader' };
    };
    const late = (because: string, ms: number): Problem =>
      new Problem('etcd-not-joined', `${machine} does not vote in etcd after ${Math.round(ms / 1000)} s: ${because}`, {
        recovery: 'wait',
        remedy: `Look at its etcd; the other control planes must reach it on ports 2379 and 2380:\n    ichor talos logs etcd -n ${opened.address}`,
      });
    await waitFor(`${machine} to vote in etcd`, look, { ...patienceOf(tools, context), late }, context.tell, signal);
  },

  'etcd.leave': async ({ machine, address, hostname }, tools, context, signal) => {
    const others = await otherAddresses(address, tools, signal);
    const isLeaving = (member: EtcdMember): boolean =>
      member.hostname === hostname || hostsOf(member).includes(address);
    const members = await membersFrom([...others, address], tools, signal);
    const leaving = members.find(isLeaving);
    if (leaving === undefined) return;
    await mustStayQuorate(leaving, members, tools, signal);
    try {
      await using opened = await openAt(address, tools);
      await opened.node.etcdForfeit(signal);
      await opened.node.etcdLeave(signal);
    } catch (error) {
      // Whether it left is seen below.
      if (!mayHaveHappened(error)) throw error;
    }
    const rest = members.filter((member) => member !== leaving).flatMap(hostsOf);
    await gone(leaving, machine, rest, tools, context, signal);
  },

  'etcd.remove': async ({ member: id, hostname }, tools, context, signal) => {
    const addresses = [...(await controlPlaneAddresses(tools, signal)).values()];
    const members = await membersFrom(addresses, tools, signal);
    const leaving = members.find((member) => member.id === id);
    if (leaving === undefined) return;
    if (leaving.hostname !== hostname) throw otherMember(leaving, hostname);
    if ((await statusOf(leaving, tools, signal))?.memberId === id) throw stillAlive(leaving);
    await mustStayQuorate(leaving, members, tools, signal);
    const rest = members.filter((member) => member !== leaving).flatMap(hostsOf);
    await removeFrom(rest, leaving, tools, signal);
    await gone(leaving, hostname, rest, tools, context, signal);
  },
};

async function bootstrapOn(machine: string, tools: Tools, signal: AbortSignal): Promise<'this-call' | 'earlier'> {
  const addresses = await controlPlaneAddresses(tools, signal);
  const access = await tools.material.talosAccess();
  const nodes = [...addresses].map(([name, host]): ClusterNode<TalosNode> => ({
    name,
    role: 'control-plane',
    addresses: [host],
    talos: tools.talos.open({ host, access }),
  }));
  try {
    return (await tools.talos.bootstrapOnce(nodes, machine, signal)).by;
  } finally {
    await Promise.all(nodes.map(({ talos }) => talos[Symbol.asyncDispose]()));
  }
}

/** Where other members are asked about one. */
async function otherAddresses(address: string, tools: Tools, signal: AbortSignal): Promise<readonly string[]> {
  const known = await controlPlaneAddresses(tools, signal);
  return [...known.values()].filter((each) => each !== address);
}

/** Those that stay must be a majority of themselves, all of them at work. */
async function mustStayQuorate(
  leaving: EtcdMember,
  members: readonly EtcdMember[],
  tools: Tools,
  signal: AbortSignal,
): Promise<void> {
  const rest = members.filter((member) => member !== leaving);
  if (rest.length === 0)
    throw new Problem(
      'etcd-last-member',
      `${leaving.hostname} is the only member of etcd: without it the cluster’s data is gone.`,
      {
        remedy: 'To take the whole cluster down:\n    ichor destroy',
      },
    );
  if (leaving.learner) return;
  const learner = rest.find((member) => member.learner);
  if (learner !== undefined)
    throw new Problem('etcd-learner', `${learner.hostname} is still joining etcd; nobody leaves meanwhile.`, {
      recovery: 'wait',
      remedy: 'Wait until it votes:\n    ichor talos etcd members',
    });
  const statuses = await Promise.all(rest.map((member) => statusOf(member, tools, signal)));
  const sick = rest.filter((member, index) => !isHealthy(member, statuses[index]));
  const needed = Math.floor(rest.length / 2) + 1;
  if (rest.length - sick.length >= needed) return;
  throw new Problem(
    'etcd-would-lose-quorum',
    `Without ${leaving.hostname} etcd would have ${rest.length - sick.length} of ${needed} members that it needs: ${sick.map(({ hostname }) => hostname).join(', ')} does not answer well.`,
    { recovery: 'wait', remedy: 'Bring them back first:\n    ichor talos etcd status' },
  );
}

async function gone(
  leaving: EtcdMember,
  name: string,
  rest: readonly string[],
  tools: Tools,
  context: StepContext,
  signal: AbortSignal,
): Promise<void> {
  const look = async (): Promise<Look<undefined>> =>
    (await membersFrom(rest, tools, signal)).some(({ id }) => id === leaving.id)
      ? { state: 'not-yet', because: 'others still count it' }
      : { state: 'there', value: undefined };
  await waitFor(
    `${name} to leave etcd`,
    look,
    { ...patienceOf(tools, context), atMostMs: leavesMs },
    context.tell,
    signal,
  );
}

const leavesMs = 60_000;

async function removeFrom(
  addresses: readonly string[],
  leaving: EtcdMember,
  tools: Tools,
  signal: AbortSignal,
): Promise<void> {
  let last: unknown;
  for (const address of addresses) {
    try {
      await using opened = await openAt(address, tools);
      return await opened.node.etcdRemove(leaving.id, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isProblem(error, 'talos-not-found')) return;
      if (!(error instanceof Problem) || error.recovery === 'ask') throw error;
      last = error;
    }
  }
  throw last;
}

const chosenElsewhere = (machine: string, chosen: { readonly machine: string; readonly chosenAt: string }): Problem =>
  new Problem(
    'bootstrap-elsewhere',
    `etcd was to begin on ${machine}, and ${chosen.machine} was chosen for that on ${chosen.chosenAt}. A second beginning would make a second cluster; nothing was done.`,
    {
      remedy: `Bring ${chosen.machine} back. If its cluster is gone for good, end its life first:\n    ichor destroy`,
    },
  );

const otherMember = ({ id, hostname }: EtcdMember, meant: string): Problem =>
  new Problem('etcd-other-member', `etcd’s member ${id} is ${hostname}, and not ${meant}; it stays.`, {
    remedy: 'Look who is who:\n    ichor talos etcd members',
  });

const stillAlive = ({ id, hostname }: EtcdMember): Problem =>
  new Problem(
    'etcd-member-alive',
    `etcd’s member ${id} (${hostname}) is at work, and no machine that is gone; it stays.`,
    {
      remedy: 'Look whose it is:\n    ichor talos etcd members',
    },
  );
