import type { MachineRef } from '../../provider.ts';
import { path } from '../api/form.ts';
import { persist } from '../api/persist.ts';
import { textOf } from '../api/row.ts';
import { cidataName } from '../cidata.ts';
import { drivesOf } from '../drive.ts';
import { deleteCidata } from './cidata.ts';
import type { Hands } from './hands.ts';
import { mustProve, type Proved } from './prove.ts';

/** Volumes in the drives of a machine that hold its first configuration. */
export const secretMedia = (machine: MachineRef, { config }: Proved): readonly string[] =>
  drivesOf(config).flatMap(({ volume }) => (volume.endsWith(`:iso/${cidataName(machine.mark)}`) ? [volume] : []));

/**
 * Empties the drives. The file with the secrets goes first: as long as the drive still names it, a second run knows that it
 * may have to go, and deleting what is gone is fine. The drive that Proxmox itself writes stays; it has the address.
 */
export async function ejectMedia(hands: Hands, machine: MachineRef, signal: AbortSignal): Promise<void> {
  const { api, tasks } = hands;
  const eject = async (proved: Proved): Promise<true> => {
    const { host, vmid, config } = proved;
    const loaded = drivesOf(config).filter(({ kind, volume }) => kind === 'cdrom' && volume !== 'none');
    if (loaded.length === 0) return true;
    for (const volume of secretMedia(machine, proved)) await deleteCidata(hands, host, volume, signal);
    const call = {
      path: path`/nodes/${host}/qemu/${vmid}/config`,
      doing: `eject the media of VM ${vmid} on ${host}`,
      needs: { path: `/vms/${vmid}`, privilege: 'VM.Config.CDROM' },
      // Whoever else changed it meanwhile, or has its VMID by now, has another digest.
      params: {
        ...Object.fromEntries(loaded.map(({ slot }) => [slot, 'none,media=cdrom'])),
        digest: textOf(config, 'digest'),
      },
    };
    await tasks.end(await api.write('POST', call, signal), call, signal);
    return true;
  };
  const act = async (): Promise<true> => eject(await mustProve(api, machine, 'eject its media', signal));
  await persist(api, { act, look: () => Promise.resolve(undefined) }, signal);
}
