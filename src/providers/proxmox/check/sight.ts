import { Problem } from '../../../model/problem.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import type { Survey } from '../../provider.ts';
import { rowOf } from '../api/row.ts';
import type { Facts } from '../facts.ts';
import { Permissions } from '../permissions.ts';
import { commands, type Holder } from './permissions.ts';
import { seeingAll } from './rights.ts';

/** Nobody can have so high a VMID: whoever may see it may see all that are not listed one by one. */
const anyVm = '/vms/999999999';

/** Whether machines of others are in the lists that we get. */
export async function seesAll(facts: Facts, signal: AbortSignal): Promise<boolean> {
  return (await facts.permissions(signal)).may(anyVm, 'VM.Audit');
}

/** A survey, without hosts that were only half seen, and with why there may be more on the others than we are told. */
export async function asSeen(survey: Survey, api: ProxmoxApi, facts: Facts, signal: AbortSignal): Promise<Survey> {
  const permissions = await facts.permissions(signal);
  const { hosts } = survey.inventory;
  const seen = hosts.filter(({ name }) => permissions.may(`/nodes/${name}`, 'Sys.Audit'));
  const hidden = hosts.filter((host) => !seen.includes(host));
  return {
    ...survey,
    inventory: { ...survey.inventory, hosts: seen },
    silent: [
      ...survey.silent,
      ...hidden.map(({ name }) => ({
        host: name,
        because: `it does not tell ${api.who} what it has, which lacks Sys.Audit on /nodes/${name}`,
      })),
    ],
    doubts: await doubtsOf(api, facts, signal),
  };
}

async function doubtsOf(api: ProxmoxApi, facts: Facts, signal: AbortSignal): Promise<readonly Problem[]> {
  if (await seesAll(facts, signal)) return [];
  const holder = await holderOf(api, facts, signal);
  return [
    new Problem(
      'proxmox-unseen',
      `${api.who} may not see machines of others (VM.Audit on /vms): hosts may be fuller than they look, and VMIDs taken that look free.`,
      {
        severity: 'warning',
        remedy: [
          'Let it see them, as root on any host:',
          ...commands(holder, [seeingAll], new Set(seeingAll.paths)),
        ].join('\n'),
      },
    ),
  ];
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
