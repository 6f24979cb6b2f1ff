import type { Guest, Room } from './room.ts';

/** Who sits where, and why. */
export type Seating = Map<Guest, { readonly room: Room; readonly because: string }>;

export function seat(seating: Seating, guest: Guest, room: Room, because: string): void {
  room.add(guest);
  seating.set(guest, { room, because });
}

export function unseat(seating: Seating, guest: Guest): void {
  seating.get(guest)?.room.remove(guest);
  seating.delete(guest);
}
