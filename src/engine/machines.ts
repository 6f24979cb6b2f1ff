import type { Machine } from '../model/machine.ts';
import { Problem } from '../model/problem.ts';
import type { Identity } from '../model/proof.ts';
import { known, unknown, type Seen } from '../model/seen.ts';
import { platformIdentities } from '../plan/proof.ts';
import type { MachineReader, ObservedMachine, Survey } from '../providers/provider.ts';
import type { Platform } from '../spec/platform.ts';

/** A machine of the file, or one that is there and that the file no longer has. */
type LiveMachine = {
  readonly name: string;
  readonly machine: Machine | undefined;
  readonly identity: Identity;
  /** Undefined: it is not there. */
  readonly there: Seen<ObservedMachine> | undefined;
  /** The one that it has now; undefined: none, or nobody tells. */
  readonly address: string | undefined;
};

export type LiveMachines = {
  readonly platform: string;
  readonly machines: readonly LiveMachine[];
  readonly survey: Survey;
  /** Why what is not listed may be there all the same: hosts that did not answer, machines that could not be read. */
  readonly doubts: readonly string[];
};

/** Who is every machine, which of them are there, and what are they doing? */
export async function liveMachines(
  platform: Platform,
  reader: MachineReader,
  signal: AbortSignal,
): Promise<LiveMachines> {
  const survey = await reader.survey(signal);
  const seen = survey.machines;
  const ours = seen.flatMap((each) =>
    each.kind === 'known' && each.value.mark.platform === platform.name ? each.value : [],
  );
  const found = new Map(ours.map((each) => [each.mark.name, each]));
  const doubts = [
    ...survey.silent.map(({ host, because }) => `${host} did not answer (${because}): what it carries is not known.`),
    ...seen.flatMap((each) => (each.kind === 'unknown' ? [each.because] : [])),
  ];
  // Who was not found may be where nobody could look.
  const missing = doubts[0] === undefined ? undefined : unknown(doubts[0]);
  const wanted = platformIdentities(platform, survey.inventory);
  const untold = new Set<string>();
  const asked = wanted.map(async ([machine, identity]): Promise<LiveMachine> => {
    const there = found.get(machine.name);
    return {
      name: machine.name,
      machine,
      identity,
      there: there === undefined ? missing : known(there),
      address: there && (await addressOf(there, identity, platform, reader, untold, signal)),
    };
  });
  const names = new Set(wanted.map(([{ name }]) => name));
  const left = [...found.values()].filter(({ mark }) => !names.has(mark.name));
  const machines = [...(await Promise.all(asked)), ...left.map(leftBehind)];
  return { platform: platform.name, survey, machines, doubts: [...doubts, ...untold] };
}

const leftBehind = (machine: ObservedMachine): LiveMachine => ({
  name: machine.mark.name,
  machine: undefined,
  identity: {
    vmid: /^\d+$/.test(machine.id) ? Number(machine.id) : null,
    mac: machine.macs[0] ?? '',
    uuid: machine.mark.uuid,
    address: machine.staticAddress ?? null,
  },
  there: known(machine),
  address: undefined,
});

/** A machine that is off has none, and one that does not tell is no failure here; why it may not be asked is worth a word. */
async function addressOf(
  machine: ObservedMachine,
  identity: Identity,
  platform: Platform,
  reader: MachineReader,
  untold: Set<string>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (machine.power.kind !== 'known' || machine.power.value === 'off') return undefined;
  if (machine.staticAddress !== undefined) return machine.staticAddress;
  try {
    return await reader.address(machine, addressRule(platform, identity), signal);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.recovery === 'ask') untold.add([error.message, error.remedy].join('\n'));
    return undefined;
  }
}

/** How the address of a machine is told from those of its pods, its services and the VIP. */
const addressRule = ({ cluster }: Platform, { mac }: Pick<Identity, 'mac'>) => ({
  mac,
  network: cluster.network.nodes,
  not: [
    ...(cluster.endpoint.vip === undefined ? [] : [cluster.endpoint.vip]),
    cluster.network.pods,
    cluster.network.services,
  ],
});
