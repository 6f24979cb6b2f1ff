import type { LabRequest } from '../../lab/request-log.ts';
import type { Terminal } from '../terminal.ts';
import { table } from './table.ts';

const totalsOf = (all: readonly LabRequest[]) => ({
  requests: all.length,
  writes: all.filter(({ write }) => write).length,
});

export const requestsJson = (all: readonly LabRequest[], writes: boolean): unknown => ({
  totals: totalsOf(all),
  requests: writes ? all.filter(({ write }) => write) : all,
});

/** The same question of the same thing is one line, with how often it was asked. */
export function requestsText(all: readonly LabRequest[], writes: boolean, { paint }: Terminal): string {
  const counts = new Map<string, { readonly row: readonly string[]; count: number }>();
  for (const { api, method, path, status, write } of all) {
    if (writes && !write) continue;
    const row = [api, method, patternOf(path), String(status), write ? 'write' : ''];
    const key = row.join(' ');
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { row, count: 1 });
    else known.count += 1;
  }
  const rows = [...counts.values()].map(({ row, count }) => [String(count), ...row]);
  const { requests, writes: changing } = totalsOf(all);
  const lines = table(
    [
      { title: 'times', align: 'right' },
      { title: 'api' },
      { title: 'method' },
      { title: 'path' },
      { title: 'status' },
      { title: '' },
    ],
    rows,
    (text) => paint('dim', text),
  );
  const total = `${requests} ${requests === 1 ? 'request' : 'requests'}, ${changing} of them ${changing === 1 ? 'a write' : 'writes'}.\n`;
  return rows.length === 0 ? total : `${lines.join('\n')}\n\n${total}`;
}

/** What differs from one VM or task to the next is a star. */
const patternOf = (path: string): string =>
  path
    .split('/')
    .map((segment) => (/^\d+$/.test(segment) || segment.startsWith('UPID:') ? '*' : segment))
    .join('/');
