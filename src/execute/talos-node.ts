import type { TalosNode } from '../clients/talos.ts';
import type { MachineRef } from '../model/observed.ts';
import { Problem } from '../model/problem.ts';
import type { Tools } from './tools.ts';
import { machineWords, mustBeSomewhere } from './where.ts';

export type OpenedMachine = AsyncDisposable & { readonly node: TalosNode; readonly address: string };

/** Opens a machine of ours over mutual TLS; nothing is sent before something is asked. */
export async function openMachine(
  machine: string,
  ref: MachineRef | undefined,
  tools: Tools,
  signal: AbortSignal,
): Promise<OpenedMachine> {
  return openAt(await mustBeSomewhere(machine, ref, tools, signal), tools);
}

export async function openAt(address: string, { talos, material }: Tools): Promise<OpenedMachine> {
  const node = talos.open({ host: address, access: await material.talosAccess() });
  return { node, address, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() };
}

/**
 * What answers at an address must be the machine that is meant, not another one that was given its address meanwhile. Whoever
 * does not say who it is passes: over mutual TLS it is one of our cluster, and in maintenance mode it is still empty.
 */
export async function proveMachine(
  { node, address }: Pick<OpenedMachine, 'node' | 'address'>,
  machine: string,
  ref: MachineRef | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (ref === undefined) return;
  const uuid = await node.systemUuid(signal);
  if (uuid === undefined || uuid.toLowerCase() === ref.mark.uuid.toLowerCase()) return;
  throw new Problem(
    'machine-other',
    `At ${address} stands another machine than ${machineWords(machine, ref)}: its UUID is ${uuid}, and not ${ref.mark.uuid}. Nothing was done to it.`,
    {
      remedy: `Two machines may have the same address, or another one was given it. Look who has it:\n    ichor machines`,
    },
  );
}

/** Where only the address tells who it is: it must not say that it is another machine of the file. */
export async function mustNotBeOther(
  { node, address }: Pick<OpenedMachine, 'node' | 'address'>,
  machine: string,
  { material }: Pick<Tools, 'material'>,
  signal: AbortSignal,
): Promise<void> {
  const hostname = await node.hostname(signal);
  const other = material.machines.find((each) => each !== machine && material.hostname(each) === hostname);
  if (other === undefined) return;
  throw new Problem('machine-other', `At ${address} stands ${other}, and not ${machine}. Nothing was done to it.`, {
    remedy: 'Correct the addresses in the file:\n    ichor machines',
  });
}

export const isProblem = (error: unknown, ...codes: readonly string[]): error is Problem =>
  error instanceof Problem && codes.includes(error.code);

/** The answer may have been lost, and not what was asked for: whoever gets this looks, and does not ask again blindly. */
export const mayHaveHappened = (error: unknown): error is Problem =>
  error instanceof Problem && error.recovery === 'retry';

/** What a node said to a change, unless nobody knows whether it heard: then the problem, for whoever looks in vain. */
export async function answerTo(act: () => Promise<unknown>): Promise<Problem | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (mayHaveHappened(error)) return error;
    throw error;
  }
}
