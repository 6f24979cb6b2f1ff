import type { ProxmoxApi } from '../api/api.ts';
import { flagOf, listOf, numberOf, rowsOf, textOf, type Row } from '../api/row.ts';

/** A row of the cluster’s list. Existence, place, tags and lock are of this moment; name and power may be of another. */
export type ListedVm = {
  readonly vmid: number;
  readonly host: string;
  readonly kind: 'qemu' | 'lxc';
  readonly template: boolean;
  readonly tags: readonly string[];
  readonly pool: string | undefined;
};

export type ListedHost = {
  readonly name: string;
  readonly online: boolean;
  readonly cpus: number | undefined;
  readonly memoryBytes: number | undefined;
};

type ListedStorage = {
  readonly name: string;
  readonly host: string;
  readonly shared: boolean;
  readonly content: readonly string[];
  readonly available: boolean;
};

export type Resources = {
  readonly vms: readonly ListedVm[];
  readonly hosts: readonly ListedHost[];
  readonly storages: readonly ListedStorage[];
};

/** One call, whatever the size of the cluster. */
export async function listResources(
  api: ProxmoxApi,
  signal: AbortSignal,
  type?: 'vm' | 'node' | 'storage',
): Promise<Resources> {
  const rows = rowsOf(
    await api.get({ path: '/cluster/resources', doing: 'list what is in the cluster', params: { type } }, signal),
  );
  const ofType = (...types: readonly string[]) => rows.filter((row) => types.includes(textOf(row, 'type') ?? ''));
  return {
    vms: ofType('qemu', 'lxc').flatMap(listedVm),
    hosts: ofType('node').map((row): ListedHost => ({
      name: textOf(row, 'node') ?? '',
      online: textOf(row, 'status') === 'online',
      cpus: numberOf(row, 'maxcpu'),
      memoryBytes: numberOf(row, 'maxmem'),
    })),
    storages: ofType('storage').map((row): ListedStorage => ({
      name: textOf(row, 'storage') ?? '',
      host: textOf(row, 'node') ?? '',
      shared: flagOf(row, 'shared'),
      content: listOf(row, 'content'),
      available: textOf(row, 'status') === 'available',
    })),
  };
}

function listedVm(row: Row): readonly ListedVm[] {
  const vmid = numberOf(row, 'vmid');
  const host = textOf(row, 'node');
  if (vmid === undefined || host === undefined) return [];
  return [
    {
      vmid,
      host,
      kind: textOf(row, 'type') === 'lxc' ? 'lxc' : 'qemu',
      template: flagOf(row, 'template'),
      tags: listOf(row, 'tags').map((tag) => tag.toLowerCase()),
      pool: textOf(row, 'pool'),
    },
  ];
}
