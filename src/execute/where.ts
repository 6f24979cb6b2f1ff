import type { MachineRef, ObservedMachine } from '../model/observed.ts';
import { Problem } from '../model/problem.ts';
import type { Tools } from './tools.ts';
import type { Patience } from './waiting.ts';
import type { StepContext } from './tools.ts';

/** How gates are waited for: soon at first, so that nothing is waited for needlessly. */
export const patienceOf = ({ clock, pause }: Pick<Tools, 'clock' | 'pause'>, { atMostMs }: StepContext): Patience => ({
  clock,
  pause,
  fromMs: 100,
  everyMs: 2000,
  atMostMs,
});

/** Where a machine is: as this run found it, as the file says, or as its provider tells now. Undefined: nobody knows. */
export async function addressOf(
  machine: string,
  ref: MachineRef | undefined,
  tools: Tools,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { found, material, provider } = tools;
  const known = material.fixedAddress(machine) ?? found.addresses.get(machine);
  if (known !== undefined || provider === undefined) return known;
  const at = found.refs.get(machine) ?? ref ?? (await machineSeen(machine, tools, signal));
  return at && askAddress(machine, at, tools, signal);
}

/** Asks the provider anew, and keeps what it says for the run. */
export async function askAddress(
  machine: string,
  ref: MachineRef,
  { found, material, provider }: Tools,
  signal: AbortSignal,
): Promise<string | undefined> {
  const address = await provider?.reader.address(ref, material.addressRule(machine), signal);
  if (address !== undefined) found.addresses.set(machine, address);
  return address;
}

/** One of ours by its name, as its provider has it; undefined: it is not there. */
export async function machineSeen(
  machine: string,
  { provider, material }: Tools,
  signal: AbortSignal,
): Promise<ObservedMachine | undefined> {
  const seen = (await provider?.reader.machines(material.platform, signal)) ?? [];
  const there = seen.flatMap((each) => (each.kind === 'known' && each.value.mark.name === machine ? [each.value] : []));
  if (there[0] !== undefined) return there[0];
  const hidden = seen.find((each) => each.kind === 'unknown');
  if (hidden === undefined) return undefined;
  throw new Problem('machine-unseen', `Whether ${machine} is there is not known: ${hidden.because}`, {
    recovery: 'wait',
    remedy: 'Look what does not answer:\n    ichor machines',
  });
}

/** The same, where it must be known. */
export async function mustBeSomewhere(
  machine: string,
  ref: MachineRef | undefined,
  tools: Tools,
  signal: AbortSignal,
): Promise<string> {
  const address = await addressOf(machine, ref, tools, signal);
  if (address !== undefined) return address;
  throw new Problem('machine-no-address', `Nobody knows where ${machine} is.`, {
    recovery: 'wait',
    remedy: `See what is there:\n    ichor machines`,
  });
}

/** `prod-cp-0 (VM 401 on pve1)`. */
export const machineWords = (machine: string, ref: MachineRef | undefined): string =>
  ref === undefined ? machine : `${machine} (VM ${ref.id} on ${ref.host})`;
