import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
import { flagOf, listOf, numberOf, rowsOf, textOf } from '../api/row.ts';
import type { Live } from './observed.ts';

/** A guest of a host, as that host knows it: never as old as the cluster’s list may be. */
export type LiveGuest = Live & {
  readonly vmid: number;
  readonly kind: 'qemu' | 'lxc';
  readonly name: string | undefined;
  readonly cpu: number;
  readonly memoryBytes: number;
  readonly template: boolean;
  readonly tags: readonly string[];
};

export async function liveGuests(
  api: ProxmoxApi,
  host: string,
  kind: 'qemu' | 'lxc',
  signal: AbortSignal,
): Promise<readonly LiveGuest[]> {
  const what = kind === 'qemu' ? 'VMs' : 'containers';
  const rows = rowsOf(
    await api.get({ path: `${path`/nodes/${host}`}/${kind}`, doing: `list the ${what} of ${host}` }, signal),
  );
  return rows.map((row) => ({
    vmid: numberOf(row, 'vmid') ?? 0,
    kind,
    name: textOf(row, 'name'),
    cpu: numberOf(row, 'cpus') ?? 0,
    memoryBytes: numberOf(row, 'maxmem') ?? 0,
    template: flagOf(row, 'template'),
    tags: listOf(row, 'tags').map((tag) => tag.toLowerCase()),
    power: textOf(row, 'status') === 'running' ? 'on' : 'off',
    lock: textOf(row, 'lock'),
  }));
}
