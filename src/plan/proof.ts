import { naturally, type Inventory } from '../model/host.ts';
import type { Machine } from '../model/machine.ts';
import type { Gauge, HostProof, Identity, PlacedMachine, Proof, Resource, Shortage } from '../model/proof.ts';
import type { Platform } from '../spec/platform.ts';
import type { Substrate } from '../spec/substrate.ts';
import { identify, type VmidRules } from './identity.ts';
import { platformInventory, recognise, substrateInventory, type Ours } from './inventory.ts';
import { lossesOf } from './losses.ts';
import { nearestFits } from './nearest-fit.ts';
import { place, type Placement, type Request } from './placement.ts';
import { addedPerDatastore, measureOf, type PlacementRules } from './placement/measure.ts';
import { shortages } from './shortage.ts';

/** Proves that a platform fits on its hosts, or says what is missing. Nothing is touched. */
export function provePlatform(
  platform: Platform,
  measured: Inventory | undefined,
  substrates: readonly Substrate[] = [],
): Proof {
  const { provider, cluster } = platform;
  const inventory = platformInventory(platform, measured, substrates);
  const { overcommit, reserve } = cluster.placement;
  const rules: PlacementRules = {
    apart: cluster.highAvailability,
    overcommitCpu: overcommit.cpu,
    reserve: { cpu: reserve.cpu, memoryMiB: reserve.memory, diskGiB: reserve.disk },
  };
  return prove({
    kind: 'Platform',
    name: platform.name,
    machines: platform.machines,
    inventory,
    rules,
    vmids: vmidRules(platform),
    macPrefix: macPrefixOf(platform),
    existsAlready: provider.kind === 'existing',
  });
}

export function proveSubstrate(substrate: Substrate, measured: Inventory | undefined): Proof {
  const inventory = substrateInventory(substrate, measured);
  const controllers = substrate.machines.filter(({ role }) => role === 'control-plane').length;
  const rules: PlacementRules = {
    apart: controllers >= 3 && inventory.hosts.length >= controllers,
    overcommitCpu: 1,
    reserve: { cpu: 0, memoryMiB: 0, diskGiB: 0 },
  };
  return prove({
    kind: 'Substrate',
    name: substrate.name,
    machines: substrate.machines,
    inventory,
    rules,
    vmids: undefined,
    macPrefix: '52:54:00',
    existsAlready: false,
  });
}

/** Who every machine is, whether or not anybody knows what the hosts can carry. */
export function platformIdentities(
  platform: Platform,
  measured: Inventory | undefined,
): readonly (readonly [Machine, Identity])[] {
  const { existing, others, leaving } = recognise(
    platform.name,
    platform.machines,
    measured ?? { hosts: [], shared: {} },
  );
  const identities = identify({
    platform: platform.name,
    machines: platform.machines,
    existing: new Map([...existing].map(([machine, { resident }]) => [machine, resident])),
    others: [...others, ...leaving],
    vmids: vmidRules(platform),
    macPrefix: macPrefixOf(platform),
  });
  return platform.machines.map((machine) => [machine, identityOf(identities, machine)]);
}

const macPrefixOf = ({ provider }: Platform): string =>
  provider.kind === 'proxmox' || provider.kind === 'libvirt' ? provider.macPrefix : '02';

function vmidRules({ provider, cluster }: Platform): VmidRules | undefined {
  if (provider.kind !== 'proxmox') return undefined;
  const pools = Object.entries(cluster.workers).flatMap(([pool, { vmids }]) => (vmids ? [[pool, vmids] as const] : []));
  const controlPlane = cluster.controlPlane.vmids;
  return { ...provider.vmids, groups: new Map([...(controlPlane ? [[null, controlPlane] as const] : []), ...pools]) };
}

type Case = {
  readonly kind: Proof['kind'];
  readonly name: string;
  readonly machines: readonly Machine[];
  readonly inventory: Inventory;
  readonly rules: PlacementRules;
  readonly vmids: VmidRules | undefined;
  readonly macPrefix: string;
  readonly existsAlready: boolean;
};

function prove({ kind, name, machines, inventory, rules, vmids, macPrefix, existsAlready }: Case): Proof {
  const ours = recognise(name, machines, inventory);
  const residents = new Map([...ours.existing].map(([machine, { resident }]) => [machine, resident]));
  const identities = identify({
    platform: name,
    machines,
    existing: residents,
    others: [...ours.others, ...ours.leaving],
    vmids,
    macPrefix,
  });
  if (existsAlready) return machinesThatExist(kind, name, machines, identities);

  const request: Request = { machines, inventory, rules, existing: ours.existing, leaving: ours.leaving };
  const placement = place(request);
  const shared = sharedGauges(request);
  const short = [...shortages(placement, rules), ...sharedShortages(shared), ...overfull(placement)];
  const fits = short.length === 0;
  return {
    platform: name,
    kind,
    fits,
    certain: placement.certain,
    inventory,
    machines: machines.map((machine): PlacedMachine => {
      const where = placement.assigned.get(machine.name);
      return {
        machine,
        identity: identityOf(identities, machine),
        host: where?.host ?? null,
        because: where?.because ?? 'there is no room for it',
        exists: ours.existing.has(machine.name),
      };
    }),
    hosts: hostProofs(request, placement),
    shared,
    losses: lossesOf(request, placement),
    short,
    nearest: fits ? [] : nearestFits(request, placement),
    remarks: remarksOn(machines, inventory, ours),
  };
}

