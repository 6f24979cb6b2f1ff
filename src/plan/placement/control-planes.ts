import { naturally } from '../../model/host.ts';
import { isControlPlane, type Guest, type Room } from './room.ts';
import { seat, type Seating } from './seating.ts';

/** Each goes to the emptiest host; apart, no two share one. False when one finds no room. */
export function seatControlPlanes(
  seating: Seating,
  guests: readonly Guest[],
  rooms: readonly Room[],
  apart: boolean,
): boolean {
  for (const guest of guests) {
    const [best] = rooms
      .filter((room) => room.admits(guest) && room.fits(guest) && !(apart && room.count(isControlPlane) > 0))
      .map((room) => ({ room, others: room.count(isControlPlane), load: room.load(guest.needs) }))
      .toSorted(
        (one, other) => one.others - other.others || one.load - other.load || naturally(one.room.name, other.room.name),
      );
    if (best === undefined) return false;
    const because =
      guests.length === 1
        ? 'the emptiest host'
        : apart
          ? 'a host of its own, the emptiest left'
          : 'the fewest control planes, then the emptiest host';
    seat(seating, guest, best.room, because);
  }
  return true;
}
