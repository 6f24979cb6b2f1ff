import type { MachineRef } from '../../../provider.ts';
import type { ProxmoxApi } from '../../api/api.ts';
import { path } from '../../api/form.ts';
import { persist } from '../../api/persist.ts';
import { isProblem } from '../../api/problem.ts';
import { rowsOf, textOf } from '../../api/row.ts';
import { powerOf } from '../power.ts';
import type { Hands } from '../hands.ts';
import { mustProve } from '../prove.ts';

/** A VM that the HA manager takes care of. */
export type Resource = { readonly sid: string; readonly group: string | undefined; readonly comment: string };

const right = { path: '/', privilege: 'Sys.Console' };

export const sidOf = ({ id }: MachineRef): string => `vm:${id}`;
/** Says that ichor made it, and may take it away again. */
export const commentFor = (group: string): string => `ichor keeps ${group} apart`;

export async function listHaResources(api: ProxmoxApi, signal: AbortSignal): Promise<readonly Resource[]> {
  const rows = rowsOf(await api.get({ path: '/cluster/ha/resources', doing: 'list what HA takes care of' }, signal));
  return rows.map((row) => ({
    sid: textOf(row, 'sid') ?? '',
    group: textOf(row, 'group'),
    comment: textOf(row, 'comment') ?? '',
  }));
}

/** Known to the manager in the state that it is in: being looked after changes nothing by itself. */
export async function addResource(
  hands: Hands,
  machine: MachineRef,
  comment: string,
  group: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { api } = hands;
  const sid = sidOf(machine);
  const add = async (): Promise<unknown> => {
    const proved = await mustProve(api, machine, 'let HA take care of it', signal);
    const state = (await powerOf(api, proved, signal)) === 'on' ? 'started' : 'stopped';
    const call = {
      path: '/cluster/ha/resources',
      doing: `let HA take care of VM ${machine.id}`,
      needs: right,
      params: { sid, state, comment, group },
    };
    return api.write('POST', call, signal);
  };
  await idempotent(api, add, signal);
}

export async function moveResource(
  { api }: Hands,
  machine: MachineRef,
  group: string,
  signal: AbortSignal,
): Promise<void> {
  const sid = sidOf(machine);
  const call = {
    path: path`/cluster/ha/resources/${sid}`,
    doing: `put ${sid} into the HA group ${group}`,
    needs: right,
    params: { group },
  };
  const move = async (): Promise<unknown> => {
    await mustProve(api, machine, `put it into the HA group ${group}`, signal);
    return api.write('PUT', call, signal);
  };
  await idempotent(api, move, signal);
}

export async function removeResource(api: ProxmoxApi, sid: string, signal: AbortSignal): Promise<void> {
  const call = { path: path`/cluster/ha/resources/${sid}`, doing: `take ${sid} out of HA`, needs: right };
  await idempotent(api, () => api.write('DELETE', call, signal), signal);
}

/** For what is the same after the second time as after the first; whatever needs a proof has it in `act`. “Already there” and “not there any more” are fine. */
export async function idempotent(api: ProxmoxApi, act: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  const change = async (): Promise<true> => {
    try {
      await act();
    } catch (error) {
      if (!isProblem(error, 'proxmox-ha-state')) throw error;
    }
    return true;
  };
  await persist(api, { act: change, look: () => Promise.resolve(undefined) }, signal);
}
