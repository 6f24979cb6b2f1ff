import { Problem } from '../../../model/problem.ts';
import type { MachineRef } from '../../provider.ts';
import { path } from '../api/form.ts';
import { persist } from '../api/persist.ts';
import { isProblem } from '../api/problem.ts';
import { isFree } from '../read/config.ts';
import { deleteCidata } from './cidata.ts';
import { secretMedia } from './media.ts';
import { stop } from './power.ts';
import type { Hands } from './hands.ts';
import { prove } from './prove.ts';

/**
 * Gone with its disks. Nothing is sent before the cluster has its quorum and the machine is proved to be the one; what runs is
 * stopped, and proved again. It ends when nobody in the cluster has the VMID.
 */
export async function deleteMachine(hands: Hands, machine: MachineRef, signal: AbortSignal): Promise<void> {
  const { api, facts } = hands;
  const vmid = Number(machine.id);
  const act = async (): Promise<true> => {
    await facts.mustBeQuorate(`delete ${machine.mark.name}`, signal);
    for (let look = 1; look <= looks; look++) {
      const proved = await prove(api, machine, signal);
      if (proved === undefined) return true;
      for (const volume of secretMedia(machine, proved)) await deleteCidata(hands, proved.host, volume, signal);
      try {
        await destroy(hands, proved.host, vmid, signal);
      } catch (error) {
        if (isProblem(error, 'proxmox-no-vm')) continue;
        if (!isProblem(error, 'proxmox-running')) throw error;
        await stop(hands, machine, signal);
        continue;
      }
      if ((await isFree(api, vmid, signal)) || !(await isStillThere(hands, machine, signal))) return true;
    }
    throw comesBack(machine);
  };
  const look = async (): Promise<true | undefined> => {
    const running = await hands.tasks.running(machine.host, vmid, 'qmdestroy', signal);
    if (running !== undefined) await hands.tasks.end(running.upid, { doing: `delete VM ${vmid}` }, signal);
    return undefined;
  };
  await persist(api, { act, look }, signal);
}

/** Somebody may start it in between, or move it to another host; not for ever. */
const looks = 6;

const comesBack = ({ mark, id, host }: MachineRef): Problem =>
  new Problem('proxmox-comes-back', `${mark.name} (VM ${id}) was stopped ${looks} times, and runs again each time.`, {
    remedy: `Look who starts it: a person, a backup, or Proxmox’s HA manager.\n    ssh root@${host} ha-manager status`,
  });

async function destroy({ api, tasks }: Hands, host: string, vmid: number, signal: AbortSignal): Promise<void> {
  const call = {
    path: path`/nodes/${host}/qemu/${vmid}`,
    doing: `delete VM ${vmid} on ${host}`,
    needs: { path: `/vms/${vmid}`, privilege: 'VM.Allocate' },
    params: { purge: true, 'destroy-unreferenced-disks': true },
  };
  await tasks.end(await api.write('DELETE', call, signal), call, signal);
}

/** Somebody else may have taken the VMID in the very moment that it became free. */
async function isStillThere({ api }: Hands, machine: MachineRef, signal: AbortSignal): Promise<boolean> {
  try {
    return (await prove(api, machine, signal)) !== undefined;
  } catch (error) {
    if (error instanceof Problem && error.code === 'proxmox-foreign') return false;
    throw error;
  }
}
