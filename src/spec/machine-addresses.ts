import { formatAddress, parseRange } from '../model/ip.ts';
import { byName, seatsOf, type PlatformDraft } from './expand.ts';
import { machineNamed } from './names.ts';
import type { Path } from './tree.ts';

export type MachineAddress = { readonly name: string; readonly address: string | undefined; readonly path: Path };

/** The address that the file gives each machine, and where it says so: its own, else the next one of its group. */
export function addressesOf(platform: PlatformDraft): readonly MachineAddress[] {
  const { spec, name: platformName } = platform;
  const seats = seatsOf(platform);
  const machines = byName(seats);
  const own = new Map<string, { address: string; path: Path }>();
  const note = (written: string, address: string | undefined, path: Path): void => {
    const machine = machineNamed(written, platformName, machines);
    if (machine !== undefined && address !== undefined) own.set(machine.name, { address, path });
  };
  for (const [written, machine] of Object.entries(spec.machines?.existing?.machines ?? {}))
    note(written, machine?.address, ['spec', 'machines', 'existing', 'machines', written, 'address']);
  for (const [written, node] of Object.entries(spec.cluster?.nodes ?? {}))
    note(written, node?.address, ['spec', 'cluster', 'nodes', written, 'address']);

  return seats.map(({ name, role, pool, index }): MachineAddress => {
    const fixed = own.get(name);
    if (fixed) return { name, ...fixed };
    const group = role === 'worker' ? spec.cluster?.workers?.[pool ?? ''] : spec.cluster?.controlPlane;
    const path = ['spec', 'cluster', ...(role === 'worker' ? ['workers', pool ?? ''] : ['controlPlane']), 'addresses'];
    const range = group?.addresses === undefined ? undefined : parseRange(group.addresses);
    const value = range && range.first + BigInt(index);
    return {
      name,
      path,
      address:
        range && value !== undefined && value <= range.last
          ? formatAddress({ family: range.family, value })
          : undefined,
    };
  });
}
