import type { MachineRef } from '../../../provider.ts';
import type { ProxmoxApi } from '../../api/api.ts';
import { path } from '../../api/form.ts';
import { rowsOf, textOf } from '../../api/row.ts';
import type { Hands } from '../hands.ts';
import {
  addResource,
  commentFor,
  idempotent,
  listHaResources,
  moveResource,
  removeResource,
  sidOf,
} from './resources.ts';

const right = { path: '/', privilege: 'Sys.Console' };

/** Proxmox VE 8 knows no rules between machines: each is bound to the host that it is on. */
export async function keepApartByGroups(
  hands: Hands,
  group: string,
  machines: readonly MachineRef[],
  signal: AbortSignal,
): Promise<void> {
  const { api } = hands;
  const [resources, groups] = await Promise.all([listHaResources(api, signal), groupsOf(api, group, signal)]);
  for (const machine of machines) {
    const own = idOf(group, machine.host);
    if (!groups.includes(own)) await addGroup(api, group, machine.host, signal);
    const there = resources.find(({ sid }) => sid === sidOf(machine));
    if (there === undefined) await addResource(hands, machine, commentFor(group), own, signal);
    else if (there.group !== own) await moveResource(hands, machine, own, signal);
  }
  const wanted = machines.map(sidOf);
  const left = resources.filter(({ sid, comment }) => comment === commentFor(group) && !wanted.includes(sid));
  for (const { sid } of left) await removeResource(api, sid, signal);
  const hosts = machines.map(({ host }) => idOf(group, host));
  for (const empty of groups.filter((each) => !hosts.includes(each))) await removeGroup(api, empty, signal);
}

const idOf = (group: string, host: string): string => `ichor-${group}-${host}`;

async function groupsOf(api: ProxmoxApi, group: string, signal: AbortSignal): Promise<readonly string[]> {
  const rows = rowsOf(await api.get({ path: '/cluster/ha/groups', doing: 'list the groups of HA' }, signal));
  return rows
    .filter((row) => textOf(row, 'comment') === commentFor(group))
    .flatMap((row) => textOf(row, 'group') ?? []);
}

async function addGroup(api: ProxmoxApi, group: string, host: string, signal: AbortSignal): Promise<void> {
  const call = {
    path: '/cluster/ha/groups',
    doing: `make an HA group for ${host}`,
    needs: right,
    params: { group: idOf(group, host), nodes: host, restricted: true, nofailback: true, comment: commentFor(group) },
  };
  await idempotent(api, () => api.write('POST', call, signal), signal);
}

async function removeGroup(api: ProxmoxApi, id: string, signal: AbortSignal): Promise<void> {
  const call = { path: path`/cluster/ha/groups/${id}`, doing: `remove the HA group ${id}`, needs: right };
  await idempotent(api, () => api.write('DELETE', call, signal), signal);
}
