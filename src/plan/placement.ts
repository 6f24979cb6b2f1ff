import { groupBy } from '../model/group.ts';
import type { Inventory, Resident } from '../model/host.ts';
import type { Machine } from '../model/machine.ts';
import type { Resource } from '../model/proof.ts';
import { balance, level, renumber, spreadOut } from './placement/balance.ts';
import { seatControlPlanes } from './placement/control-planes.ts';
import { interleave, slotsFor } from './placement/interleave.ts';
import { measureOf, type PlacementRules } from './placement/measure.ts';
import { isControlPlane, type Guest, type Room } from './placement/room.ts';
import { search, type Searched } from './placement/search.ts';
import { unseat, type Seating } from './placement/seating.ts';

export type Request = {
  readonly machines: readonly Machine[];
  readonly inventory: Inventory;
  readonly rules: PlacementRules;
  /** Machines of this platform that are there already, by name. */
  readonly existing: ReadonlyMap<string, Existing>;
  /** Machines of this platform that the file no longer asks for. */
  readonly leaving: readonly Resident[];
};

export type Existing = { readonly host: string; readonly resident: Resident };

type Assignment = { readonly host: string; readonly because: string };

export type Placement = {
  readonly assigned: ReadonlyMap<string, Assignment>;
  readonly unplaced: readonly Guest[];
  /** The hosts with everything that was placed. */
  readonly rooms: readonly Room[];
  readonly resources: readonly Resource[];
  /** False when the search for a way was cut short. */
  readonly certain: boolean;
};

/** Where every machine goes: what exists stays, then what is pinned, then control planes, then workers. */
export function place(request: Request): Placement {
  const { machines, inventory, rules, existing, leaving } = request;
  const measure = measureOf(machines, inventory, rules);
  const guests = machines.map(measure.guestOf);
  const settled = new Map(guests.flatMap((guest) => pair(guest, whereFixed(guest.machine, request))));
  const free = guests.filter((guest) => !settled.has(guest));
  const ours = new Set([...[...existing.values()].map(({ resident }) => resident), ...leaving]);

  const begin = (): Try => {
    const rooms = measure.roomsWithout(ours);
    for (const [guest, { host }] of settled) rooms.find(({ name }) => name === host)?.add(guest);
    return { rooms, seating: new Map() };
  };
  const { seating, rooms, outcome } = seatOrSearch(begin, free, rules.apart);

  const assigned = new Map<string, Assignment>();
  for (const guest of guests) {
    const seat = seating.get(guest);
    const where = settled.get(guest) ?? (seat && { host: seat.room.name, because: seat.because });
    if (where !== undefined) assigned.set(guest.machine.name, where);
  }
  const unplaced = guests.filter((guest) => !assigned.has(guest.machine.name));
  return { assigned, unplaced, rooms, resources: measure.resources, certain: outcome !== 'unknown' };
}

const pair = <K, V>(key: K, value: V | undefined): readonly (readonly [K, V])[] =>
  value === undefined ? [] : [[key, value]];

function whereFixed({ name, fixed }: Machine, { existing, inventory }: Request): Assignment | undefined {
  const there = existing.get(name);
  if (there !== undefined) return { host: there.host, because: 'it is there already, and stays' };
  const known = inventory.hosts.some((host) => host.name === fixed.host);
  return fixed.host !== undefined && known ? { host: fixed.host, because: 'pinned by the file' } : undefined;
}

type Try = { readonly seating: Seating; readonly rooms: readonly Room[] };

/** The quick way nearly always works; where it does not, every way is tried before anybody is told that it cannot fit. */
function seatOrSearch(begin: () => Try, free: readonly Guest[], apart: boolean): Try & { readonly outcome: Searched } {
  const quick = begin();
  if (seatAll(quick, free, apart)) return { ...quick, outcome: 'found' };
  const thorough = begin();
  const outcome = cannotFit(free, thorough.rooms, apart)
    ? 'impossible'
    : search(thorough.seating, free, thorough.rooms, apart);
  if (outcome !== 'found') return { ...quick, outcome };
  evenOut(thorough, free);
  return { ...thorough, outcome };
}

/** Control planes first, then workers: one size is spread over slots, several sizes are balanced. */
function seatAll(attempt: Try, free: readonly Guest[], apart: boolean): boolean {
  const workers = free.filter((guest) => !isControlPlane(guest));
  const controlPlanesFit = seatControlPlanes(attempt.seating, free.filter(isControlPlane), attempt.rooms, apart);
  return seatWorkers(attempt, workers) && controlPlanesFit;
}

function seatWorkers(attempt: Try, workers: readonly Guest[]): boolean {
  const { seating, rooms } = attempt;
  if (ofOneSize(workers))
    return pools(workers)
      .map((pool) => interleave(seating, pool, rooms))
      .every(Boolean);
  if (!balance(seating, workers, rooms)) return false;
  evenOut(attempt, workers);
  return true;
}

const ofOneSize = (workers: readonly Guest[]): boolean =>
  new Set(workers.map(({ needs, machine }) => `${needs.join()} ${machine.allowedHosts?.join() ?? ''}`)).size <= 1;

/** Makes the best of a seating that works. Control planes keep their seats. */
function evenOut({ seating, rooms }: Try, guests: readonly Guest[]): void {
  const workers = guests.filter((guest) => !isControlPlane(guest));
  const movable: Seating = new Map([...seating].filter(([guest]) => !isControlPlane(guest)));
  if (ofOneSize(workers)) {
    for (const guest of workers) unseat(movable, guest);
    for (const pool of pools(workers)) interleave(movable, pool, rooms);
  } else {
    level(movable, rooms);
    spreadOut(movable, workers, rooms);
    renumber(movable, workers);
  }
  for (const [guest, where] of movable) seating.set(guest, where);
}

/** Pools in the order of their names, each with its machines by number. */
function pools(workers: readonly Guest[]): readonly (readonly Guest[])[] {
  const byPool = groupBy(workers, ({ machine }) => machine.pool ?? '');
  return [...byPool].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, guests]) => guests);
}

/** Quick certainty: more is wanted than there is, or some machines are too large for the room that is left. */
function cannotFit(free: readonly Guest[], rooms: readonly Room[], apart: boolean): boolean {
  const controlPlanes = free.filter(isControlPlane).length;
  if (apart && controlPlanes > rooms.filter((room) => room.count(isControlPlane) === 0).length) return true;
  const lacking = (free[0]?.needs ?? []).some((_, index) => {
    const wanted = free.reduce((total, { needs }) => total + (needs[index] ?? 0), 0);
    const left = rooms.reduce(
      (total, { capacity, used }) => total + Math.max(0, (capacity[index] ?? 0) - (used[index] ?? 0)),
      0,
    );
    return wanted > left;
  });
  if (lacking) return true;
  return [...groupBy(free, ({ kind }) => kind).values()].some(([first, ...rest]) => {
    const wanted = rest.length + 1;
    return first !== undefined && slotsFor(first, rooms, wanted).length < wanted;
  });
}
