import { groupBy } from '../model/group.ts';
import type { Shortage } from '../model/proof.ts';
import type { Placement } from './placement.ts';
import type { PlacementRules } from './placement/measure.ts';
import { isControlPlane, type Guest, type Room } from './placement/room.ts';

export const groupName = ({ machine }: Guest): string =>
  machine.role === 'control-plane' ? 'controlPlane' : `workers.${machine.pool}`;

/** For each group that finds no room: what is missing, on the host that needs the least more. */
export function shortages({ unplaced, rooms, resources }: Placement, { apart }: PlacementRules): readonly Shortage[] {
  return [...groupBy(unplaced, ({ kind }) => kind).values()].flatMap((guests): readonly Shortage[] => {
    const [guest] = guests;
    if (guest === undefined) return [];
    const group = groupName(guest);
    const machines = guests.length;
    const free = rooms.filter(
      (room) => room.admits(guest) && !(apart && isControlPlane(guest) && room.count(isControlPlane) > 0),
    );
    if (free.length === 0) return [{ group, machines, host: null, resource: 'hosts', missing: machines }];
    const [nearest] = free
      .map((room) => ({ room, gaps: gapsOf(room, guest) }))
      .toSorted((one, other) => total(one.gaps) - total(other.gaps));
    if (nearest === undefined) return [];
    const short = nearest.gaps.flatMap(({ missing }, index): readonly Shortage[] => {
      const resource = resources[index];
      return missing > 0 && resource !== undefined
        ? [{ group, machines, host: nearest.room.name, resource, missing }]
        : [];
    });
    // Room for one, but not for all the others that were placed: what is missing is a host's worth of it.
    return short.length > 0 ? short : [{ group, machines, host: nearest.room.name, resource: 'hosts', missing: 1 }];
  });
}

type Gap = { readonly missing: number; readonly share: number };

function gapsOf(room: Room, guest: Guest): readonly Gap[] {
  return guest.needs.map((need, index): Gap => {
    const capacity = room.capacity[index] ?? 0;
    const left = capacity - (room.used[index] ?? 0);
    const enoughProcessors = index !== 0 || guest.machine.shape.cpu <= room.processors;
    const missing = enoughProcessors
      ? Math.max(0, need === 0 ? 0 : need - left)
      : Math.max(guest.machine.shape.cpu - room.processors, need - left);
    return { missing, share: missing === 0 ? 0 : missing / Math.max(1, capacity) };
  });
}

const total = (gaps: readonly Gap[]): number => gaps.reduce((sum, { share }) => sum + share, 0);
