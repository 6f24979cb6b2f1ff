import { Problem } from '../../model/problem.ts';
import type { BootstrapOnce, ClusterNode, ServiceState, TalosReader, TalosWriter } from '../talos.ts';
import { growingPauses, pause } from './pause.ts';

type Node = ClusterNode<TalosReader & Pick<TalosWriter, 'bootstrap'>>;

export type Pace = {
  /** An etcd that was never bootstrapped does not answer at all. */
  readonly answerMs: number;
  /** How long nothing may have happened before a lost request counts as never received. */
  readonly settleMs: number;
  /** How long etcd may stand still after a bootstrap before it counts as stopped for good. */
  readonly stuckMs: number;
  readonly deadlineMs: number;
};

const usual: Pace = { answerMs: 2500, settleMs: 3000, stuckMs: 15_000, deadlineMs: 300_000 };

/**
 * Talos guards only the data directory of the node that is asked: two nodes make two clusters, and a second request within
 * seconds kills the etcd of the first. So every control plane is looked at before, and after an answer that was lost.
 */
export async function bootstrapCarefully(
  nodes: readonly Node[],
  chosen: string,
  signal: AbortSignal,
  pace: Pace,
): ReturnType<BootstrapOnce> {
  const planes = nodes.filter(({ role }) => role === 'control-plane');
  const node = planes.find(({ name }) => name === chosen);
  if (node === undefined)
    throw new Problem('talos-no-such-node', `There is no control plane "${chosen}" to bootstrap.`);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(pace.deadlineMs)]);
  try {
    const seen = await Promise.all(planes.map((plane) => lookAt(plane, limited, pace)));
    if (seen.includes('etcd')) return { by: 'earlier' };
    const requested = seen[planes.indexOf(node)] === 'requested';
    const by = requested ? 'earlier' : await request(node, limited, pace);
    await awaitMembers(node, limited, pace);
    return { by };
  } catch (error) {
    signal.throwIfAborted();
    if (limited.aborted) throw notInTime(chosen);
    throw error;
  }
}

export const bootstrapOnce: BootstrapOnce = (nodes, chosen, signal) => bootstrapCarefully(nodes, chosen, signal, usual);

type Seen = 'nothing' | 'requested' | 'etcd';

/** A node that cannot be asked is a reason to wait: it may hold the cluster’s etcd. */
async function lookAt({ name, talos }: Node, signal: AbortSignal, { answerMs }: Pace): Promise<Seen> {
  const answer = await Promise.allSettled([
    talos.services(signal),
    talos.etcdMembers(signal, { local: true, deadlineMs: answerMs }),
  ]);
  signal.throwIfAborted();
  const [services, members] = answer;
  if (members.status === 'fulfilled' && members.value.length > 0) return 'etcd';
  if (services.status === 'rejected') {
    if (isProblem(services.reason, 'talos-still-maintenance')) return 'nothing';
    throw cannotLook(name, services.reason);
  }
  const etcd = services.value.find(({ id }) => id === 'etcd');
  if (etcd?.state === 'Running' && etcd.health === 'healthy') return 'etcd';
  return wasRequested(etcd) ? 'requested' : 'nothing';
}

/** A request whose etcd failed since then, for want of a snapshot, counts no more. */
function wasRequested(etcd: ServiceState | undefined): boolean {
  const events = etcd?.events ?? [];
  const at = events.findLastIndex(({ message }) => message === 'Bootstrap requested');
  return at >= 0 && !events.slice(at).some(({ state }) => state === 'Failed');
}

/** Sends it, again only when the node refused it as too early or surely never got it. */
async function request(node: Node, signal: AbortSignal, pace: Pace): Promise<'this-call' | 'earlier'> {
  for (const ms of growingPauses()) {
    try {
      await node.talos.bootstrap({}, signal);
      return 'this-call';
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'talos-already-bootstrapped') return 'earlier';
      if (error.recovery === 'ask') throw error;
      if (error.recovery === 'retry' && (await happenedAnyway(node, signal, pace))) return 'this-call';
    }
    await pause(ms, signal);
  }
  throw new Error('pauses never end');
}

/** The answer was lost; whether the request was too shows itself within moments. */
async function happenedAnyway(node: Node, signal: AbortSignal, pace: Pace): Promise<boolean> {
  const quietSince = Date.now();
  for (const ms of growingPauses()) {
    const seen = await lookAt(node, signal, pace).catch((error: unknown) => {
      signal.throwIfAborted();
      if (isProblem(error, 'talos-cannot-look')) return undefined;
      throw error;
    });
    if (seen === 'etcd' || seen === 'requested') return true;
    if (seen === 'nothing' && Date.now() - quietSince >= pace.settleMs) return false;
    await pause(ms, signal);
  }
  throw new Error('pauses never end');
}

async function awaitMembers(node: Node, signal: AbortSignal, pace: Pace): Promise<void> {
  let stoodSince: number | undefined;
  for (const ms of growingPauses()) {
    const [services, members] = await Promise.allSettled([
      node.talos.services(signal),
      node.talos.etcdMembers(signal, { local: true, deadlineMs: pace.answerMs }),
    ]);
    signal.throwIfAborted();
    if (members.status === 'fulfilled' && members.value.length > 0) return;
    const etcd = services.status === 'fulfilled' ? services.value.find(({ id }) => id === 'etcd') : undefined;
    const stands = etcd?.state === 'Finished';
    stoodSince = stands ? (stoodSince ?? Date.now()) : undefined;
    if (stoodSince !== undefined && Date.now() - stoodSince > pace.stuckMs) throw stopped(node.name);
    await pause(ms, signal);
  }
}

const isProblem = (error: unknown, code: string): boolean => error instanceof Problem && error.code === code;

const cannotLook = (name: string, cause: unknown): Problem =>
  new Problem('talos-cannot-look', `Whether ${name} already has an etcd is not known; nothing was bootstrapped.`, {
    recovery: 'wait',
    remedy: `Bring the node up, or leave it out:\n    ichor talos services -n ${name}`,
    cause,
  });

const stopped = (name: string): Problem =>
  new Problem('talos-etcd-stopped', `etcd on ${name} was asked to bootstrap and stands still.`, {
    recovery: 'ask',
    remedy: `Only a restart of the node starts it again:\n    ichor talos reboot -n ${name}`,
  });

const notInTime = (name: string): Problem =>
  new Problem('talos-no-answer', `etcd on ${name} did not come up in time.`, {
    recovery: 'wait',
    remedy: `Look at what it waits for:\n    ichor talos services -n ${name}`,
  });
