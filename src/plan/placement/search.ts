import { isControlPlane, type Guest, type Room } from './room.ts';
import { seat, unseat, type Seating } from './seating.ts';

export type Searched = 'found' | 'impossible' | 'unknown';

const mostSteps = 20_000;
/** It goes one call deeper for each. */
const mostGuests = 1000;

/**
 * Tries every way to seat the guests, largest first, and says whether there is one. Hosts that look the same to a guest
 * are tried once, and guests of one kind go to hosts in order; still, it gives up after a while and then does not know.
 */
export function search(seating: Seating, guests: readonly Guest[], rooms: readonly Room[], apart: boolean): Searched {
  const inOrder = guests.toSorted((one, other) => size(other) - size(one) || (one.kind < other.kind ? -1 : 1));
  if (inOrder.length > mostGuests) return 'unknown';
  const welcome = new Map(rooms.map((room) => [room, kindsAdmitted(room, guests)]));
  let steps = 0;
  const next = (position: number, from: number): Searched => {
    const guest = inOrder[position];
    if (guest === undefined) return 'found';
    const tried = new Set<string>();
    let outcome: Searched = 'impossible';
    for (let index = from; index < rooms.length; index++) {
      const room = rooms[index];
      if (room === undefined || !room.admits(guest) || !room.fits(guest)) continue;
      if (apart && isControlPlane(guest) && room.count(isControlPlane) > 0) continue;
      const looks = `${room.used.join()} of ${room.capacity.join()} ${room.processors} ${room.count(isControlPlane) > 0} ${welcome.get(room)}`;
      if (tried.has(looks)) continue;
      tried.add(looks);
      if (++steps > mostSteps) return 'unknown';
      seat(seating, guest, room, 'the only way found to fit all');
      const sameKind = inOrder[position + 1]?.kind === guest.kind;
      const rest = next(position + 1, sameKind ? index : 0);
      if (rest === 'found') return rest;
      unseat(seating, guest);
      if (rest === 'unknown') outcome = rest;
      if (steps > mostSteps) return 'unknown';
    }
    return outcome;
  };
  return next(0, 0);
}

const kindsAdmitted = (room: Room, guests: readonly Guest[]): string =>
  [...new Set(guests.filter((guest) => room.admits(guest)).map((guest) => guest.kind))].toSorted().join();

const size = (guest: Guest): number => (guest.needs[0] ?? 0) * 4096 + (guest.needs[1] ?? 0);
