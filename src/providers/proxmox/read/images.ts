import type { Image, ImageRequest } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
import { rowsOf, numberOf, textOf } from '../api/row.ts';
import { listResources } from './resources.ts';

/** Where a request wants its image: which datastore, what kind of content, under which name. */
export type Wanted = { readonly store: string; readonly content: 'import' | 'iso'; readonly volume: string };

export function wantedOf(request: ImageRequest): Wanted {
  if ('volume' in request) return { store: request.volume.split(':')[0] ?? '', content: 'iso', volume: request.volume };
  const content = request.kind === 'disk' ? 'import' : 'iso';
  return { store: request.datastore, content, volume: `${request.datastore}:${content}/${request.name}` };
}

/** Hosts that see the very same datastore stand together; one of them speaks for all. */
export async function groupsOf(
  api: ProxmoxApi,
  store: string,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  const { storages } = await listResources(api, signal, 'storage');
  const isShared = storages.some(({ name, shared }) => name === store && shared);
  return isShared ? [hosts] : hosts.map((host) => [host]);
}

/** Bytes of a volume on a host; undefined: it is not there. */
export async function sizeOnHost(
  api: ProxmoxApi,
  host: string,
  { store, content, volume }: Wanted,
  signal: AbortSignal,
): Promise<number | undefined> {
  const rows = rowsOf(
    await api.get(
      {
        path: path`/nodes/${host}/storage/${store}/content`,
        doing: `list the images on ${store} of ${host}`,
        params: { content },
        needs: { path: `/storage/${store}`, privilege: 'Datastore.Audit' },
      },
      signal,
    ),
  );
  const row = rows.find((each) => textOf(each, 'volid') === volume);
  return row === undefined ? undefined : (numberOf(row, 'size') ?? 0);
}

export async function readImages(
  api: ProxmoxApi,
  request: ImageRequest,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Image[]> {
  if (hosts.length === 0) return [];
  const wanted = wantedOf(request);
  const groups = await groupsOf(api, wanted.store, hosts, signal);
  const found = await Promise.all(
    groups.map(async (group) => {
      const size = await sizeOnHost(api, group[0] ?? '', wanted, signal);
      return size === undefined
        ? []
        : group.map((host): Image => ({ kind: request.kind, host, volume: wanted.volume }));
    }),
  );
  return found.flat();
}
