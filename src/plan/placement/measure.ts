import { byHostName, type Host, type Inventory, type Resident } from '../../model/host.ts';
import type { Machine } from '../../model/machine.ts';
import type { Resource } from '../../model/proof.ts';
import { Room, type Amounts, type Guest } from './room.ts';

/** The rules of a placement, from cluster.placement and highAvailability. */
export type PlacementRules = {
  /** No two control planes on one host: a rule, not a wish. */
  readonly apart: boolean;
  readonly overcommitCpu: number;
  readonly reserve: { readonly cpu: number; readonly memoryMiB: number; readonly diskGiB: number };
};

/** Turns hosts and machines into amounts that can be compared. */
export type Measure = {
  readonly resources: readonly Resource[];
  readonly guestOf: (machine: Machine) => Guest;
  /** The hosts, carrying everything but this platform. */
  readonly roomsWithout: (ours: ReadonlySet<Resident>) => readonly Room[];
  readonly sizeOf: (resident: Resident) => Amounts;
};

export function measureOf(machines: readonly Machine[], inventory: Inventory, rules: PlacementRules): Measure {
  const wanted = machines.flatMap(({ shape }) => shape.disks.map((disk) => disk.datastore));
  const declared = inventory.hosts.flatMap((host) => Object.keys(host.disks ?? {}));
  const datastores = [...new Set([...wanted, ...declared])]
    .filter((name) => inventory.shared[name] === undefined)
    .toSorted();

  const amounts = (cpu: number, memoryMiB: number, disks: Readonly<Record<string, number>>): Amounts => [
    cpu,
    memoryMiB,
    ...datastores.map((datastore) => disks[datastore] ?? 0),
  ];
  const capacityOf = (host: Host): Amounts => [
    Math.max(0, host.cpu * rules.overcommitCpu - rules.reserve.cpu),
    Math.max(0, host.memoryMiB - rules.reserve.memoryMiB),
    ...datastores.map((datastore) =>
      host.disks === undefined ? Infinity : Math.max(0, (host.disks[datastore] ?? 0) - rules.reserve.diskGiB),
    ),
  ];
  const sizeOf = ({ size }: Resident): Amounts =>
    amounts(size?.cpu ?? 0, size?.memoryMiB ?? 0, perDatastore(size?.disks ?? []));
  const hosts = inventory.hosts.toSorted(byHostName);

  return {
    resources: ['cpu', 'memory', ...datastores.map((datastore): Resource => `disk:${datastore}`)],
    sizeOf,
    guestOf: (machine) => {
      const needs = amounts(machine.shape.cpu, machine.shape.memoryMiB, perDatastore(machine.shape.disks));
      const hostsAllowed = machine.allowedHosts?.toSorted().join() ?? '';
      return { machine, needs, kind: `${machine.role} ${machine.pool ?? ''} ${needs.join()} ${hostsAllowed}` };
    },
    roomsWithout: (ours) =>
      hosts.map((host) => {
        const others = host.residents.filter((resident) => !ours.has(resident)).map(sizeOf);
        const own = amounts(host.used.cpu, host.used.memoryMiB, host.used.disks);
        return new Room(
          host.name,
          capacityOf(host),
          own.map((used, index) => used + sum(others, index)),
          host.cpu,
        );
      }),
  };
}

const sum = (all: readonly Amounts[], index: number): number =>
  all.reduce((total, one) => total + (one[index] ?? 0), 0);

function perDatastore(
  disks: readonly { readonly datastore: string; readonly sizeGiB: number }[],
): Readonly<Record<string, number>> {
  const total: Record<string, number> = {};
  for (const { datastore, sizeGiB } of disks) total[datastore] = (total[datastore] ?? 0) + sizeGiB;
  return total;
}

/** What is taken of datastores beyond what is taken now: by machines that are new, and by those that become larger. */
export function addedPerDatastore({
  machines,
  existing,
}: {
  readonly machines: readonly Machine[];
  readonly existing: ReadonlyMap<string, { readonly resident: Resident }>;
}): Readonly<Record<string, number>> {
  const added: Record<string, number> = {};
  for (const { name, shape } of machines) {
    const resident = existing.get(name)?.resident;
    // Where only its place is known, it has the size that the file gives it.
    if (resident !== undefined && resident.size === undefined) continue;
    const before = perDatastore(resident?.size?.disks ?? []);
    for (const [datastore, sizeGiB] of Object.entries(perDatastore(shape.disks)))
      added[datastore] = (added[datastore] ?? 0) + Math.max(0, sizeGiB - (before[datastore] ?? 0));
  }
  return added;
}
