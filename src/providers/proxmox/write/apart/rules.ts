import { Problem } from '../../../../model/problem.ts';
import type { MachineRef } from '../../../provider.ts';
import { backoffMs, type ProxmoxApi } from '../../api/api.ts';
import { path } from '../../api/form.ts';
import { isProblem } from '../../api/problem.ts';
import { listOf, rowsOf, textOf } from '../../api/row.ts';
import type { Hands } from '../hands.ts';
import { mustProve } from '../prove.ts';
import { addResource, commentFor, idempotent, listHaResources, removeResource, sidOf } from './resources.ts';

const right = { path: '/', privilege: 'Sys.Console' };
/** The manager wakes up some seconds after it got its first resource, and until then takes no rule. */
const managerMs = 60_000;

/** Proxmox VE 9: a rule that two of these are never on one host. */
export async function keepApartByRule(
  hands: Hands,
  group: string,
  machines: readonly MachineRef[],
  signal: AbortSignal,
): Promise<void> {
  const { api } = hands;
  const [resources, rule] = await Promise.all([listHaResources(api, signal), ruleOf(api, group, signal)]);
  const wanted = machines.map(sidOf).toSorted();
  for (const machine of machines) {
    const there = resources.some(({ sid }) => sid === sidOf(machine));
    if (!there) await addResource(hands, machine, commentFor(group), undefined, signal);
  }
  if (wanted.length < 2) {
    if (rule !== undefined) await removeRule(api, group, signal);
  } else if (rule?.toSorted().join() !== wanted.join())
    await writeRule(hands, group, machines, rule !== undefined, signal);
  const left = resources.filter(({ sid, comment }) => comment === commentFor(group) && !wanted.includes(sid));
  for (const { sid } of left) await removeResource(api, sid, signal);
}

const idOf = (group: string): string => `ichor-${group}`;

/** Who is in the rule now; undefined: there is none. */
async function ruleOf(api: ProxmoxApi, group: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const rows = rowsOf(await api.get({ path: '/cluster/ha/rules', doing: 'list the rules of HA' }, signal));
  const row = rows.find((each) => textOf(each, 'rule') === idOf(group));
  return row === undefined ? undefined : listOf(row, 'resources');
}

async function removeRule(api: ProxmoxApi, group: string, signal: AbortSignal): Promise<void> {
  const call = { path: path`/cluster/ha/rules/${idOf(group)}`, doing: `remove the HA rule of ${group}`, needs: right };
  await idempotent(api, () => api.write('DELETE', call, signal), signal);
}

async function writeRule(
  { api }: Hands,
  group: string,
  machines: readonly MachineRef[],
  exists: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { clock, pause, random } = api.tools;
  const params = {
    type: 'resource-affinity',
    affinity: 'negative',
    resources: machines.map(sidOf).toSorted().join(','),
    comment: commentFor(group),
  };
  const doing = `keep ${group} apart with a rule of HA`;
  const write = async (): Promise<unknown> => {
    await Promise.all(machines.map((machine) => mustProve(api, machine, 'keep it apart from others', signal)));
    const asked = { doing, needs: right };
    return exists
      ? api.write('PUT', { ...asked, path: path`/cluster/ha/rules/${idOf(group)}`, params }, signal)
      : api.write('POST', { ...asked, path: '/cluster/ha/rules', params: { rule: idOf(group), ...params } }, signal);
  };
  const until = clock.now().getTime() + managerMs;
  for (let attempt = 1; ; attempt++) {
    const last = clock.now().getTime() > until;
    try {
      return await idempotent(api, write, signal);
    } catch (error) {
      if (!isProblem(error, 'proxmox-ha-rule')) throw error;
      if (last) throw tooMany(error, group, machines.length);
      // Without a manager it counts no hosts at all, and so too many machines.
      await pause(backoffMs(attempt, random), signal);
    }
  }
}

const tooMany = (cause: Problem, group: string, count: number): Problem =>
  new Problem('proxmox-ha-rule', cause.message, {
    recovery: 'ask',
    remedy: `${group} has ${count} machines: no more than there are hosts can be kept apart, and the HA manager must be awake.\n    ha-manager status`,
  });
