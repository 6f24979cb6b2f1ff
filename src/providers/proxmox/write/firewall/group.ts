import type { ProxmoxApi } from '../../api/api.ts';
import { path } from '../../api/form.ts';
import { numberOf, rowsOf, textOf, type Row } from '../../api/row.ts';
import { right, settle, thereAlready } from './settle.ts';
import type { Rule } from './table.ts';

/** A group with exactly these rules. All of them let something in, so their order means nothing. */
export async function ensureGroup(
  api: ProxmoxApi,
  group: string,
  comment: string,
  rules: readonly Rule[],
  signal: AbortSignal,
): Promise<void> {
  await settle(
    api,
    async () => {
      if (!(await listed(api, signal)).includes(group)) await make(api, group, comment, signal);
      const wanted = new Map(rules.map((rule) => [keyOf(rule), rule]));
      const superfluous: Row[] = [];
      for (const row of await rulesIn(api, group, signal)) {
        const key = keyOf(ruleOf(row));
        // A second one of the same is what a lost answer leaves behind.
        if (isLive(row) && wanted.has(key)) wanted.delete(key);
        else superfluous.push(row);
      }
      // New ones come in at the front, so the others are further back by then.
      for (const rule of wanted.values()) await add(api, group, rule, signal);
      const positions = superfluous.map((row) => (numberOf(row, 'pos') ?? 0) + wanted.size);
      for (const pos of positions.toSorted((one, other) => other - one)) await drop(api, group, pos, signal);
    },
    signal,
  );
}

export async function removeGroup(api: ProxmoxApi, group: string, signal: AbortSignal): Promise<void> {
  await settle(
    api,
    async () => {
      if (!(await listed(api, signal)).includes(group)) return;
      const rows = await rulesIn(api, group, signal);
      for (const pos of rows.map((_, index) => index).toReversed()) await drop(api, group, pos, signal);
      const call = {
        path: path`/cluster/firewall/groups/${group}`,
        doing: `remove the security group ${group}`,
        needs: right,
      };
      await api.write('DELETE', call, signal);
    },
    signal,
  );
}

async function listed(api: ProxmoxApi, signal: AbortSignal): Promise<readonly string[]> {
  const rows = rowsOf(await api.get({ path: '/cluster/firewall/groups', doing: 'list the security groups' }, signal));
  return rows.flatMap((row) => textOf(row, 'group') ?? []);
}

async function rulesIn(api: ProxmoxApi, group: string, signal: AbortSignal): Promise<readonly Row[]> {
  const request = { path: path`/cluster/firewall/groups/${group}`, doing: `list the rules of ${group}` };
  return rowsOf(await api.get(request, signal));
}

const isLive = (row: Row): boolean =>
  textOf(row, 'type') === 'in' && textOf(row, 'action') === 'ACCEPT' && (numberOf(row, 'enable') ?? 0) === 1;

const ruleOf = (row: Row): Rule => ({
  proto: textOf(row, 'proto') ?? '',
  dport: textOf(row, 'dport'),
  source: textOf(row, 'source'),
  comment: textOf(row, 'comment') ?? '',
});

const keyOf = ({ proto, dport, source, comment }: Rule): string => [proto, dport, source, comment].join(' ');

const make = (api: ProxmoxApi, group: string, comment: string, signal: AbortSignal): Promise<unknown> =>
  thereAlready(() =>
    api.write(
      'POST',
      {
        path: '/cluster/firewall/groups',
        doing: `make the security group ${group}`,
        needs: right,
        params: { group, comment },
      },
      signal,
    ),
  );

const add = (api: ProxmoxApi, group: string, rule: Rule, signal: AbortSignal): Promise<unknown> =>
  api.write(
    'POST',
    {
      path: path`/cluster/firewall/groups/${group}`,
      doing: `add a rule to ${group}`,
      needs: right,
      params: { type: 'in', action: 'ACCEPT', enable: 1, ...rule },
    },
    signal,
  );

const drop = (api: ProxmoxApi, group: string, pos: number, signal: AbortSignal): Promise<unknown> =>
  api.write(
    'DELETE',
    { path: path`/cluster/firewall/groups/${group}/${pos}`, doing: `remove a rule of ${group}`, needs: right },
    signal,
  );
