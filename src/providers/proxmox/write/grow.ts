import { path } from '../api/form.ts';
import { persist } from '../api/persist.ts';
import type { Hands } from './hands.ts';

/** Makes a disk as large as it should be. One that is so already stays as it is. */
export async function grow(
  { api, tasks }: Hands,
  { host, vmid }: { readonly host: string; readonly vmid: number },
  { slot, sizeGiB }: { readonly slot: string; readonly sizeGiB: number },
  signal: AbortSignal,
): Promise<void> {
  const call = {
    path: path`/nodes/${host}/qemu/${vmid}/resize`,
    doing: `grow ${slot} of VM ${vmid} on ${host} to ${sizeGiB} GiB`,
    needs: { path: `/vms/${vmid}`, privilege: 'VM.Config.Disk' },
    // An absolute size: growing twice is growing once.
    params: { disk: slot, size: `${sizeGiB}G` },
  };
  const act = async (): Promise<true> => {
    await tasks.end(await api.write('PUT', call, signal), call, signal);
    return true;
  };
  await persist(api, { act, look: () => Promise.resolve(undefined) }, signal);
}
