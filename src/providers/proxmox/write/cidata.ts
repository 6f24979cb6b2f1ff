import type { MachineRequest } from '../../provider.ts';
import { path } from '../api/form.ts';
import { persist } from '../api/persist.ts';
import { isProblem } from '../api/problem.ts';
import { Problem } from '../../../model/problem.ts';
import { cidataIso, cidataName } from '../cidata.ts';
import type { Wanted } from '../read/images.ts';
import type { ProxmoxSettings } from '../settings.ts';
import { upload } from './upload.ts';
import type { Hands } from './hands.ts';

/** Puts the medium with a machine’s first configuration beside its host’s images; the volume that it became. */
export async function uploadCidata(
  { api, tasks }: Hands,
  settings: ProxmoxSettings,
  request: MachineRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (request.firstConfig === undefined) return undefined;
  const iso = cidataIso(request, request.firstConfig, api.tools.clock.now());
  const store = settings.imageDatastore;
  const wanted: Wanted = { store, content: 'iso', volume: `${store}:iso/${cidataName(request.mark)}` };
  const file = {
    bytes: iso.length,
    read: async function* () {
      yield iso;
    },
  };
  await upload(api, tasks, { host: request.host, wanted, file }, signal);
  return wanted.volume;
}

/** It holds secrets: gone as soon as it is not needed. One that is gone already is fine. */
export async function deleteCidata(
  { api, tasks }: Hands,
  host: string,
  volume: string,
  signal: AbortSignal,
): Promise<void> {
  const store = volume.split(':')[0] ?? '';
  const call = {
    path: path`/nodes/${host}/storage/${store}/content/${volume}`,
    doing: `delete ${volume} on ${host}`,
    needs: { path: `/storage/${store}`, privilege: 'Datastore.Allocate' },
  };
  const act = async (): Promise<true> => {
    await tasks.end(await api.write('DELETE', call, signal), call, signal);
    return true;
  };
  try {
    await persist(api, { act, look: () => Promise.resolve(undefined) }, signal);
  } catch (error) {
    if (!isProblem(error, 'proxmox-permission')) throw error;
    api.tools.warn(stays(host, volume, error));
  }
}

const stays = (host: string, volume: string, { message, remedy }: Problem): Problem =>
  new Problem(
    'proxmox-secret-stays',
    `${volume} on ${host} holds the first configuration of a machine, with its secrets, and stays there: ${message}`,
    { severity: 'warning', remedy: `${remedy}\n    ssh root@${host} pvesm free ${volume}` },
  );
