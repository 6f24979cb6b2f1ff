import { expect, test } from 'vitest';
import { aDatacenter } from '../../../../test/proxmox-datacenter.ts';
import type { DoorlessDatacenter } from '../../../../test/proxmox-datacenter.ts';
import type { Principal } from '../call.ts';

type Row = Readonly<Record<string, unknown>>;
const token: Principal = { user: 'a@pve', token: 'ci' };
const nothing = { may: () => false };

/** Starts a task that lasts, or one that ends at once. */
function start({ datacenter }: DoorlessDatacenter, type: string, who: Principal, ms = 0): string {
  const host = datacenter.hosts.get('pve1');
  if (host === undefined) throw new Error('There is no pve1.');
  return datacenter.startTask({ host, who, type, id: '100', work: (worker) => worker.sleep(ms) });
}

const rows = async (lab: DoorlessDatacenter, asked: Record<string, string | number>, who: Principal = token) =>
  ((await lab.ask('GET /nodes/{node}/tasks', { node: 'pve1', ...asked }, { who, ...nothing })) as Row[]).map((row) => [
    row['type'],
    row['status'],
    row['user'],
    row['tokenid'],
  ]);

test('the list hides what runs unless it is asked for, and shows it in another shape', async () => {
  using lab = aDatacenter();
  start(lab, 'qmstart', token);
  await lab.clock.advance(10);
  const upid = start(lab, 'qmstop', token, 5000);
  await lab.clock.advance(10);
  expect(await rows(lab, {})).toEqual([['qmstart', 'OK', 'a@pve', 'ci']]);
  expect(await rows(lab, { source: 'active' })).toEqual([['qmstop', 'RUNNING', 'a@pve!ci', undefined]]);
  expect(await rows(lab, { source: 'all' })).toHaveLength(2);
  expect(await rows(lab, { source: 'all', statusfilter: 'unknown' })).toHaveLength(1);
  expect(await rows(lab, { source: 'all', typefilter: 'qmstart', limit: 1 })).toHaveLength(1);
  expect(await rows(lab, { source: 'all', vmid: 999 })).toEqual([]);
  expect(await rows(lab, { since: 4_000_000_000 })).toEqual([]);
  const status = { node: 'pve1', upid };
  expect(await lab.ask('GET /nodes/{node}/tasks/{upid}/status', status)).toMatchObject({
    status: 'running',
    user: 'a@pve',
    tokenid: 'ci',
    id: '100',
  });
});

test('a token sees its own tasks, its user those of the token too, and others need a right', async () => {
  using lab = aDatacenter();
  const upid = start(lab, 'qmstart', token);
  await lab.clock.advance(10);
  const other = { user: 'a@pve', token: 'other' };
  const user = { user: 'a@pve', token: undefined };
  expect([await rows(lab, {}, other), (await rows(lab, {}, user)).length]).toEqual([[], 1]);
  const asked = { node: 'pve1', upid };
  expect(await lab.refused('GET /nodes/{node}/tasks/{upid}/status', asked, { who: other, ...nothing })).toBe(
    'Permission check failed (/nodes/pve1, Sys.Audit)',
  );
  expect(await lab.refused('DELETE /nodes/{node}/tasks/{upid}', asked, { who: other, ...nothing })).toBe(
    'Permission check failed (/nodes/pve1, Sys.Modify)',
  );
});

test('a task is known only to the host that runs it', async () => {
  using lab = aDatacenter({ hosts: 2 });
  const upid = start(lab, 'qmstart', token);
  await lab.clock.advance(10);
  expect(await lab.refused('GET /nodes/{node}/tasks/{upid}/status', { node: 'pve2', upid })).toBe('upid: no such task');
  expect(await lab.ask('GET /nodes/{node}/tasks/{upid}/log', { node: 'pve2', upid })).toEqual([
    { n: 1, t: 'unable to open file - No such file or directory' },
  ]);
  expect(await lab.refused('DELETE /nodes/{node}/tasks/{upid}', { node: 'pve1', upid: 'garbage' })).toBe(
    'upid: unable to parse worker upid',
  );
});

test('a log is read in pieces, and has a line where it has none', async () => {
  using lab = aDatacenter();
  const upid = start(lab, 'qmstart', token, 1000);
  const log = (more: Record<string, number>) =>
    lab.ask('GET /nodes/{node}/tasks/{upid}/log', { node: 'pve1', upid, ...more });
  expect(await log({})).toEqual([{ n: 1, t: 'no content' }]);
  await lab.clock.advance(2000);
  expect([await log({ limit: 0 }), await log({ start: 1 })]).toEqual([[{ n: 1, t: 'TASK OK' }], []]);
});

test('what hosts tell each other has no processes in it', async () => {
  using lab = aDatacenter({ hosts: 2 });
  start(lab, 'qmstart', token);
  await lab.clock.advance(10);
  const [row] = (await lab.ask('GET /cluster/tasks')) as Row[];
  expect(Object.keys(row ?? {}).sort()).toEqual(
    ['endtime', 'id', 'node', 'saved', 'starttime', 'status', 'tokenid', 'type', 'upid', 'user'].sort(),
  );
  expect(await lab.ask('GET /cluster/tasks', {}, { who: token, ...nothing })).toEqual([]);
});
