import type { Host, Inventory } from '../model/host.ts';
import type { Machine } from '../model/machine.ts';
import type { Nearest } from '../model/proof.ts';
import { formatGiB, formatMiB, gib, mib } from '../model/size.ts';
import { place, type Placement, type Request } from './placement.ts';
import { addedPerDatastore } from './placement/measure.ts';
import { groupName } from './shortage.ts';

/** Requests near this one that would fit: each was placed to make sure. */
export function nearestFits(request: Request, placement: Placement): readonly Nearest[] {
  const groups = [...new Set(placement.unplaced.map(groupName))];
  const [only] = groups;
  const perGroup =
    groups.length === 1 && only !== undefined
      ? [
          fewer(request, only),
          smaller(request, only, 'memory'),
          smaller(request, only, 'cpu'),
          smaller(request, only, 'disk'),
        ]
      : [];
  return [...perGroup, moreOvercommit(request), anotherHost(request)].filter((found) => found !== undefined);
}

function fits(request: Request): boolean {
  const { unplaced, rooms } = place(request);
  const over = rooms.some(({ used, capacity }) => used.some((amount, index) => amount > (capacity[index] ?? 0)));
  const wanted = addedPerDatastore(request);
  const sharedFit = Object.entries(request.inventory.shared).every(
    ([datastore, size]) => (wanted[datastore] ?? 0) <= size - request.rules.reserve.diskGiB,
  );
  return unplaced.length === 0 && !over && sharedFit;
}

/** The largest value below `from` for which it fits; values that fit are assumed to lie together at the bottom. */
function largest(from: number, least: number, step: number, fitsWith: (value: number) => boolean): number | undefined {
  let low = 0;
  let high = Math.floor((from - least) / step);
  if (high < 1 || !fitsWith(from - high * step)) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fitsWith(from - middle * step)) high = middle;
    else low = middle;
  }
  return from - high * step;
}

const members = (request: Request, group: string): readonly Machine[] =>
  request.machines.filter(
    (machine) => (machine.role === 'control-plane' ? 'controlPlane' : `workers.${machine.pool}`) === group,
  );

function fewer(request: Request, group: string): Nearest | undefined {
  const all = members(request, group);
  const isControlPlane = group === 'controlPlane';
  const without = (count: number): Request => {
    const gone = new Set(all.toSorted((one, other) => one.index - other.index).slice(count));
    return { ...request, machines: request.machines.filter((machine) => !gone.has(machine)) };
  };
  const found = largest(all.length, isControlPlane ? 1 : 0, isControlPlane ? 2 : 1, (count) => fits(without(count)));
  return found === undefined
    ? undefined
    : { change: `cluster.${group}.replicas`, from: String(all.length), to: String(found) };
}

type Dimension = {
  readonly of: (machine: Machine) => number;
  readonly set: (machine: Machine, value: number) => Machine;
  readonly least: number;
  readonly step: number;
  readonly write: (value: number) => string;
};

const dimensions: Readonly<Record<'memory' | 'cpu' | 'disk', Dimension>> = {
  memory: {
    of: ({ shape }) => shape.memoryMiB,
    set: (machine, value) => ({ ...machine, shape: { ...machine.shape, memoryMiB: mib(value) } }),
    least: 1024,
    step: 1024,
    write: formatMiB,
  },
  cpu: {
    of: ({ shape }) => shape.cpu,
    set: (machine, cpu) => ({ ...machine, shape: { ...machine.shape, cpu } }),
    least: 1,
    step: 1,
    write: String,
  },
  disk: {
    of: ({ shape }) => shape.disks[0]?.sizeGiB ?? 0,
    set: (machine, value) => ({
      ...machine,
      shape: {
        ...machine.shape,
        disks: machine.shape.disks.map((disk, index) => (index === 0 ? { ...disk, sizeGiB: gib(value) } : disk)),
      },
    }),
    least: 10,
    step: 10,
    write: formatGiB,
  },
};

/** Only where all of the group have one size: then there is one number to change. */
function smaller(request: Request, group: string, name: keyof typeof dimensions): Nearest | undefined {
  const { of, set, least, step, write } = dimensions[name];
  const all = new Set(members(request, group));
  const [size, ...others] = new Set([...all].map(of));
  if (size === undefined || others.length > 0) return undefined;
  const leastHere = group === 'controlPlane' ? least * 2 : least;
  const found = largest(size, leastHere, step, (value) =>
    fits({
      ...request,
      machines: request.machines.map((machine) => (all.has(machine) ? set(machine, value) : machine)),
    }),
  );
  return found === undefined ? undefined : { change: `cluster.${group}.${name}`, from: write(size), to: write(found) };
}

function moreOvercommit(request: Request): Nearest | undefined {
  const now = request.rules.overcommitCpu;
  for (let cpu = Math.floor(now * 2) / 2 + 0.5; cpu <= 8; cpu += 0.5) {
    if (fits({ ...request, rules: { ...request.rules, overcommitCpu: cpu } }))
      return { change: 'cluster.placement.overcommit.cpu', from: String(now), to: String(cpu) };
  }
  return undefined;
}

function anotherHost(request: Request): Nearest | undefined {
  const largestHost = request.inventory.hosts.reduce<Host | undefined>(
    (one, other) => (one === undefined || other.memoryMiB > one.memoryMiB ? other : one),
    undefined,
  );
  if (largestHost === undefined) return undefined;
  const empty = (index: number): Host => ({
    ...largestHost,
    name: `another-${index}`,
    used: { cpu: 0, memoryMiB: mib(0), disks: {} },
    residents: [],
  });
  for (let count = 1; count <= 4; count++) {
    const inventory: Inventory = {
      ...request.inventory,
      hosts: [...request.inventory.hosts, ...Array.from({ length: count }, (_, index) => empty(index))],
    };
    if (fits({ ...request, inventory })) {
      const hosts = request.inventory.hosts.length;
      return { change: `hosts like ${largestHost.name}`, from: String(hosts), to: String(hosts + count) };
    }
  }
  return undefined;
}
