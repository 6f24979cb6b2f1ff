import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTalosLab } from '../../src/lab/talos/lab.ts';
import type { RunningTalosLab } from '../../src/lab/talos/lab.ts';
import { quickDurations } from '../../src/lab/talos/node/hardware.ts';
import { nodesApi } from './kube-nodes.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';

const cp1 = '127.93.0.1';
const cp2 = '127.93.0.2';
const worker = '127.93.0.3';

let lab: RunningTalosLab;
let talosctl = '';
let folder = '';
let close = (): Promise<void> => Promise.resolve();

type Ran = { readonly code: number | null; readonly out: string };

/** Runs the real program; an address is all that it is told besides the verb. */
function run(args: readonly string[], options: { readonly forMs?: number; readonly pty?: boolean } = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const command = [talosctl, ...args];
    const [program = '', ...rest] = options.pty === true ? ['script', '-qec', command.join(' '), '/dev/null'] : command;
    const child = spawn(program, rest, {
      cwd: folder,
      env: { ...process.env, TALOSCONFIG: join(folder, 'talosconfig'), TERM: 'xterm', HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: options.pty === true,
    });
    let out = '';
    const take = (chunk: Buffer): void => void (out += chunk.toString());
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer =
      options.forMs === undefined
        ? undefined
        : setTimeout(() => {
            if (options.pty === true && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
            else child.kill('SIGTERM');
          }, options.forMs);
    child.on('error', (error) => resolve({ code: null, out: error.message }));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out });
    });
  });
}

const said = async (...args: readonly string[]): Promise<string> => {
  const { code, out } = await run(args);
  expect(code, `talosctl ${args.join(' ')}\n${out}`).toBe(0);
  return out;
};

beforeAll(async () => {
  talosctl = await peerProgram('talosctl');
  folder = await mkdtemp(join(tmpdir(), 'ichor-talosctl-'));
  lab = await startTalosLab({ durations: { ...quickDurations, reboot: 1500 }, kubernetes: nodesApi });
  for (const [address, dhcpHostname] of [
    [cp1, 'one'],
    [cp2, 'two'],
    [worker, 'three'],
  ] as const)
    await lab.add({ address, dhcpHostname });
  close = async () => {
    await lab[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
  await run(['gen', 'config', 'demo', `https://${cp1}:6443`, '--output-dir', folder]);
  await run(['config', 'endpoint', cp1]);
}, buildTimeoutMs);

afterAll(() => close());

const waiting = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 20_000; !(await holds());) {
    if (Date.now() > end) throw new Error('The twin did not come to where talosctl could go on.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

test('maintenance mode: version, disks, and a configuration by apply-config --insecure', async () => {
  await waiting(async () => [cp1, cp2, worker].every((address) => lab.twins.get(address)?.fingerprint() !== undefined));
  expect(await said('version', '--insecure', '--nodes', cp1)).toContain('v1.13.9');
  expect(await said('get', 'disks', '--insecure', '--nodes', cp1)).toContain('QEMU HARDDISK');
  for (const [address, file] of [
    [cp1, 'controlplane.yaml'],
    [cp2, 'controlplane.yaml'],
    [worker, 'worker.yaml'],
  ] as const)
    await said('apply-config', '--insecure', '--nodes', address, '--file', file);
  await waiting(async () => (await run(['version', '--nodes', worker])).code === 0);
});

test('bootstrap, and health says that every check holds', async () => {
  await waiting(async () => /etcd\s+Preparing/.test((await run(['services', '--nodes', cp1])).out));
  await said('bootstrap', '--nodes', cp1);
  const health = await said('health', '--nodes', cp1);
  expect(health.match(/^waiting for .*: OK$/gm)).toHaveLength(16);
  expect(await said('bootstrap', '--nodes', cp2).catch((error: Error) => error.message)).toContain(
    'etcd data directory is not empty',
  );
});

test('kubeconfig comes out of an archive without an end', async () => {
  await said('kubeconfig', join(folder, 'kubeconfig'), '--nodes', cp1);
  expect(await readFile(join(folder, 'kubeconfig'), 'utf8')).toContain('name: admin@demo');
});

test.each(['members', 'addresses', 'machinestatus', 'services', 'disks', 'links'])('get %s', async (type) => {
  expect(await said('get', type, '--nodes', cp1)).toMatch(/^NODE +NAMESPACE +TYPE +ID +VERSION/);
  const yaml = await said('get', type, '--nodes', cp1, '--output', 'yaml');
  expect(yaml).toMatch(/^node: 127\.93\.0\.1\nmetadata:\n {4}namespace: /);
  const { out } = await run(['get', type, '--nodes', cp1, '--watch'], { forMs: 1500 });
  expect(out).toContain(cp1);
});

test('etcd: members, status, and a snapshot that etcd’s own tools accept', async () => {
  expect((await said('etcd', 'members', '--nodes', cp1)).match(/https:\/\/127\.93\.0\.\d:2380/g)).toHaveLength(2);
  expect(await said('etcd', 'status', '--nodes', cp1)).toContain('3.6.12');
  const snapshot = await said('etcd', 'snapshot', join(folder, 'db.snapshot'), '--nodes', cp1);
  expect(snapshot).toMatch(/snapshot info: hash [0-9a-f]{8}, revision \d+, total keys \d+/);
  expect((await stat(join(folder, 'db.snapshot'))).size % 512).toBe(32);
});

test('services, logs, dmesg, events', async () => {
  expect(await said('services', '--nodes', `${cp1},${worker}`)).toMatch(/127\.93\.0\.3 +kubelet +Running +OK/);
  expect(await said('logs', 'kubelet', '--nodes', cp1)).toContain('Started task kubelet');
  expect(await said('dmesg', '--nodes', cp1)).toContain('Linux version');
  const { out } = await run(['events', '--tail', '5', '--nodes', cp1], { forMs: 1500 });
  expect(out).toContain('MachineStatusEvent');
});

test('the dashboard draws, and does not crash', async () => {
  const { out } = await run(['dashboard', '--nodes', cp1], { forMs: 6000, pty: true });
  expect(out).not.toMatch(/panic|goroutine \d+|error/i);
  expect(out).toContain('one');
});

test('upgrade: the new version is there after the reboot', async () => {
  await said('upgrade', '--nodes', worker, '--image', 'ghcr.io/siderolabs/installer:v1.13.10');
  expect(lab.twins.get(worker)?.version()).toBe('v1.13.10');
});

test('reset: the node leaves etcd, and is off', async () => {
  const { out } = await run(['reset', '--nodes', cp2], { forMs: 60_000 });
  expect(out).toContain('events check condition met');
  await waiting(async () => lab.twins.get(cp2)?.stage() === 'off');
  expect((await said('etcd', 'members', '--nodes', cp1)).match(/:2380/g)).toHaveLength(1);
});
