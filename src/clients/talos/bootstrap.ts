import { Problem } from '../../model/problem.ts';
import type { BootstrapOnce, ClusterNode, ServiceState, TalosReader, TalosWriter } from '../talos.ts';
import { growingPauses, pause } from './pause.ts';
import { within } from '../../model/signals.ts';

type Node = ClusterNode<TalosReader & Pick<TalosWriter, 'bootstrap'>>;

export type Pace = {
  /** An etcd that was never bootstrapped does not answer at all. */
  readonly answerMs: number;
  /** An etcd that has data is done with preparing itself within moments; one that is not waits for a bootstrap. */
  readonly preparesMs: number;
  /** How long nothing may have happened before a lost request counts as never received. */
  readonly settleMs: number;
  /** How long etcd may stand still after a bootstrap before it counts as stopped for good. */
  readonly stuckMs: number;
  readonly deadlineMs: number;
};

const usual: Pace = { answerMs: 2500, preparesMs: 500, settleMs: 3000, stuckMs: 15_000, deadlineMs: 300_000 };

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
  using limited = within(pace.deadlineMs, signal);
  try {
    const looks = await Promise.all(planes.map((plane) => lookAt(plane, limited, pace)));
    if (looks.some(({ seen }) => seen === 'etcd')) return { by: 'earlier' };
    const before = looks[planes.indexOf(node)];
    const by = before?.seen === 'requested' ? 'earlier' : await request(node, before?.began, limited, pace);
    await awaitMembers(node, limited, pace);
    return { by };
  } catch (error) {
    signal.throwIfAborted();
    if (limited.aborted) throw notInTime(node);
    throw error;
  }
}

export const bootstrapOnce: BootstrapOnce = (nodes, chosen, signal) => bootstrapCarefully(nodes, chosen, signal, usual);

type Look = {
  readonly seen: 'nothing' | 'requested' | 'etcd';
  /** When etcd’s life as a service began; a bootstrap ends it and begins another. */
  readonly began: number | undefined;
};

/** A node that cannot be asked is a reason to wait: it may hold the cluster’s etcd. */
async function lookAt(node: Node, signal: AbortSignal, pace: Pace): Promise<Look> {
  const { talos } = node;
  const { answerMs } = pace;
  const prepares = await preparesFor(talos, signal, pace);
  if (prepares !== undefined) return prepares;
  const answer = await Promise.allSettled([
    talos.services(signal),
    talos.etcdMembers(signal, { local: true, deadlineMs: answerMs }),
  ]);
  signal.throwIfAborted();
  const [services, members] = answer;
  const etcd = services.status === 'fulfilled' ? services.value.find(({ id }) => id === 'etcd') : undefined;
  const began = etcd?.events[0]?.at.getTime();
  if (members.status === 'fulfilled' && members.value.length > 0) return { seen: 'etcd', began };
  if (services.status === 'rejected' && !isProblem(services.reason, 'talos-still-maintenance'))
    throw cannotLook(node, services.reason);
  if (etcd?.state === 'Running' && etcd.health === 'healthy') return { seen: 'etcd', began };
  return { seen: wasRequested(etcd) ? 'requested' : 'nothing', began };
}

/** Whether it does nothing but prepare itself, also a little later; its members need not be asked for then. */
async function preparesFor(talos: TalosReader, signal: AbortSignal, { preparesMs }: Pace): Promise<Look | undefined> {
  const look = async (): Promise<ServiceState | undefined> => {
    const services = await talos.services(signal).catch(() => []);
    signal.throwIfAborted();
    return services.find(({ id, state, events }) => {
      return id === 'etcd' && state === 'Preparing' && events.at(-1)?.message === 'Running pre state';
    });
  };
  if ((await look()) === undefined) return undefined;
  await pause(preparesMs, signal);
  const etcd = await look();
  return etcd && { seen: 'nothing', began: etcd.events[0]?.at.getTime() };
}

/** It runs only with data, and before a bootstrap it never finishes. One that failed, for want of a snapshot, may be asked again. */
function wasRequested(etcd: ServiceState | undefined): boolean {
  if (etcd === undefined || etcd.state === 'Failed') return false;
  return etcd.state === 'Running' || etcd.state === 'Finished' || etcd.events.at(-1)?.message === 'Bootstrap requested';
}

/** Sends it, again only when the node refused it as too early or surely never got it. */
async function request(
  node: Node,
  began: number | undefined,
  signal: AbortSignal,
  pace: Pace,
): Promise<'this-call' | 'earlier'> {
  for (const ms of growingPauses()) {
    try {
      await node.talos.bootstrap({}, signal);
      return 'this-call';
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'talos-already-bootstrapped') return 'earlier';
      if (error.recovery === 'ask') throw error;
      if (error.recovery === 'retry' && (await happenedAnyway(node, began, signal, pace))) return 'this-call';
    }
    await pause(ms, signal);
  }
  throw new Error('pauses never end');
}

/** The answer was lost; whether the request was too shows itself within moments. */
async function happenedAnyway(
  node: Node,
  began: number | undefined,
  signal: AbortSignal,
  pace: Pace,
): Promise<boolean> {
  const quietSince = Date.now();
  for (const ms of growingPauses()) {
    const look = await lookAt(node, signal, pace).catch((error: unknown) => {
      signal.throwIfAborted();
      if (isProblem(error, 'talos-cannot-look')) return undefined;
      throw error;
    });
    if (look !== undefined) {
      if (look.seen !== 'nothing' || look.began !== began) return true;
      if (Date.now() - quietSince >= pace.settleMs) return false;
    }
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
    if (stoodSince !== undefined && Date.now() - stoodSince > pace.stuckMs) throw stopped(node);
    await pause(ms, signal);
  }
}

const addressOf = ({ name, addresses }: Node): string => addresses[0] ?? name;

const isProblem = (error: unknown, code: string): boolean => error instanceof Problem && error.code === code;

const cannotLook = (node: Node, cause: unknown): Problem =>
  new Problem('talos-cannot-look', `Whether ${node.name} already has an etcd is not known; nothing was bootstrapped.`, {
    recovery: 'wait',
    remedy: `Bring the node up, or leave it out:\n    ichor talos services -n ${addressOf(node)}`,
    cause,
  });

const stopped = (node: Node): Problem =>
  new Problem('talos-etcd-stopped', `etcd on ${node.name} was asked to bootstrap and stands still.`, {
    recovery: 'ask',
    remedy: `Only a restart of the node starts it again:\n    ichor talos reboot -n ${addressOf(node)}`,
  });

const notInTime = (node: Node): Problem =>
  new Problem('talos-no-answer', `etcd on ${node.name} did not come up in time.`, {
    recovery: 'wait',
    remedy: `Look at what it waits for:\n    ichor talos services -n ${addressOf(node)}`,
  });
