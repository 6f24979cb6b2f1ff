import { emptiestFirst, sameGroup, type Guest, type Room } from './room.ts';
import { seat, type Seating } from './seating.ts';

type Slot = { readonly room: Room; readonly round: number };

/**
 * The free slots of every host, one round after the other: A0, B0, C0, A1, B1, …
 * A host that already carries some of the pool begins in a later round, so growing fills the gaps first.
 */
export function slotsFor(guest: Guest, rooms: readonly Room[], wanted: number): readonly Slot[] {
  const inOrder = emptiestFirst(rooms).map((room, order) => {
    const before = room.count(sameGroup(guest));
    return {
      order,
      slots: Array.from({ length: Math.min(room.slots(guest), wanted) }, (_, index) => ({
        room,
        round: before + index,
      })),
    };
  });
  return inOrder
    .flatMap(({ order, slots }) => slots.map((slot) => ({ order, slot })))
    .toSorted((one, other) => one.slot.round - other.slot.round || one.order - other.order)
    .map(({ slot }) => slot);
}

/** Guests of one kind, spread as evenly as the hosts allow. False when slots run out. */
export function interleave(seating: Seating, guests: readonly Guest[], rooms: readonly Room[]): boolean {
  const [first] = guests;
  if (first === undefined) return true;
  const slots = slotsFor(first, rooms, guests.length);
  for (const [index, guest] of guests.entries()) {
    const slot = slots[index];
    if (slot === undefined) return false;
    seat(seating, guest, slot.room, `spread evenly: slot ${slot.round} of ${slot.room.name}`);
  }
  return true;
}
