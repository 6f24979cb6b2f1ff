import type { ProxmoxApi } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { rowOf } from '../api/row.ts';
import type { Facts } from '../facts.ts';
import { Permissions } from '../permissions.ts';
import type { Holder } from './permissions.ts';

/** Nobody can have so high a VMID: whoever may see it may see all that are not listed one by one. */
const anyVm = '/vms/999999999';

/** Whether machines of others are in the lists that we get. */
export async function seesAll(facts: Facts, signal: AbortSignal): Promise<boolean> {
  return (await facts.permissions(signal)).may(anyVm, 'VM.Audit');
}

/** Who we are, with what we may do; a token that may not ask about its user leaves that open. */
export async function holderOf(api: ProxmoxApi, facts: Facts, signal: AbortSignal): Promise<Holder> {
  const [user, token] = api.who.split('!');
  const permissions = await facts.permissions(signal);
  if (token === undefined) return { who: api.who, permissions, user: undefined };
  const request = { path: '/access/permissions', doing: `list the rights of ${user}`, params: { userid: user } };
  try {
    return { who: api.who, permissions, user: new Permissions(rowOf(await api.get(request, signal))) };
  } catch (error) {
    if (!isProblem(error, 'proxmox-permission')) throw error;
    return { who: api.who, permissions, user: undefined };
  }
}
