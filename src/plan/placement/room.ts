import { naturally } from '../../model/host.ts';
import type { Machine } from '../../model/machine.ts';

/** How much of each resource, by index; the first two are cpu and memory, the rest datastores. */
export type Amounts = readonly number[];

/** Something to be placed, with what it needs. */
export type Guest = {
  readonly machine: Machine;
  readonly needs: Amounts;
  /** Guests of one kind are interchangeable: same group, same size, same hosts allowed. */
  readonly kind: string;
};

/** A host while guests are being placed on it. */
export class Room {
  readonly name: string;
  readonly capacity: Amounts;
  /** A guest cannot have more processors than the host has. */
  readonly processors: number;
  readonly used: number[];
  readonly guests: Guest[] = [];

  constructor(name: string, capacity: Amounts, used: Amounts, processors: number) {
    this.name = name;
    this.capacity = capacity;
    this.used = [...used];
    this.processors = processors;
  }

  add(guest: Guest): void {
    for (const [index, need] of guest.needs.entries()) this.used[index] = (this.used[index] ?? 0) + need;
    this.guests.push(guest);
  }

  remove(guest: Guest): void {
    for (const [index, need] of guest.needs.entries()) this.used[index] = (this.used[index] ?? 0) - need;
    this.guests.splice(this.guests.indexOf(guest), 1);
  }

  admits(guest: Guest): boolean {
    const { allowedHosts, fixed } = guest.machine;
    if (fixed.host !== undefined && fixed.host !== this.name) return false;
    return allowedHosts === undefined || allowedHosts.includes(this.name);
  }

  fits(guest: Guest): boolean {
    if (guest.machine.shape.cpu > this.processors) return false;
    return guest.needs.every(
      (need, index) => need === 0 || (this.used[index] ?? 0) + need <= (this.capacity[index] ?? 0),
    );
  }

  /** How many more of these fit. */
  slots(guest: Guest): number {
    if (!this.admits(guest) || guest.machine.shape.cpu > this.processors) return 0;
    const counts = guest.needs.map((need, index) =>
      need === 0 ? Infinity : Math.floor(((this.capacity[index] ?? 0) - (this.used[index] ?? 0)) / need),
    );
    return Math.max(0, Math.min(...counts));
  }

  /** The fullest resource, as a share of its capacity, with these needs added. */
  load(added: Amounts = []): number {
    let highest = 0;
    for (const [index, capacity] of this.capacity.entries()) {
      const used = (this.used[index] ?? 0) + (added[index] ?? 0);
      if (used > 0) highest = Math.max(highest, used / capacity);
    }
    return highest;
  }

  count(test: (guest: Guest) => boolean): number {
    let count = 0;
    for (const guest of this.guests) if (test(guest)) count++;
    return count;
  }
}

/** The emptiest first; of equals the first by name. */
export const emptiestFirst = (rooms: readonly Room[]): readonly Room[] =>
  rooms
    .map((room) => ({ room, load: room.load() }))
    .toSorted((one, other) => one.load - other.load || naturally(one.room.name, other.room.name))
    .map(({ room }) => room);

export const isControlPlane = (guest: Guest): boolean => guest.machine.role === 'control-plane';

export const sameGroup =
  (guest: Guest) =>
  (other: Guest): boolean =>
    other.machine.role === guest.machine.role && other.machine.pool === guest.machine.pool;
