import { groupBy } from '../../model/group.ts';
import { naturally } from '../../model/host.ts';
import { sameGroup, type Guest, type Room } from './room.ts';
import { seat, unseat, type Seating } from './seating.ts';

const because = 'lowest load with pools of different sizes';

/** How much of an average host a guest takes, by its largest need. */
function weight(guest: Guest, rooms: readonly Room[]): number {
  const shares = guest.needs.map((need, index) => {
    const capacity = rooms.reduce((total, room) => total + (room.capacity[index] ?? 0), 0) / rooms.length;
    return need === 0 || capacity === Infinity ? 0 : need / capacity;
  });
  return Math.max(...shares);
}

/** Largest first, each to where the fullest resource stays lowest. False when some find no room. */
export function balance(seating: Seating, guests: readonly Guest[], rooms: readonly Room[]): boolean {
  const weights = new Map(guests.map((guest) => [guest.kind, weight(guest, rooms)]));
  const weightOf = (guest: Guest): number => weights.get(guest.kind) ?? 0;
  const inOrder = guests.toSorted(
    (one, other) => weightOf(other) - weightOf(one) || naturally(one.machine.name, other.machine.name),
  );
  let all = true;
  for (const guest of inOrder) {
    let best: { room: Room; load: number; mates: number } | undefined;
    for (const room of rooms) {
      if (!room.admits(guest) || !room.fits(guest)) continue;
      const load = room.load(guest.needs);
      if (best !== undefined && load > best.load) continue;
      const mates = room.count(sameGroup(guest));
      if (best === undefined || load < best.load || mates < best.mates) best = { room, load, mates };
    }
    if (best === undefined) all = false;
    else seat(seating, guest, best.room, because);
  }
  return all;
}

/** Moves and exchanges, while they bring the fullest host down. */
export function level(seating: Seating, rooms: readonly Room[], rounds = 2000): void {
  for (let round = 0; round < rounds; round++) {
    const fullest = rooms.reduce((one, other) => (other.load() > one.load() ? other : one));
    const better = bestStep(seating, fullest, rooms);
    if (better === undefined) return;
    carryOut(seating, better);
  }
}

type Step = { readonly guest: Guest; readonly to: Room; readonly inReturn: Guest | undefined; readonly load: number };

const difference = (added: Guest, taken: Guest | undefined): readonly number[] =>
  added.needs.map((need, index) => need - (taken?.needs[index] ?? 0));

function bestStep(seating: Seating, from: Room, rooms: readonly Room[]): Step | undefined {
  let best: Step | undefined;
  const before = from.load();
  for (const guest of oneOfEachKind(from, seating)) {
    for (const to of rooms) {
      if (to === from || !to.admits(guest)) continue;
      for (const inReturn of [undefined, ...oneOfEachKind(to, seating)]) {
        if (inReturn !== undefined && (inReturn.kind === guest.kind || !from.admits(inReturn))) continue;
        if (!fitsInstead(to, guest, inReturn) || (inReturn && !fitsInstead(from, inReturn, guest))) continue;
        const leaves = inReturn ? difference(inReturn, guest) : guest.needs.map((need) => -need);
        const load = Math.max(to.load(difference(guest, inReturn)), from.load(leaves));
        if (load < before - 1e-9 && (best === undefined || load < best.load - 1e-9))
          best = { guest, to, inReturn, load };
      }
    }
  }
  return best;
}

/** Guests of one kind are the same to everybody: trying one is enough. Those that were seated before us stay. */
function oneOfEachKind(room: Room, seating: Seating): readonly Guest[] {
  const kinds = new Map<string, Guest>();
  for (const guest of room.guests) if (seating.has(guest) && !kinds.has(guest.kind)) kinds.set(guest.kind, guest);
  return [...kinds.values()];
}

function fitsInstead(room: Room, guest: Guest, leaving: Guest | undefined): boolean {
  if (guest.machine.shape.cpu > room.processors) return false;
  return guest.needs.every(
    (need, index) =>
      need === 0 || (room.used[index] ?? 0) - (leaving?.needs[index] ?? 0) + need <= (room.capacity[index] ?? 0),
  );
}

function carryOut(seating: Seating, { guest, to, inReturn }: Pick<Step, 'guest' | 'to' | 'inReturn'>): void {
  const from = seating.get(guest)?.room;
  unseat(seating, guest);
  if (inReturn && from) {
    unseat(seating, inReturn);
    seat(seating, inReturn, from, because);
  }
  seat(seating, guest, to, because);
}

/** Spreads each pool more evenly where that costs nothing: no host gets fuller than the fullest one is. */
export function spreadOut(seating: Seating, guests: readonly Guest[], rooms: readonly Room[], rounds = 500): void {
  const limit = Math.max(...rooms.map((room) => room.load())) + 1e-9;
  const kinds = [...new Map(guests.map((guest) => [guest.kind, guest])).values()];
  for (let round = 0; round < rounds; round++) {
    if (!kinds.some((kind) => evenOut(seating, kind, rooms, limit))) return;
  }
}

function evenOut(seating: Seating, kind: Guest, rooms: readonly Room[], limit: number): boolean {
  const counted = rooms
    .filter((room) => room.admits(kind))
    .map((room) => ({ room, mates: room.count(sameGroup(kind)) }))
    .toSorted((one, other) => other.mates - one.mates || naturally(one.room.name, other.room.name));
  for (const crowded of counted) {
    const guest = crowded.room.guests.find((candidate) => candidate.kind === kind.kind && seating.has(candidate));
    if (guest === undefined) continue;
    for (const lonely of counted.toReversed()) {
      if (crowded.mates - lonely.mates < 2) break;
      for (const inReturn of [undefined, ...oneOfEachKind(lonely.room, seating)]) {
        if (inReturn && !worthExchanging(inReturn, guest, crowded.room, lonely.room)) continue;
        if (!fitsInstead(lonely.room, guest, inReturn) || (inReturn && !fitsInstead(crowded.room, inReturn, guest)))
          continue;
        const fuller = lonely.room.load(difference(guest, inReturn)) > limit;
        const back = inReturn !== undefined && crowded.room.load(difference(inReturn, guest)) > limit;
        if (fuller || back) continue;
        carryOut(seating, { guest, to: lonely.room, inReturn });
        return true;
      }
    }
  }
  return false;
}

/** The other pool must not become less even by it. */
function worthExchanging(inReturn: Guest, guest: Guest, crowded: Room, lonely: Room): boolean {
  if (sameGroup(guest)(inReturn) || !crowded.admits(inReturn)) return false;
  return crowded.count(sameGroup(inReturn)) < lonely.count(sameGroup(inReturn));
}

/** Guests of one kind are interchangeable: the lowest number gets the first slot, so that names read A0, B0, C0, A1. */
export function renumber(seating: Seating, guests: readonly Guest[]): void {
  for (const kind of groupBy(guests, (guest) => guest.kind).values()) {
    const rooms = kind.flatMap((guest) => seating.get(guest)?.room ?? []);
    const rounds = new Map<Room, number>();
    const slots = rooms
      .toSorted((one, other) => naturally(one.name, other.name))
      .map((room) => {
        const round = rounds.get(room) ?? 0;
        rounds.set(room, round + 1);
        return { room, round };
      })
      .toSorted((one, other) => one.round - other.round);
    const byNumber = kind.toSorted((one, other) => one.machine.index - other.machine.index);
    for (const guest of byNumber) unseat(seating, guest);
    for (const [index, { room }] of slots.entries()) {
      const guest = byNumber[index];
      if (guest) seat(seating, guest, room, because);
    }
  }
}
