import { canonical, formatAddress, parseRange } from '../model/ip.ts';
import { isGiven } from './check.ts';
import { byName, seatsOf, type PlatformDraft } from './expand.ts';
import { machineNamed } from './names.ts';
import type { Path } from './tree.ts';

export type MachineAddress = {
  readonly name: string;
  readonly address: string | undefined;
  /** The file gives one, which is broken. */
  readonly broken: boolean;
  readonly path: Path;
};

/** The address that the file gives each machine, and where it says so: its own, else the next one of its group. */
export function addressesOf(platform: PlatformDraft): readonly MachineAddress[] {
  const { spec, name: platformName } = platform;
  const seats = seatsOf(platform);
  const machines = byName(seats);
  const own = new Map<string, Given & { readonly path: Path }>();
  const note = (written: string, mapping: { readonly address?: string | undefined } | undefined, path: Path): void => {
    const machine = machineNamed(written, platformName, machines);
    if (machine === undefined || !isGiven(mapping, 'address')) return;
    const address = mapping?.address === undefined ? undefined : canonical(mapping.address);
    own.set(machine.name, { address, broken: address === undefined, path });
  };
  for (const [written, machine] of Object.entries(spec.machines?.existing?.machines ?? {}))
    note(written, machine, ['spec', 'machines', 'existing', 'machines', written, 'address']);
  for (const [written, node] of Object.entries(spec.cluster?.nodes ?? {}))
    note(written, node, ['spec', 'cluster', 'nodes', written, 'address']);

  const ofControlPlanes = giver(spec.cluster?.controlPlane);
  const ofPools = new Map(Object.entries(spec.cluster?.workers ?? {}).map(([pool, group]) => [pool, giver(group)]));
  return seats.map(({ name, role, pool, index }): MachineAddress => {
    const fixed = own.get(name);
    if (fixed) return { name, ...fixed };
    const group = role === 'worker' ? ['workers', pool ?? ''] : ['controlPlane'];
    const give = role === 'worker' ? ofPools.get(pool ?? '') : ofControlPlanes;
    return { name, path: ['spec', 'cluster', ...group, 'addresses'], ...(give?.(index) ?? none) };
  });
}

type Given = { readonly address: string | undefined; readonly broken: boolean };
const none: Given = { address: undefined, broken: false };

/** Machine 0 gets the first address of the group, machine 1 the next. */
function giver(group: { readonly addresses?: string | undefined } | undefined): (index: number) => Given {
  const range = group?.addresses === undefined ? undefined : parseRange(group.addresses);
  if (range === undefined) return () => ({ ...none, broken: isGiven(group, 'addresses') });
  return (index) => {
    const value = range.first + BigInt(index);
    return value > range.last ? none : { address: formatAddress({ family: range.family, value }), broken: false };
  };
}
