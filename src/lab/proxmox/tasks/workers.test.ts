import { expect, test } from 'vitest';
import { virtualClock } from '../../clock.ts';
import { aDatacenter } from '../../../../test/proxmox-datacenter.ts';
import { died, forbidden } from '../refusal.ts';
import type { Fate, Task, Worker } from './task.ts';
import { parseUpid, printUpid } from './upid.ts';
import { killTasks, startProcess } from './workers.ts';

function run(work: (worker: Worker) => Promise<void>, fate?: Fate, warnings = 0) {
  const clock = virtualClock();
  const [host] = aDatacenter().datacenter.hosts.values();
  if (host === undefined) throw new Error('There is no host.');
  const who = { user: 'root@pam', token: 'full' };
  const given = { host, who, type: 'qmstart', id: '100', work, ...(fate === undefined ? {} : { fate }) };
  const task = startProcess(clock, given, warnings);
  host.tasks.push(task);
  return { clock, host, task };
}

const end = ({ log, exit }: Task): unknown => [exit, ...log];

const busy = async (worker: Worker): Promise<void> => {
  worker.say('one');
  await worker.sleep(1000);
  worker.say('two');
};

test.each<[string, (worker: Worker) => Promise<void>, Fate | undefined, unknown]>([
  ['ends well', busy, undefined, ['OK', 'one', 'two', 'TASK OK']],
  [
    'warns',
    async (worker) => worker.warn('look out'),
    undefined,
    ['WARNINGS: 1', 'WARN: look out', 'TASK WARNINGS: 1'],
  ],
  ['fails with one line', async () => Promise.reject(died('a\nb')), undefined, ['a b', 'TASK ERROR: a b']],
  [
    'quotes a refusal with its status',
    async () => Promise.reject(forbidden('/vms/1, VM.Audit')),
    undefined,
    ['403 Permission check failed (/vms/1, VM.Audit)', 'TASK ERROR: 403 Permission check failed (/vms/1, VM.Audit)'],
  ],
  ['is told to fail', busy, { kind: 'fail', reason: 'no luck' }, ['no luck', 'one', 'TASK ERROR: no luck']],
  ['is told to warn', busy, { kind: 'warn' }, ['WARNINGS: 1', 'one', 'two', 'TASK WARNINGS: 1']],
  ['is told to die', busy, { kind: 'kill' }, ['unexpected status', 'one']],
  ['is told to fail, and takes no time', async () => undefined, { kind: 'fail', reason: 'x' }, ['x', 'TASK ERROR: x']],
])('a task that %s', async (_, work, fate, expected) => {
  const { clock, task } = run(work, fate);
  await clock.advance(2000);
  expect(end(task)).toEqual(expected);
});

test('an aborted task is interrupted and may clean up', async () => {
  const { clock, task } = run(async (worker) => {
    try {
      await worker.sleep(60_000);
    } finally {
      worker.say('cleaned up');
    }
  });
  await clock.advance(100);
  task.abort();
  await task.ended;
  expect(end(task)).toEqual(['received interrupt', 'cleaned up', 'TASK ERROR: received interrupt']);
});

test('who does not heed an interrupt is killed', async () => {
  const { clock, task } = run(() => new Promise(() => undefined));
  task.abort();
  await clock.advance(4999);
  expect(task.exit).toBeUndefined();
  await clock.advance(1);
  expect(end(task)).toEqual(['unexpected status']);
});

test('with its host everything dies in the middle of what it does', async () => {
  let wentOn = false;
  const { clock, host, task } = run(async (worker) => {
    await worker.sleep(1000).finally(() => {
      wentOn = true;
    });
  });
  await clock.advance(500);
  killTasks(host);
  await clock.advance(5000);
  expect([end(task), wentOn]).toEqual([['unexpected status'], false]);
});

test('warnings of the daemon’s worker stay with its tasks', async () => {
  const { clock, task } = run(async () => undefined, undefined, 1);
  await clock.advance(1);
  expect(end(task)).toEqual(['WARNINGS: 1', 'TASK WARNINGS: 1']);
});

test('a UPID names host, process, moment, kind, id and user', () => {
  const upid = 'UPID:pve1:00000536:000504E6:6AFA3A6F:qmcreate:101:root@pam!full:';
  const parsed = parseUpid(upid);
  expect(parsed).toEqual({
    host: 'pve1',
    pid: 1334,
    pstart: 328_934,
    starttime: 1_794_783_855,
    type: 'qmcreate',
    id: '101',
    user: 'root@pam!full',
  });
  expect(parsed === undefined ? '' : printUpid(parsed)).toBe(upid);
  expect(parseUpid('garbage')).toBeUndefined();
});
