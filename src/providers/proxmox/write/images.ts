import { Problem } from '../../../model/problem.ts';
import type { Image, ImageRequest } from '../../provider.ts';
import { path } from '../api/form.ts';
import { persist } from '../api/persist.ts';
import { isProblem } from '../api/problem.ts';
import { groupsOf, sizeOnHost, wantedOf, type Wanted } from '../read/images.ts';
import { canImportDisks, type PveVersion } from '../version.ts';
import type { Hands } from './hands.ts';
import { upload } from './upload.ts';

type Fetched = Extract<ImageRequest, { url: string }>;

/** Puts an image where machines of these hosts find it; each host or shared datastore once, all at the same time. */
export async function ensureImage(
  hands: Hands,
  request: ImageRequest,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Image[]> {
  if (hosts.length === 0) return [];
  const wanted = wantedOf(request);
  if (request.kind === 'disk') mustImport(await hands.facts.version(signal));
  const groups = await groupsOf(hands.api, wanted.store, hosts, signal);
  await Promise.all(groups.map(([host = '']) => ensureOn(hands, { host, request, wanted }, signal)));
  return hosts.map((host) => ({ kind: request.kind, host, volume: wanted.volume }));
}

/** One image for one host. */
type Errand<R extends ImageRequest = ImageRequest> = {
  readonly host: string;
  readonly request: R;
  readonly wanted: Wanted;
};

async function ensureOn(hands: Hands, { host, request, wanted }: Errand, signal: AbortSignal): Promise<void> {
  if ((await sizeOnHost(hands.api, host, wanted, signal)) !== undefined) return;
  if ('volume' in request) throw notThere(host, wanted);
  const errand = { host, request, wanted };
  if (request.download === 'here') return bring(hands, errand, signal);
  try {
    await download(hands, errand, signal);
  } catch (error) {
    const cannot = isProblem(error, 'proxmox-download', 'proxmox-permission');
    if (request.download !== 'auto' || !cannot) throw error;
    await bring(hands, errand, signal);
  }
}

/** The host fetches it. The same name with the same checksum is not fetched twice, whoever asks. */
async function download(
  { api, tasks }: Hands,
  { host, request, wanted }: Errand<Fetched>,
  signal: AbortSignal,
): Promise<void> {
  const { url, name, checksum } = request;
  const call = {
    path: path`/nodes/${host}/storage/${wanted.store}/download-url`,
    doing: `fetch ${name} to ${wanted.store} of ${host}`,
    needs: { path: `/nodes/${host}`, privilege: 'Sys.AccessNetwork' },
    params: {
      content: wanted.content,
      filename: name,
      url,
      'checksum-algorithm': checksum?.algorithm,
      checksum: checksum?.hex,
    },
  };
  const act = async (): Promise<true> => {
    try {
      await tasks.end(await api.write('POST', call, signal), call, signal);
    } catch (error) {
      // Somebody else was faster.
      if (!isProblem(error, 'proxmox-file-exists')) throw error;
    }
    return true;
  };
  const look = async (): Promise<true | undefined> => {
    const running = await tasks.ofFile(host, name, signal);
    if (running !== undefined) await tasks.end(running.upid, call, signal);
    return (await sizeOnHost(api, host, wanted, signal)) === undefined ? undefined : true;
  };
  await persist(api, { act, look }, signal);
}

/** This machine fetches it, and sends it on. */
async function bring(
  { api, tasks }: Hands,
  { host, request, wanted }: Errand<Fetched>,
  signal: AbortSignal,
): Promise<void> {
  const file = await api.tools.fetchFile(request, signal);
  await upload(api, tasks, { host, wanted, file, checksum: request.checksum }, signal);
}

function mustImport(version: PveVersion): void {
  if (canImportDisks(version)) return;
  throw new Problem(
    'proxmox-no-import',
    `Proxmox VE ${version.text} cannot make a disk from an image file; that came with 8.4.`,
    {
      remedy:
        'Boot from the ISO and install, with cluster.talos.image.boot: iso, or upgrade the hosts:\n    pveversion',
    },
  );
}

export const notThere = (host: string, { store, volume }: Wanted): Problem =>
  new Problem('proxmox-no-volume', `There is no ${volume} on ${host}.`, {
    remedy: `Put the ISO there, or take cluster.talos.image.iso out of the file, so that it is fetched:\n    ssh root@${host} pvesm list ${store} --content iso`,
  });
