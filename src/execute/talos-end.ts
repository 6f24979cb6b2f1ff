import type { Standing, TalosNode } from '../clients/talos.ts';
import type { MachineRef } from '../model/observed.ts';
import { Problem } from '../model/problem.ts';
import { forgetMachine } from './remembering.ts';
import { awaitSpare } from './spare.ts';
import { answerTo, mustNotBeOther, openAt, openMachine, proveMachine } from './talos-node.ts';
import type { Handlers, StepContext, Tools } from './tools.ts';
import { waitFor, type Look } from './waiting.ts';
import { machineSeen, machineWords, patienceOf } from './where.ts';

/** How long after a lost answer a node may go on as if nothing had been asked. */
const showsMs = 45_000;

/** A reset that leaves Talos itself on the disk: the node waits in maintenance mode afterwards. */
const partitions = ['STATE', 'EPHEMERAL'];

export const endHandlers: Pick<Handlers, 'talos.shutdown' | 'talos.reset'> = {
  'talos.shutdown': async ({ machine, ref }, tools, context, signal) => {
    const at = tools.found.refs.get(machine) ?? ref;
    if (await isOff(machine, at, tools, signal)) return;
    await using opened = await openMachine(machine, at, tools, signal);
    const { node, address } = opened;
    await proveMachine(opened, machine, at, signal);
    await awaitSpare(opened, machine, { tools, context }, signal);
    // Whoever planned this has drained it; Talos would do so again, and wait for an API that may be going down too.
    const lost = await answerTo(() => node.shutdown({ force: true }, signal));
    const off = async (): Promise<Look<undefined>> =>
      (at === undefined ? await isSilent(address, tools, signal) : await isOff(machine, at, tools, signal))
        ? { state: 'there', value: undefined }
        : { state: 'not-yet', because: 'it is still on' };
    await waitFor(`${machineWords(machine, at)} to be off`, off, limited(tools, context, lost), context.tell, signal);
  },

  'talos.reset': async ({ machine, address }, tools, context, signal) => {
    const { standing, gone } = await reset(machine, address, tools, context, signal);
    if (gone && standing.kind !== 'maintenance')
      context.tell({ kind: 'says', text: `${machine} runs in a container: it went down and is not wiped` });
    tools.found.addresses.delete(machine);
    await forgetMachine(machine, tools);
  },
};

type Reset = { readonly standing: Standing; readonly gone: boolean };

async function reset(
  machine: string,
  address: string,
  tools: Tools,
  context: StepContext,
  signal: AbortSignal,
): Promise<Reset> {
  const probe = (): Promise<Standing> => tools.talos.probe({ host: address }, signal);
  const before = await probe();
  if (before.kind === 'maintenance') return { standing: before, gone: false };
  await using opened = await openAt(address, tools);
  const { node } = opened;
  const patience = patienceOf(tools, context);
  const version = async (): Promise<Look<string>> => ({ state: 'there', value: (await node.version(signal)).platform });
  const platform = await waitFor(`${machine} to answer`, version, patience, context.tell, signal);
  await mustNotBeOther(opened, machine, tools, signal);
  const contained = platform === 'container';
  const lost = await answerTo(() => ask(node, contained, signal));
  const back = async (): Promise<Look<Standing>> => {
    const standing = await probe();
    if (standing.kind === 'maintenance' || (contained && standing.kind === 'absent'))
      return { state: 'there', value: standing };
    return { state: 'not-yet', because: standing.kind === 'absent' ? standing.because : 'it is still resetting' };
  };
  if (lost !== undefined) await mustGoDown(machine, probe, lost, { tools, context }, signal);
  const standing = await waitFor(
    `${machine} to wait in maintenance mode`,
    back,
    { ...patience, late: (because, ms) => notBack(machine, address, because, ms) },
    context.tell,
    signal,
  );
  return { standing, gone: contained };
}

/** Members have left etcd before, and pods were drained: Talos has nothing to wait for. */
const ask = (node: TalosNode, contained: boolean, signal: AbortSignal): Promise<void> =>
  node.reset({ graceful: false, reboot: true, ...(contained ? {} : { partitions }) }, signal);

const limited = (tools: Tools, context: StepContext, lost: Problem | undefined) =>
  lost === undefined
    ? patienceOf(tools, context)
    : { ...patienceOf(tools, context), atMostMs: showsMs, late: () => lost };

async function mustGoDown(
  machine: string,
  probe: () => Promise<Standing>,
  lost: Problem,
  { tools, context }: { readonly tools: Tools; readonly context: StepContext },
  signal: AbortSignal,
): Promise<void> {
  const look = async (): Promise<Look<undefined>> =>
    (await probe()).kind === 'configured'
      ? { state: 'not-yet', because: 'the answer was lost, and it goes on as before' }
      : { state: 'there', value: undefined };
  await waitFor(`${machine} to go down`, look, limited(tools, context, lost), context.tell, signal);
}

async function isOff(
  machine: string,
  ref: MachineRef | undefined,
  tools: Tools,
  signal: AbortSignal,
): Promise<boolean> {
  if (ref === undefined) return false;
  const seen = await machineSeen(machine, tools, signal);
  return seen === undefined || (seen.power.kind === 'known' && seen.power.value === 'off');
}

const isSilent = async (address: string, { talos }: Tools, signal: AbortSignal): Promise<boolean> =>
  (await talos.probe({ host: address }, signal)).kind === 'absent';

const notBack = (machine: string, address: string, because: string, ms: number): Problem =>
  new Problem(
    'machine-not-back',
    `${machine} was reset and is not back at ${address} after ${Math.round(ms / 1000)} s: ${because}.`,
    {
      recovery: 'wait',
      remedy: `Look at its console: it should boot into maintenance mode, perhaps with another address.\n    ichor talos version --insecure -n ${address}`,
    },
  );
