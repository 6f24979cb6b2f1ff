import { Problem } from '../../../model/problem.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
import { flagOf, listOf, numberOf, rowsOf, textOf } from '../api/row.ts';

export type Space = { readonly total: number; readonly used: number; readonly available: number };

export type Store = Space & {
  readonly name: string;
  readonly type: string;
  readonly content: readonly string[];
  readonly shared: boolean;
  readonly active: boolean;
};

/** Datastores of hosts, as they are at this moment. */
export async function storesOf(api: ProxmoxApi, host: string, signal: AbortSignal): Promise<readonly Store[]> {
  const rows = rowsOf(
    await api.get({ path: path`/nodes/${host}/storage`, doing: `list the datastores of ${host}` }, signal),
  );
  return rows.map((row) => ({
    name: textOf(row, 'storage') ?? '',
    type: textOf(row, 'type') ?? '',
    content: listOf(row, 'content'),
    shared: flagOf(row, 'shared'),
    active: flagOf(row, 'active') && row['enabled'] !== 0,
    total: numberOf(row, 'total') ?? 0,
    used: numberOf(row, 'used') ?? 0,
    available: numberOf(row, 'avail') ?? 0,
  }));
}

const forGuests = ({ content, active }: Store): boolean =>
  active && (content.includes('images') || content.includes('rootdir'));

/** Space for disks, and who has it: one call per host, and one per datastore of a host or of all. */
export class Stores {
  readonly shared: ReadonlyMap<string, Space>;
  readonly #local: ReadonlyMap<string, ReadonlyMap<string, Space>>;
  /** By host (empty for what is shared) and VMID: bytes per datastore, as the guests see them. */
  readonly #disks: ReadonlyMap<string, ReadonlyMap<string, number>>;

  constructor(
    shared: ReadonlyMap<string, Space>,
    local: ReadonlyMap<string, ReadonlyMap<string, Space>>,
    disks: ReadonlyMap<string, ReadonlyMap<string, number>>,
  ) {
    this.shared = shared;
    this.#local = local;
    this.#disks = disks;
  }

  of(host: string): ReadonlyMap<string, Space> {
    return this.#local.get(host) ?? new Map();
  }

  disksOf(host: string, vmid: number): ReadonlyMap<string, number> {
    return new Map([...(this.#disks.get(`${host}/${vmid}`) ?? []), ...(this.#disks.get(`/${vmid}`) ?? [])]);
  }

  /** What all guests together were promised on a shared datastore. */
  promised(store: string): number {
    const shares = [...this.#disks].filter(([owner]) => owner.startsWith('/'));
    return shares.reduce((total, [, disks]) => total + (disks.get(store) ?? 0), 0);
  }
}

type HostStores = { readonly host: string; readonly stores: readonly Store[] };

/** One that cannot be looked into is not there for anybody: what it has promised is not known. */
export async function readStores(api: ProxmoxApi, hosts: readonly HostStores[], signal: AbortSignal): Promise<Stores> {
  const lists = hosts.map(({ host, stores }) => ({ host, stores: stores.filter(forGuests) }));
  const shared = new Map<string, Space>();
  const asks: { readonly host: string; readonly owner: string; readonly store: string }[] = [];
  for (const { host, stores } of lists) {
    for (const store of stores) {
      if (store.shared && shared.has(store.name)) continue;
      if (store.shared) shared.set(store.name, store);
      asks.push({ host, owner: store.shared ? '' : host, store: store.name });
    }
  }
  const disks = new Map<string, Map<string, number>>();
  const closed = new Set<string>();
  await Promise.all(
    asks.map(async ({ host, owner, store }) => {
      const volumes = await volumesOf(api, host, store, signal);
      if (volumes === undefined) closed.add(`${owner}/${store}`);
      for (const { vmid, bytes } of volumes ?? []) {
        const key = `${owner}/${vmid}`;
        const own = disks.get(key) ?? new Map<string, number>();
        own.set(store, (own.get(store) ?? 0) + bytes);
        disks.set(key, own);
      }
    }),
  );
  for (const store of shared.keys()) if (closed.has(`/${store}`)) shared.delete(store);
  const local = lists.map(({ host, stores }) => {
    const own = stores.filter((store) => !store.shared && !closed.has(`${host}/${store.name}`));
    return [host, new Map(own.map((store) => [store.name, store]))] as const;
  });
  return new Stores(shared, new Map(local), disks);
}

async function volumesOf(
  api: ProxmoxApi,
  host: string,
  store: string,
  signal: AbortSignal,
): Promise<readonly { readonly vmid: number; readonly bytes: number }[] | undefined> {
  try {
    const rows = rowsOf(
      await api.get(
        { path: path`/nodes/${host}/storage/${store}/content`, doing: `list what is on ${store} of ${host}` },
        signal,
      ),
    );
    return rows.flatMap((row) => {
      const vmid = numberOf(row, 'vmid');
      const disk = ['images', 'rootdir'].includes(textOf(row, 'content') ?? '');
      return vmid === undefined || !disk ? [] : [{ vmid, bytes: numberOf(row, 'size') ?? 0 }];
    });
  } catch (error) {
    // Who may not look inside still sees how full it is.
    if (error instanceof Problem && error.code === 'proxmox-permission') return [];
    if (!(error instanceof Problem)) throw error;
    api.tools.warn(
      new Problem(
        'proxmox-datastore',
        `What is on ${store} of ${host} is not known, so nothing is placed there: ${error.message}`,
        {
          severity: 'warning',
          remedy: `Look what is wrong with it:\n    ssh root@${host} pvesm status --storage ${store}`,
        },
      ),
    );
    return undefined;
  }
}
