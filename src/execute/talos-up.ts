import type { TalosNode } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import type { MachineRef } from '../model/observed.ts';
import { isProblem, openAt, proveMachine, type OpenedMachine } from './talos-node.ts';
import type { Handlers, StepContext, Tools } from './tools.ts';
import { waitFor, type Look } from './waiting.ts';
import { addressOf, machineWords, patienceOf } from './where.ts';

/** How long a node may still answer in maintenance mode after it was configured: an installation takes its time to begin. */
const leavesMaintenanceMs = 90_000;

export const upHandlers: Pick<Handlers, 'talos.await-up'> = {
  'talos.await-up': async ({ machine, ref }, tools, context, signal) => {
    const at = tools.found.refs.get(machine) ?? ref;
    await using opened = await openWhenFound(machine, at, tools, context, signal);
    await awaitUp({ node: opened.node, machine, ref: at }, tools, context, signal);
    await proveMachine(opened, machine, at, signal);
  },
};

/** One that was just started has no address yet, where DHCP gives it one. */
async function openWhenFound(
  machine: string,
  ref: MachineRef | undefined,
  tools: Tools,
  context: StepContext,
  signal: AbortSignal,
): Promise<OpenedMachine> {
  const look = async (): Promise<Look<string>> => {
    const address = await addressOf(machine, ref, tools, signal);
    return address === undefined
      ? { state: 'not-yet', because: 'it has no address yet' }
      : { state: 'there', value: address };
  };
  const words = `the address of ${machineWords(machine, ref)}`;
  return openAt(await waitFor(words, look, patienceOf(tools, context), context.tell, signal), tools);
}

type Awaited = { readonly node: TalosNode; readonly machine: string; readonly ref: MachineRef | undefined };

/** Until it answers to our certificates and has done all of its boot that it can do alone. */
async function awaitUp(
  { node, machine, ref }: Awaited,
  tools: Tools,
  context: StepContext,
  signal: AbortSignal,
): Promise<void> {
  const words = machineWords(machine, ref);
  const since = tools.clock.now().getTime();
  const look = async (): Promise<Look<undefined>> => {
    try {
      const { stage, unmet } = await node.machineStatus(signal);
      if (stage === 'running' || (stage === 'booting' && (await waitsForEtcd(node, signal))))
        return { state: 'there', value: undefined };
      const missing = unmet.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
      return { state: 'not-yet', because: missing === '' ? `it is ${stage}` : `it is ${stage} (${missing})` };
    } catch (error) {
      const waited = tools.clock.now().getTime() - since;
      if (isProblem(error, 'talos-still-maintenance') && waited > leavesMaintenanceMs)
        return { state: 'over', problem: stays(words, error) };
      // Clocks that are some seconds apart agree by themselves: a certificate is not for ever too new.
      if (isProblem(error, 'talos-clock')) return { state: 'not-yet', because: error.message };
      throw error;
    }
  };
  const late = (because: string, ms: number): Problem =>
    new Problem('machine-not-up', `${words} is not up after ${Math.round(ms / 1000)} s: ${because}.`, {
      recovery: 'wait',
      remedy: `Look at its console${ref === undefined ? '' : ` (VM ${ref.id} on ${ref.host})`}: an installer that cannot be pulled or a disk that cannot be written says so there. A worker answers only once a control plane does.\n    ichor talos dmesg`,
    });
  await waitFor(`${words} to be up`, look, { ...patienceOf(tools, context), late }, context.tell, signal);
}

/** A control plane boots no further before etcd is bootstrapped, or lets it join; once it votes, the rest of its boot follows. */
async function waitsForEtcd(node: TalosNode, signal: AbortSignal): Promise<boolean> {
  const etcd = (await node.services(signal)).find(({ id }) => id === 'etcd');
  if (etcd?.state !== 'Running') return etcd?.state === 'Preparing';
  try {
    const { learner, leader } = await node.etcdStatus(signal);
    return learner || /^0*$/.test(leader);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return true;
  }
}

const stays = (words: string, cause: Problem): Problem =>
  new Problem('machine-still-maintenance', `${words} is in maintenance mode again, without its configuration.`, {
    recovery: 'wait',
    remedy: 'It was restarted or reset in between; running this again configures it:\n    ichor up',
    cause,
  });
