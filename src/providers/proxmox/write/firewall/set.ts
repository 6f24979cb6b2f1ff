import type { ProxmoxApi } from '../../api/api.ts';
import { path } from '../../api/form.ts';
import { isProblem } from '../../api/problem.ts';
import { rowsOf, textOf } from '../../api/row.ts';
import { right, settle, thereAlready } from './settle.ts';

/** A set with exactly these addresses. */
export async function ensureSet(
  api: ProxmoxApi,
  name: string,
  comment: string,
  members: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Set(members);
  await settle(
    api,
    async () => {
      if (!(await listed(api, signal)).includes(name)) await make(api, name, comment, signal);
      const has = await membersOf(api, name, signal);
      for (const cidr of wanted) if (!has.includes(cidr)) await add(api, name, cidr, signal);
      for (const cidr of has) if (!wanted.has(cidr)) await drop(api, name, cidr, signal);
    },
    signal,
  );
}

export async function removeSet(api: ProxmoxApi, name: string, signal: AbortSignal): Promise<void> {
  await settle(
    api,
    async () => {
      if (!(await listed(api, signal)).includes(name)) return;
      for (const cidr of await membersOf(api, name, signal)) await drop(api, name, cidr, signal);
      const call = { path: path`/cluster/firewall/ipset/${name}`, doing: `remove the set ${name}`, needs: right };
      await api.write('DELETE', call, signal);
    },
    signal,
  );
}

async function listed(api: ProxmoxApi, signal: AbortSignal): Promise<readonly string[]> {
  const rows = rowsOf(await api.get({ path: '/cluster/firewall/ipset', doing: 'list the sets of addresses' }, signal));
  return rows.flatMap((row) => textOf(row, 'name') ?? []);
}

async function membersOf(api: ProxmoxApi, name: string, signal: AbortSignal): Promise<readonly string[]> {
  const request = { path: path`/cluster/firewall/ipset/${name}`, doing: `list the set ${name}` };
  return rowsOf(await api.get(request, signal)).flatMap((row) => textOf(row, 'cidr') ?? []);
}

const make = (api: ProxmoxApi, name: string, comment: string, signal: AbortSignal): Promise<unknown> =>
  thereAlready(() =>
    api.write(
      'POST',
      { path: '/cluster/firewall/ipset', doing: `make the set ${name}`, needs: right, params: { name, comment } },
      signal,
    ),
  );

const add = (api: ProxmoxApi, name: string, cidr: string, signal: AbortSignal): Promise<unknown> =>
  thereAlready(() =>
    api.write(
      'POST',
      { path: path`/cluster/firewall/ipset/${name}`, doing: `add ${cidr} to ${name}`, needs: right, params: { cidr } },
      signal,
    ),
  );

async function drop(api: ProxmoxApi, name: string, cidr: string, signal: AbortSignal): Promise<void> {
  const call = {
    path: path`/cluster/firewall/ipset/${name}/${cidr}`,
    doing: `take ${cidr} out of ${name}`,
    needs: right,
  };
  try {
    await api.write('DELETE', call, signal);
  } catch (error) {
    if (!isProblem(error, 'proxmox-bad-request')) throw error;
  }
}
