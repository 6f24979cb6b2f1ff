import { describe, expect, test } from 'vitest';
import { anApi, patience } from '../../../../test/proxmox/asking.ts';
import { aHost, ok, refused, type Heard } from '../../../../test/proxmox/scripted-host.ts';
import { Tasks } from './tasks.ts';
import { parseUpid } from './upid.ts';

const signal = AbortSignal.timeout(60_000);
const upid = 'UPID:pve2:00000536:000504E6:6AFA3A6F:qmcreate:401:root@pam!full:';
const doing = { doing: 'create VM 401 on pve1' };

/** A host whose task is seen in these states, one after the other. */
async function follow(states: readonly (string | object)[], log: readonly string[] = []) {
  let looks = 0;
  await using host = await aHost(({ path }: Heard) => {
    if (path.includes('/log')) return ok(log.map((t, n) => ({ n: n + 1, t })));
    const state = states[Math.min(looks++, states.length - 1)];
    return typeof state === 'string' ? state : ok(state);
  });
  const tools = patience();
  await using api = anApi([host], { tools });
  const end = await new Tasks(api).end(upid, doing, signal).then(
    (task) => task?.type,
    (error: Error) => error,
  );
  return { end, tools, paths: host.heard.map(({ path }) => decodeURIComponent(path)) };
}

const running = { status: 'running' };
const ended = (exitstatus: string) => ({ status: 'stopped', exitstatus });

describe('a task is followed', () => {
  test('on the host that runs it, more and more slowly, to its end', async () => {
    const { end, tools, paths } = await follow([running, running, running, running, running, ended('OK')]);
    expect(end).toBe('qmcreate');
    expect(tools.paused).toEqual([100, 100, 100, 100, 100, 100]);
    expect([...new Set(paths)]).toEqual([`/api2/json/nodes/pve2/tasks/${upid}/status`]);
  });

  test('and looked at for the first time when others of its kind had ended', async () => {
    let looks = 0;
    await using host = await aHost(() => ok(++looks < 24 ? running : ended('OK')));
    const tools = patience();
    await using api = anApi([host], { tools });
    const tasks = new Tasks(api);
    for (let task = 0; task < 3; task++) await tasks.end(upid, doing, signal);
    expect(tools.paused.slice(19).map(Math.round)).toEqual([100, 100, 100, 100, 100, 2400, 2160]);
    await tasks.end(upid.replace('qmcreate', 'qmstart'), doing, signal);
    expect(tools.paused.at(-1)).toBe(100);
  });

  test('and one of its kind goes ahead: the others are looked at when it has ended', async () => {
    const heard: string[] = [];
    let looks = 0;
    await using host = await aHost(({ path }: Heard) => {
      const id = decodeURIComponent(path).split(':')[6] ?? '';
      heard.push(id);
      return ok(id === '401' && ++looks < 20 ? running : ended('OK'));
    });
    const waking = (ms: number, until: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        until.throwIfAborted();
        if (ms < 1000) return void setImmediate(resolve);
        until.addEventListener('abort', () => reject(until.reason as Error), { once: true });
      });
    await using api = anApi([host], { tools: patience({ pause: waking }) });
    const tasks = new Tasks(api);
    const ids = ['401', '402', '403'];
    await Promise.all(ids.map((id) => tasks.end(upid.replace('401', id), doing, signal)));
    expect([heard.slice(0, 20), heard.slice(20).toSorted()]).toEqual([Array(20).fill('401'), ['402', '403']]);
  });

  test('also when it is not in the list yet', async () => {
    const unknown = refused(400, 'Parameter verification failed.', { upid: 'no such task' });
    expect((await follow([unknown, unknown, ended('OK')])).end).toBe('qmcreate');
  });

  test('and warnings are no failure: those that are in its log are passed on', async () => {
    const log = ['creating', 'WARN: no efidisk configured! Using temporary efivars disk.', 'TASK WARNINGS: 1'];
    const { end, tools } = await follow([ended('WARNINGS: 1')], log);
    expect(end).toBe('qmcreate');
    expect(tools.warnings.map(({ severity, message }) => [severity, message])).toEqual([
      [
        'warning',
        'Proxmox gave a warning when it was asked to create VM 401 on pve1: no efidisk configured! Using temporary efivars disk.',
      ],
    ]);
  });

  test('and a count without a line is the worker’s, not the task’s', async () => {
    const { end, tools } = await follow([ended('WARNINGS: 1')], ['creating', 'TASK WARNINGS: 1']);
    expect([end, tools.warnings]).toEqual(['qmcreate', []]);
  });

  test('and a failure is told with its log', async () => {
    const { end } = await follow(
      [ended("storage 'x' does not exist")],
      ['allocating', "TASK ERROR: storage 'x' does not exist"],
    );
    expect(end).toMatchObject({
      code: 'proxmox-no-storage',
      message:
        "Proxmox refused to create VM 401 on pve1: storage 'x' does not exist\nThe last lines of its log:\n    allocating",
    });
  });

  test('and one that was killed may have done its work', async () => {
    const { end } = await follow([ended('unexpected status')]);
    expect(end).toMatchObject({ code: 'proxmox-task-lost', fate: 'unknown', recovery: 'retry' });
  });
});

test('what was done at once has no task', async () => {
  await using host = await aHost(() => 'close');
  await using api = anApi([host]);
  expect(await new Tasks(api).end(null, doing, signal)).toBeUndefined();
  await expect(new Tasks(api).end('nonsense', doing, signal)).rejects.toThrow('answered without a task');
});

test('a task whose name got lost is found among those that run', async () => {
  const rows = [
    { upid: upid.replace('qmcreate', 'qmdestroy'), status: 'OK', endtime: 1 },
    { upid, status: 'RUNNING', saved: '0' },
  ];
  await using host = await aHost(() => ok(rows));
  await using api = anApi([host]);
  expect(await new Tasks(api).running('pve2', 401, 'qmcreate', signal)).toMatchObject({ upid });
  expect(host.heard[0]?.path).toBe('/api2/json/nodes/pve2/tasks?source=active&vmid=401&typefilter=qmcreate');
});

test('the name of a task says where it runs, since when, and what it is', () => {
  expect(parseUpid(upid)).toEqual({ upid, host: 'pve2', startedAt: 0x6afa3a6f, type: 'qmcreate', id: '401' });
  expect(parseUpid('UPID:pve1:000004D0:0004EBAE:6AFA3A2F:imgcopy::root@pam!full:')).toMatchObject({
    type: 'imgcopy',
    id: '',
  });
  expect([parseUpid('UPID:pve1:1'), parseUpid(null), parseUpid(7)]).toEqual([undefined, undefined, undefined]);
});

test('who gives up while it runs is heard', async () => {
  await using host = await aHost(() => ok(running));
  await using api = anApi([host]);
  const stop = new AbortController();
  const followed = new Tasks(api).end(upid, doing, stop.signal);
  stop.abort(new Error('enough'));
  await expect(followed).rejects.toThrow('enough');
});
