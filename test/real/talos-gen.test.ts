import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTalosLab } from '../../src/lab/talos/lab.ts';
import { quickDurations } from '../../src/lab/talos/node/hardware.ts';
import type { TalosLab } from '../../src/lab/talos/twin.ts';
import { ichorBeside } from '../cli.ts';
import { folderForAll } from '../folder.ts';
import { twoMachines } from '../talos-platform.ts';
import { peerProgram } from './peers.ts';

const cp = '127.0.72.11';
const worker = '127.0.72.21';
const execute = promisify(execFile);

/** talosctl as somebody has it who never used it before. */
describe('what ichor talos writes, talosctl takes, and the reverse', () => {
  const cwd = folderForAll();
  let talosctl: string;
  let lab: TalosLab;

  const run = async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await ichorBeside(['talos', ...args], { cwd, env: { HOME: cwd } });
    expect({ args, status, stderr: status === 0 ? '' : stderr }).toEqual({ args, status: 0, stderr: '' });
    return stdout;
  };
  const real = async (...args: readonly string[]): Promise<string> => {
    const env = { PATH: process.env['PATH'], HOME: join(cwd, 'home') };
    const { stdout, stderr } = await execute(talosctl, args, { cwd, env, timeout: 60_000 });
    return stdout + stderr;
  };

  beforeAll(async () => {
    talosctl = await peerProgram('talosctl');
    lab = await startTalosLab({ durations: quickDurations });
    await Promise.all([cp, worker].map((address) => lab.add({ address })));
    writeFileSync(join(cwd, 'platform.yaml'), twoMachines({ cp, worker }, 'cni: { flannel: {} }'));
    await run('gen');
  }, 900_000);
  afterAll(() => lab[Symbol.asyncDispose]());

  test('talosctl validate accepts every configuration', async () => {
    for (const file of ['control-plane.yaml', 'worker.yaml', 'nodes/prod-cp-0.yaml', 'nodes/prod-general-0.yaml'])
      expect(await real('validate', '--mode', 'metal', '--strict', '--config', join('talos', file))).toBe(
        `${join('talos', file)} is valid for metal mode\n`,
      );
  });

  test('secrets of talosctl are adopted to the byte, and give the configuration that talosctl makes of them', async () => {
    await real('gen', 'secrets', '--output-file', 'theirs.yaml');
    await run('gen', '--out', 'adopted', '--secrets', 'theirs.yaml');
    const [theirs, ours] = ['theirs.yaml', 'adopted/secrets.yaml'].map((file) => readFileSync(join(cwd, file), 'utf8'));
    expect(ours).toBe(theirs);
    expect(await real('config', 'info', '--talosconfig', 'adopted/talosconfig')).toMatch(/Roles: +os:admin/);
  });

  test('talosctl brings a twin up with what ichor wrote', async () => {
    await real('apply-config', '--insecure', '--nodes', cp, '--file', 'talos/nodes/prod-cp-0.yaml');
    await run('apply', 'general-0', '--insecure');
    const as = ['--talosconfig', 'talos/talosconfig', '--nodes', cp];
    await expect.poll(() => real(...as, 'version', '--short').catch(String), { timeout: 30_000 }).toContain('v1.13.9');
    await real(...as, 'bootstrap');
    await expect.poll(() => real(...as, 'etcd', 'members').catch(String), { timeout: 30_000 }).toContain('prod-cp-0');
    expect(await run('bootstrap', '-n', cp)).toBe('Nothing to do: the cluster has its etcd.\n');
  });

  test('ichor talos works with a talosconfig that a node made for talosctl', async () => {
    const as = ['--talosconfig', 'talos/talosconfig', '--nodes', cp];
    await real(...as, 'config', 'new', 'theirs', '--roles', 'os:reader', '--crt-ttl', '1h');
    await real('--talosconfig', 'theirs', 'config', 'endpoint', cp);
    expect(await run('version', '--talosconfig', 'theirs')).toContain(`${cp}  v1.13.9`);
    expect(await run('talosconfig', '--talosconfig', 'theirs')).toContain('os:reader');
    const denied = await ichorBeside(['talos', 'reboot', '--talosconfig', 'theirs', '-n', cp], {
      cwd,
      env: { HOME: cwd },
    });
    expect([denied.status, denied.stderr]).toEqual([1, expect.stringContaining('not authorized')]);
  });

  test('merged talosconfigs and kubeconfigs are read by the tools that they are for', async () => {
    await real('config', 'merge', 'talos/talosconfig', '--talosconfig', 'both');
    await run('talosconfig', 'merge', 'adopted/talosconfig', '--into', 'both');
    expect(await real('config', 'contexts', '--talosconfig', 'both')).toMatch(/prod-1/);
    await run('kubeconfig', '--out', 'kubeconfig');
    const kubectl = await peerProgram('kubectl');
    const { stdout } = await execute(kubectl, ['--kubeconfig', 'kubeconfig', 'config', 'current-context'], { cwd });
    expect(stdout).toBe('admin@prod\n');
  }, 900_000);

  test('both show the same of a node', async () => {
    const theirs = await real(
      '--talosconfig',
      'talos/talosconfig',
      '--nodes',
      cp,
      'get',
      'members',
      '--output',
      'json',
    );
    const ours = JSON.parse(await run('get', 'members', '-n', cp, '--output', 'json')) as {
      resources: { metadata: { id: string }; spec: unknown }[];
    };
    const items = theirs
      .trim()
      .split(/\n(?=\{)/)
      .map((text) => JSON.parse(text) as { metadata: { id: string }; spec: unknown });
    const facts = (all: readonly { metadata: { id: string }; spec: unknown }[]) =>
      all.map(({ metadata: { id }, spec }) => ({ id, spec })).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(facts(ours.resources)).toEqual(facts(items));
    expect(items.length).toBe(2);
  });
});