const identityOf = (identities: ReadonlyMap<string, Identity>, { name }: Machine): Identity => {
  const identity = identities.get(name);
  if (identity === undefined) throw new Error(`${name} has no identity.`);
  return identity;
};

/** Machines that somebody made are where they are; each fails alone. */
function machinesThatExist(
  kind: Proof['kind'],
  platform: string,
  machines: readonly Machine[],
  identities: ReadonlyMap<string, Identity>,
): Proof {
  const members = machines.filter(({ role }) => role === 'control-plane').length;
  const needed = Math.floor(members / 2) + 1;
  return {
    platform,
    kind,
    fits: true,
    certain: true,
    inventory: { hosts: [], shared: {} },
    machines: machines.map((machine) => ({
      machine,
      identity: identityOf(identities, machine),
      host: null,
      because: 'it is there already',
      exists: true,
    })),
    hosts: [],
    shared: [],
    losses: machines.map(({ name, role }) => {
      const membersLeft = role === 'control-plane' ? members - 1 : members;
      return {
        host: name,
        controlPlanes: role === 'control-plane' ? [name] : [],
        membersLeft,
        membersNeeded: needed,
        quorum: membersLeft >= needed ? 'kept' : 'lost',
        workers: role === 'worker' ? [name] : [],
        fit: role !== 'worker',
        short: [],
      };
    }),
    short: [],
    nearest: [],
    remarks: [],
  };
}

function hostProofs(request: Request, { rooms, resources }: Placement): readonly HostProof[] {
  const { sizeOf } = measureOf(request.machines, request.inventory, request.rules);
  return rooms.map((room): HostProof => {
    const host = request.inventory.hosts.find(({ name }) => name === room.name);
    const gauges = resources.map((resource, index): Gauge => {
      const now = (host?.residents ?? []).reduce((total, resident) => total + (sizeOf(resident)[index] ?? 0), 0);
      return {
        resource,
        capacity: room.capacity[index] ?? 0,
        before: now + usedByOthers(host?.used, resource),
        after: room.used[index] ?? 0,
      };
    });
    return {
      name: room.name,
      gauges,
      machines: room.guests.map(({ machine }) => machine.name).toSorted(naturally),
      tightest: tightestOf(gauges),
    };
  });
}

function usedByOthers(used: Inventory['hosts'][number]['used'] | undefined, resource: Resource): number {
  if (resource === 'cpu') return used?.cpu ?? 0;
  return resource === 'memory' ? (used?.memoryMiB ?? 0) : (used?.disks[resource.slice('disk:'.length)] ?? 0);
}

const share = ({ after, capacity }: Gauge): number => (after === 0 ? 0 : after / capacity);

const tightestOf = (gauges: readonly Gauge[]): Gauge =>
  gauges.reduce((one, other) => (share(other) > share(one) ? other : one));

function sharedGauges(request: Request): readonly Gauge[] {
  const { inventory, rules } = request;
  const wanted = addedPerDatastore(request);
  return Object.entries(inventory.shared).map(([datastore, sizeGiB]): Gauge => {
    return {
      resource: `disk:${datastore}`,
      capacity: Math.max(0, sizeGiB - rules.reserve.diskGiB),
      before: 0,
      after: wanted[datastore] ?? 0,
    };
  });
}

const sharedShortages = (shared: readonly Gauge[]): readonly Shortage[] =>
  shared
    .filter(({ after, capacity }) => after > capacity)
    .map(({ resource, after, capacity }) => ({
      group: 'all',
      machines: 0,
      host: null,
      resource,
      missing: after - capacity,
    }));

/** Hosts that carry more than they have, because what exists or is pinned there is too much already. */
function overfull({ rooms, resources, unplaced }: Placement): readonly Shortage[] {
  if (unplaced.length > 0) return [];
  return rooms
    .filter((room) => room.guests.length > 0)
    .flatMap((room) =>
      resources.flatMap((resource, index): readonly Shortage[] => {
        const missing = (room.used[index] ?? 0) - (room.capacity[index] ?? 0);
        return missing > 0 ? [{ group: 'all', machines: room.guests.length, host: room.name, resource, missing }] : [];
      }),
    );
}

function remarksOn(
  machines: readonly Machine[],
  { hosts }: Inventory,
  { existing, leaving, others }: Ours,
): readonly string[] {
  const remarks: string[] = [];
  for (const { name, fixed } of machines) {
    const there = existing.get(name);
    if (there === undefined) continue;
    if (fixed.host !== undefined && fixed.host !== there.host)
      remarks.push(`${name} is pinned to ${fixed.host} and runs on ${there.host}: it stays until you move it.`);
    if (fixed.vmid !== undefined && there.resident.vmid !== undefined && fixed.vmid !== there.resident.vmid)
      remarks.push(`${name} should have VMID ${fixed.vmid} and has ${there.resident.vmid}: it keeps it.`);
  }
  for (const { name } of leaving)
    remarks.push(`${name ?? 'a machine'} is no longer in the file: its room is counted as free.`);
  for (const { name, vmid, size } of others)
    if (size === undefined) remarks.push(`The size of ${name ?? `VM ${vmid}`} is not known: it counts as nothing.`);
  for (const host of hosts)
    if (host.disks === undefined) remarks.push(`Disk is not proved on ${host.name}: its datastores are not declared.`);
  return remarks;
}
