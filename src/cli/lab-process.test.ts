import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { startOf, thisProcess } from '../state/process.ts';
import { endProcess, isAlive } from './lab-process.ts';

function aProcess(script: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', `${script}; process.stdout.write('up')`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise((resolve) => child.stdout.once('data', () => resolve(child.pid ?? 0)));
}

test('a process is known by its number and its beginning', async () => {
  const own = await thisProcess();
  expect(await isAlive(own)).toBe(true);
  expect(await isAlive({ ...own, started: 'some other time' })).toBe(false);
  expect(await isAlive({ ...own, pid: 2 ** 22 + 1 })).toBe(false);
});

test('one that only has the same number is left alone; the one that is meant ends', async () => {
  const pid = await aProcess('setInterval(() => {}, 1000)');
  const started = (await startOf(pid)) ?? '';
  await endProcess({ pid, started: 'some other time' });
  expect(await isAlive({ pid, started })).toBe(true);
  await endProcess({ pid, started });
  expect(await isAlive({ pid, started })).toBe(false);
});
