import type { Standing } from '../clients/talos.ts';
import type { MachineRef } from '../model/observed.ts';
import { Problem } from '../model/problem.ts';
import { tellFactory } from './factory.ts';
import { rememberThat } from './remembering.ts';
import { isProblem, mayHaveHappened, openAt, proveMachine } from './talos-node.ts';
import type { Handlers, StepContext, Tools } from './tools.ts';
import { waitFor, type Look } from './waiting.ts';
import { addressOf, machineWords, patienceOf } from './where.ts';

/** A node that took its configuration stops answering in maintenance mode within this time, whoever still listens. */
const drainsMs = 12_000;

export const configureHandlers: Pick<Handlers, 'talos.configure'> = {
  'talos.configure': async ({ machine, ref }, tools, context, signal) => {
    const at = tools.found.refs.get(machine) ?? ref;
    const { address, standing } = await answering(machine, at, tools, context, signal);
    if (standing.kind === 'configured') return mustBeOurs(machine, at, address, tools, signal);
    const config = await configOf(machine, tools, context, signal);
    await tellFactory((id) => config.includes(`-installer/${id}:`), tools, context, signal);
    await give({ machine, ref: at, address, fingerprint: standing.fingerprint, config }, tools, context, signal);
  },
};

type Answering = { readonly address: string; readonly standing: Exclude<Standing, { readonly kind: 'absent' }> };

const answering = (
  machine: string,
  ref: MachineRef | undefined,
  tools: Tools,
  context: StepContext,
  signal: AbortSignal,
): Promise<Answering> =>
  waitFor(
    `${machineWords(machine, ref)} to answer`,
    async (): Promise<Look<Answering>> => {
      const address = await addressOf(machine, ref, tools, signal);
      if (address === undefined) return { state: 'not-yet', because: 'it has no address yet' };
      const standing = await tools.talos.probe({ host: address }, signal);
      if (standing.kind === 'absent') return { state: 'not-yet', because: `${address}: ${standing.because}` };
      return { state: 'there', value: { address, standing } };
    },
    patienceOf(tools, context),
    context.tell,
    signal,
  );

/** It has a configuration: done where it is ours, and left alone where it is not. */
async function mustBeOurs(
  machine: string,
  ref: MachineRef | undefined,
  address: string,
  tools: Tools,
  signal: AbortSignal,
): Promise<void> {
  await using opened = await openAt(address, tools);
  try {
    await opened.node.version(signal);
    await proveMachine(opened, machine, ref, signal);
  } catch (error) {
    if (!isProblem(error, 'talos-other-cluster', 'talos-not-authorized')) throw error;
    throw new Problem(
      'machine-foreign',
      `${machine} at ${address} is configured already, and not by this cluster: it does not take our certificates. Nothing was done to it.`,
      {
        remedy: `If it may be wiped, reset it with the talosconfig of its cluster; otherwise give ${machine} another machine:\n    ichor talos reset -n ${address} --talosconfig FILE`,
        cause: error,
      },
    );
  }
}

/** All others are told the address of the first control plane, where the file names no endpoint: it must be found first. */
async function configOf(machine: string, tools: Tools, context: StepContext, signal: AbortSignal): Promise<string> {
  const { material, found } = tools;
  const first = material.endpointMachine;
  if (first !== undefined)
    await waitFor(
      `the address of ${first}`,
      async () => {
        const address = await addressOf(first, undefined, tools, signal);
        return address === undefined
          ? { state: 'not-yet', because: 'it has none yet' }
          : { state: 'there', value: address };
      },
      patienceOf(tools, context),
      context.tell,
      signal,
    );
  return material.config(machine, found.addresses);
}

type Giving = {
  readonly machine: string;
  readonly ref: MachineRef | undefined;
  readonly address: string;
  readonly fingerprint: string;
  readonly config: string;
};

async function give(giving: Giving, tools: Tools, context: StepContext, signal: AbortSignal): Promise<void> {
  const { machine, ref, address, config } = giving;
  const { material, provider } = tools;
  const pinned = material.fingerprint(machine);
  if (pinned !== undefined && pinned !== giving.fingerprint) throw otherFingerprint(giving, pinned);
  // Whoever answered before must be who is given the secrets now.
  const access = { kind: 'maintenance', fingerprint: giving.fingerprint } as const;
  try {
    await using node = tools.talos.open({ host: address, access });
    await proveMachine({ node, address }, machine, ref, signal);
    const role = material.controlPlanes.includes(machine) ? 'control-plane' : 'worker';
    if (provider === undefined)
      await rememberThat(tools, (memory) => ({
        ...memory,
        configured: { ...memory.configured, [machine]: { address, role } },
      }));
    signal.throwIfAborted();
    const { warnings } = await node.apply(config, { mode: 'auto' }, signal);
    for (const text of warnings) context.tell({ kind: 'says', text });
  } catch (error) {
    if (!mayHaveHappened(error) || !(await wasTaken(giving, tools, context, signal))) throw error;
  }
}

/** The answer was lost: a node that took its configuration leaves maintenance mode; one that stays in it never got it. */
async function wasTaken(
  { machine, address }: Giving,
  tools: Tools,
  context: StepContext,
  signal: AbortSignal,
): Promise<boolean> {
  const patience = { ...patienceOf(tools, context), atMostMs: drainsMs };
  const look = async (): Promise<Look<true>> => {
    const { kind } = await tools.talos.probe({ host: address }, signal);
    return kind === 'maintenance'
      ? { state: 'not-yet', because: 'the answer was lost, and it is still in maintenance mode' }
      : { state: 'there', value: true };
  };
  return waitFor(`${machine} to take its configuration`, look, patience, context.tell, signal).catch(
    (error: unknown) => {
      if (isProblem(error, 'took-too-long')) return false;
      throw error;
    },
  );
}

const otherFingerprint = ({ machine, address, fingerprint }: Giving, pinned: string): Problem =>
  new Problem(
    'machine-other-fingerprint',
    `${machine} at ${address} shows the fingerprint ${hex(fingerprint)}, and the file pins ${hex(pinned)}. Nothing was sent to it.`,
    {
      remedy: `A node in maintenance mode makes a new key at every boot. Compare with what its console shows, and correct machines.existing.machines.${machine}.fingerprint, or take it out:\n    ichor talos version --insecure -n ${address}`,
    },
  );

/** As the file writes it. */
const hex = (fingerprint: string): string =>
  (Buffer.from(fingerprint, 'base64').toString('hex').toUpperCase().match(/../g) ?? []).join(':');
