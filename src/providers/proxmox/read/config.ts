import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
import { isProblem } from '../api/problem.ts';
import { rowOf, type Row } from '../api/row.ts';

/** As it will be after the next cold start; undefined: there is no such VM on that host. */
export async function readConfig(
  api: ProxmoxApi,
  host: string,
  vmid: number,
  signal: AbortSignal,
): Promise<Row | undefined> {
  try {
    return rowOf(
      await api.get(
        {
          path: path`/nodes/${host}/qemu/${vmid}/config`,
          doing: `read the configuration of VM ${vmid} on ${host}`,
          needs: { path: `/vms/${vmid}`, privilege: 'VM.Audit' },
        },
        signal,
      ),
    );
  } catch (error) {
    if (isProblem(error, 'proxmox-no-vm')) return undefined;
    throw error;
  }
}

/** Whether nobody in the whole cluster has this VMID; answered to everybody, whatever else they may see. */
export async function isFree(api: ProxmoxApi, vmid: number, signal: AbortSignal): Promise<boolean> {
  try {
    await api.get({ path: '/cluster/nextid', doing: `look whether VMID ${vmid} is free`, params: { vmid } }, signal);
    return true;
  } catch (error) {
    if (isProblem(error, 'proxmox-exists')) return false;
    throw error;
  }
}
