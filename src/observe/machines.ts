import type { Role } from '../model/machine.ts';
import type { ObservedMachine } from '../model/observed.ts';
import { Problem } from '../model/problem.ts';
import { known, unknown } from '../model/seen.ts';
import type { Memory, WorldMachine } from '../model/world.ts';
import type { MachineReader, Survey } from '../providers/provider.ts';
import type { Platform } from '../spec/platform.ts';
import { doubtFinder, type Claim } from './claims.ts';
import type { Eyes, Wanted } from './eyes.ts';

/** A machine before anybody has spoken to what runs on it. */
export type Located = Omit<WorldMachine, 'talos'>;

/** Every machine of the file, and those of ours that it no longer has: where they are, and at which address. */
export async function locateMachines(
  platform: Platform,
  memory: Memory,
  survey: (Survey & { readonly claims: readonly Claim[] }) | undefined,
  eyes: Pick<Eyes, 'reader' | 'wanted' | 'found'>,
  signal: AbortSignal,
): Promise<readonly Located[]> {
  if (survey === undefined || eyes.reader === undefined) return standingMachines(platform, memory, eyes.wanted);
  const { reader } = eyes;
  const found = oursIn(platform.name, survey);
  const doubtOf = doubtFinder(platform, survey, eyes.wanted);
  const ofFile = platform.machines.map(async ({ name, role }): Promise<Located> => {
    const there = found.get(name);
    const base = { name, role, wanted: true };
    if (there !== undefined)
      return {
        ...base,
        vm: known(there),
        damage: there.damage,
        address: await addressOf(there, eyes, reader, signal),
      };
    const claim = survey.claims.find(({ machine }) => machine === name);
    const doubt = claim === undefined ? doubtOf(name) : unmarkedWords(claim);
    if (doubt === undefined) return { ...base, vm: known(null), address: undefined };
    return { ...base, vm: unknown(doubt), damage: claim?.damage, address: eyes.wanted.fixedAddress(name) };
  });
  const names = new Set(platform.machines.map(({ name }) => name));
  const left = [...found.values()]
    .filter(({ mark }) => !names.has(mark.name))
    .map(async (machine): Promise<Located> => ({
      name: machine.mark.name,
      role: roleOf(machine),
      wanted: false,
      vm: known(machine),
      damage: machine.damage,
      address: await addressOf(machine, eyes, reader, signal, platform.machines[0]?.name),
    }));
  return Promise.all([...ofFile, ...left]);
}

/** Machines that somebody else made: they are where the file says, or where they were when we configured them. */
function standingMachines(
  { machines }: Platform,
  { configured }: Memory,
  { fixedAddress }: Pick<Wanted, 'fixedAddress'>,
): readonly Located[] {
  const ofFile = machines.map(({ name, role }): Located => ({
    name,
    role,
    wanted: true,
    vm: undefined,
    address: fixedAddress(name),
  }));
  const names = new Set(machines.map(({ name }) => name));
  const left = Object.entries(configured)
    .filter(([name]) => !names.has(name))
    .map(([name, { role, address }]): Located => ({ name, role, wanted: false, vm: undefined, address }));
  return [...ofFile, ...left];
}

const oursIn = (platform: string, { machines }: Survey): ReadonlyMap<string, ObservedMachine> =>
  new Map(
    machines.flatMap((each) =>
      each.kind === 'known' && each.value.mark.platform === platform ? [[each.value.mark.name, each.value]] : [],
    ),
  );

const unmarkedWords = ({ vm, damage }: Claim): string =>
  `VM ${vm.id} on ${vm.host} has its UUID or MAC and lacks ${damage.lacking.join(' and ')} of its mark`;

/** Its tags say it; a control plane's name does too. */
export function roleOf({ mark, settings }: Pick<ObservedMachine, 'mark' | 'settings'>): Role {
  const tags = (settings['tags'] ?? '').split(';');
  if (tags.includes('control-plane')) return 'control-plane';
  if (tags.includes('worker')) return 'worker';
  return /(?:^|-)cp-\d+$/.test(mark.name) ? 'control-plane' : 'worker';
}

/** A machine that is off has none, and one that does not tell is no failure here. */
async function addressOf(
  machine: ObservedMachine,
  { wanted, found }: Pick<Eyes, 'wanted' | 'found'>,
  reader: MachineReader,
  signal: AbortSignal,
  like?: string,
): Promise<string | undefined> {
  const { power, staticAddress, mark, macs } = machine;
  if (power.kind === 'known' && power.value === 'off') return undefined;
  const told = staticAddress ?? (like === undefined ? wanted.fixedAddress(mark.name) : undefined);
  const address = told ?? found?.get(mark.name);
  if (address !== undefined || power.kind === 'unknown') return address;
  const rule = wanted.addressRule(like ?? mark.name);
  try {
    return await reader.address(machine, { ...rule, mac: macs[0] ?? rule.mac }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Problem)) throw error;
    return undefined;
  }
}
