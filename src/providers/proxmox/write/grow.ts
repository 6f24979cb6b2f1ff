import { path } from '../api/form.ts';
import { persist } from '../api/persist.ts';
import type { Hands } from './hands.ts';

export type Growth = { readonly slot: string; readonly sizeGiB: number };

/** Makes a disk as large as it should be. One that is so already stays as it is. Whose it is, is asked before each attempt. */
export async function grow(
  { api, tasks }: Hands,
  whose: () => Promise<{ readonly host: string; readonly vmid: number }>,
  { slot, sizeGiB }: Growth,
  signal: AbortSignal,
): Promise<void> {
  const act = async (): Promise<true> => {
    const { host, vmid } = await whose();
    const call = {
      path: path`/nodes/${host}/qemu/${vmid}/resize`,
      doing: `grow ${slot} of VM ${vmid} on ${host} to ${sizeGiB} GiB`,
      needs: { path: `/vms/${vmid}`, privilege: 'VM.Config.Disk' },
      // An absolute size: growing twice is growing once.
      params: { disk: slot, size: `${sizeGiB}G` },
    };
    await tasks.end(await api.write('PUT', call, signal), call, signal);
    return true;
  };
  await persist(api, { act, look: () => Promise.resolve(undefined) }, signal);
}
