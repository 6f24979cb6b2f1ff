import { byHostName, naturally } from '../model/host.ts';
import type { Fixed } from '../model/machine.ts';
import type { Loss } from '../model/proof.ts';
import { place, type Existing, type Placement, type Request } from './placement.ts';
import { shortages } from './shortage.ts';

/** For each host: if it is lost, is etcd's majority kept, and do its workers find room elsewhere? */
export function lossesOf(request: Request, placement: Placement): readonly Loss[] {
  const members = request.machines.filter(({ role }) => role === 'control-plane').length;
  const membersNeeded = Math.floor(members / 2) + 1;
  return request.inventory.hosts.toSorted(byHostName).map((host): Loss => {
    const lost = request.machines.filter(({ name }) => placement.assigned.get(name)?.host === host.name);
    const controlPlanes = lost.filter(({ role }) => role === 'control-plane').map(({ name }) => name);
    const workers = lost.filter(({ role }) => role === 'worker');
    const membersLeft = members - controlPlanes.length;
    const again = workers.length === 0 ? undefined : withoutHost(request, placement, host.name);
    const short = again === undefined ? [] : shortages(again, request.rules);
    return {
      host: host.name,
      controlPlanes: controlPlanes.toSorted(naturally),
      membersLeft,
      membersNeeded,
      quorum: membersLeft >= membersNeeded ? 'kept' : 'lost',
      workers: workers.map(({ name }) => name).toSorted(naturally),
      fit: short.length === 0,
      short,
    };
  });
}

/** The same platform with one host less: everybody else stays, and only the workers that ran there look for room. */
function withoutHost(
  { machines, inventory, rules, leaving, existing }: Request,
  { assigned }: Placement,
  lost: string,
): Placement {
  const hosts = inventory.hosts.filter(({ name }) => name !== lost);
  const staying = machines.filter(({ name }) => {
    const host = assigned.get(name)?.host;
    return host !== undefined && host !== lost;
  });
  const looking = machines
    .filter(({ name, role }) => role === 'worker' && assigned.get(name)?.host === lost)
    .map((machine) => ({ ...machine, fixed: unpinned(machine.fixed) }));
  const settled = new Map<string, Existing>(
    staying.map(({ name }) => {
      const there = existing.get(name);
      const host = assigned.get(name)?.host ?? '';
      return [
        name,
        there ?? {
          host,
          resident: {
            name,
            platform: undefined,
            vmid: undefined,
            mac: undefined,
            uuid: undefined,
            address: undefined,
            size: undefined,
          },
        },
      ];
    }),
  );
  return place({
    machines: [...staying, ...looking],
    inventory: { ...inventory, hosts },
    rules,
    existing: settled,
    leaving,
  });
}

function unpinned(fixed: Fixed): Fixed {
  const { host, ...rest } = fixed;
  return host === undefined ? fixed : rest;
}
