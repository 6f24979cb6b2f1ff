import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTalosLab } from '../../src/lab/talos/lab.ts';
import { quickDurations } from '../../src/lab/talos/node/hardware.ts';
import type { TalosLab } from '../../src/lab/talos/twin.ts';
import { newSecrets } from '../../src/talos/secrets/new.ts';
import { secretsText } from '../../src/talos/secrets/text.ts';
import { ichorBeside, type Ran } from '../cli.ts';
import { seededEntropy } from '../entropy.ts';
import { folderForAll } from '../folder.ts';
import { hiddenIn, leaks } from '../leaks.ts';
import { twoMachines } from '../talos-platform.ts';

const cp = '127.0.71.11';
const worker = '127.0.71.21';

/** One cluster’s life, told by the command line alone; the nodes live in this process. */
describe('a cluster from maintenance mode to its end', () => {
  const cwd = folderForAll();
  let lab: TalosLab;
  let hidden: readonly string[];
  const outputs: string[] = [];

  const run = async (...args: readonly string[]): Promise<Ran> => {
    const ran = await ichorBeside(['talos', ...args], { cwd, env: { HOME: cwd } });
    outputs.push(ran.stdout, ran.stderr);
    return ran;
  };
  const ok = async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await run(...args);
    expect({ args, status, ...(status === 0 ? {} : { stdout, stderr }) }).toEqual({ args, status: 0 });
    return stdout;
  };
  const refused = async (...args: readonly string[]): Promise<string> => {
    const { status, stderr } = await run(...args);
    expect({ args, status }).toEqual({ args, status: 1 });
    return stderr;
  };
  const json = async (...args: readonly string[]): Promise<{ nodes: Record<string, never>[] }> =>
    JSON.parse(await ok(...args, '--output', 'json')) as { nodes: Record<string, never>[] };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  beforeAll(async () => {
    lab = await startTalosLab({ durations: quickDurations });
    await Promise.all([cp, worker].map((address) => lab.add({ address })));
    await until(() => [...lab.twins.values()].every((twin) => twin.stage() === 'maintenance'));
    writeFileSync(join(cwd, 'platform.yaml'), twoMachines({ cp, worker }, 'cni: { flannel: {} }'));
    const clock = { now: () => new Date() };
    const secrets = secretsText(await newSecrets(seededEntropy('nodes'), clock, '1.13'));
    writeFileSync(join(cwd, 'secrets.yaml'), secrets, { mode: 0o600 });
    hidden = hiddenIn(secrets);
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  test('its files are written', async () => {
    expect(await ok('gen', '--secrets', 'secrets.yaml')).toContain('6 files written.');
  });

  test('a machine in maintenance mode tells what it is made of to anybody', async () => {
    expect(await ok('version', '--insecure', '-n', cp)).toContain('v1.13.9');
    expect(await ok('disks', '--insecure', '-n', cp)).toContain('/dev/sda');
    expect(await ok('addresses', '--insecure', '-n', cp)).toContain(cp);
    expect(await refused('version', '--insecure')).toContain('are in no talosconfig, and none is named');
  });

  test('a machine with another fingerprint gets nothing', async () => {
    const wrong = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
    expect(await refused('apply', 'cp-0', '--insecure', '--fingerprint', wrong)).toContain(
      `${cp} showed the fingerprint ${lab.twins.get(cp)?.fingerprint()}, and ${wrong} was expected.`,
    );
    expect(lab.twins.get(cp)?.config()).toBeUndefined();
  });

  test('a machine that is not in the file, and one that is not there', async () => {
    expect(await refused('apply', 'cp-9', '--insecure')).toContain('There is no machine "cp-9" in platform "prod".');
    expect(await refused('apply', 'cp-0', '--insecure', '-n', '127.0.71.99')).toContain('nothing listens there');
  });

  test('a configuration that Talos refuses is refused in its words, and without a secret', async () => {
    const config = readFileSync(join(cwd, 'talos/nodes/prod-cp-0.yaml'), 'utf8');
    writeFileSync(join(cwd, 'broken.yaml'), config.replace('    type: controlplane', '    type: banana'));
    expect(await refused('apply', '--config', 'broken.yaml', '--insecure', '-n', cp)).toContain(
      'unknown machine type "banana"',
    );
  });

  test('machines get their configuration, each at its address', async () => {
    const fingerprint = lab.twins.get(cp)?.fingerprint() ?? '';
    expect(await ok('apply', 'cp-0', '--insecure', '--fingerprint', fingerprint)).toMatch(/^prod-cp-0: applied \(/);
    expect(await ok('apply', 'general-0', '--insecure')).toMatch(/^prod-general-0: applied \(/);
    await until(() => lab.twins.get(worker)?.stage() === 'running');
    expect(await ok('version')).toMatch(new RegExp(`^node +version .*\\n${cp} +v1\\.13\\.9 `));
  });

  test('etcd is started once', async () => {
    expect(await ok('bootstrap', '-n', cp)).toBe(`${cp}: bootstrapped\n`);
    expect(await ok('bootstrap', '-n', cp)).toBe('Nothing to do: the cluster has its etcd.\n');
    const stderr = await refused('bootstrap', '-n', `${cp},${worker}`);
    expect(stderr).toContain('etcd is started on exactly one control plane.');
  });

  test('the cluster is healthy, check by check', async () => {
    const stdout = await ok('health', '--timeout', '30s');
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'ok       etcd to be healthy',
      'ok       etcd members to be consistent across nodes',
      'ok       etcd members to be control plane nodes',
      'ok       apid to be ready',
    ]);
    expect(stdout).not.toContain('failed');
  });

  test('a kubeconfig comes from the node', async () => {
    expect(await ok('kubeconfig', '--out', 'kubeconfig')).toBe('written: kubeconfig, context admin@prod\n');
    expect(statSync(join(cwd, 'kubeconfig')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, 'kubeconfig'), 'utf8')).toContain(`server: https://${cp}:6443`);
    expect(await ok('kubeconfig', '--out', 'kubeconfig')).toContain('Nothing to change');
    expect(await ok('kubeconfig', '--offline', '--out', 'kubeconfig')).toContain('Nothing to change');
  });

  test('nodes tell about themselves, several at once, in the order that was asked', async () => {
    const services = await json('services', '-n', `${worker},${cp}`);
    expect(services.nodes.map(({ node }) => node)).toEqual([worker, cp]);
    expect(await ok('services', '-n', cp)).toMatch(new RegExp(`${cp} +etcd +Running +healthy`));
    expect(await ok('disks', '-n', cp)).toContain('/dev/sda');
    expect(await ok('links', '-n', cp)).toMatch(/eth0|ens/);
    expect(await ok('addresses', '-n', cp)).toContain(cp);
  });

  test('one node that does not answer does not silence the other', async () => {
    const { status, stdout, stderr } = await run('version', '-n', `127.0.71.99,${cp}`);
    expect(status).toBe(1);
    expect(stdout).toContain(`${cp}  v1.13.9`);
    expect(stderr).toContain('127.0.71.99 could not be asked for version');
  });

  test('resources are shown as their type prints them', async () => {
    expect(await ok('get', 'machinestatus', '-n', cp)).toMatch(/node +namespace +type +id +version +stage +ready\n/);
    expect(await ok('get', 'members')).toContain('prod-general-0');
    expect(await ok('get', 'machinetype', '-n', worker, '--output', 'yaml')).toMatch(/\nspec: worker\n$/);
    expect(await refused('get', 'machineconfig', '-n', cp)).toContain('hold secrets in clear');
    expect(await refused('get', 'machinestatuz', '-n', cp)).toContain('Did you mean machinestatus?');
  });

  test('etcd is looked at and saved', async () => {
    expect(await ok('etcd', 'members')).toContain('prod-cp-0');
    expect(await ok('etcd', 'status')).toMatch(/3\.\d+\.\d+/);
    expect(await ok('etcd', 'snapshot', 'etcd.db')).toMatch(new RegExp(`^${cp}: saved .* to etcd\\.db\\n$`));
    const { mode, size } = statSync(join(cwd, 'etcd.db'));
    expect([mode & 0o777, size % 512]).toEqual([0o600, 32]);
    expect(await refused('etcd', 'members', '-n', worker)).toContain('only available on control plane nodes');
    expect(await refused('etcd', 'recover', 'etcd.db', '-n', cp)).toContain('etcd runs on this node');
    expect(await ok('etcd', 'alarms', 'list')).toBe('none\n');
  });

  test('logs, kernel messages and events are printed', async () => {
    expect(await ok('logs', 'etcd', '-n', cp, '--tail', '5')).not.toBe('');
    expect(await ok('dmesg', '-n', cp)).not.toBe('');
    const events = await ok('events', '-n', cp, '--tail', '5', '--no-follow', '--output', 'json');
    expect(
      events
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { node: string }).node),
    ).toEqual(Array(5).fill(cp));
  });

  test('a change without a reboot, tried before', async () => {
    const set = ['--set', 'cluster.sysctls={"net.core.somaxconn": "4096"}'];
    const tried = await ok('apply', 'cp-0', '--dry-run', ...set);
    expect(tried).toMatch(/^prod-cp-0: would apply \(/);
    expect(tried).toContain('prod-cp-0:   machine.sysctls["net.core.somaxconn"]: 4096, new\n');
    expect(lab.twins.get(cp)?.config()).not.toContain('somaxconn');
    expect(await ok('apply', 'cp-0', '--mode', 'no-reboot', ...set)).toMatch(/^prod-cp-0: applied \(no-reboot\)/);
    expect(lab.twins.get(cp)?.config()).toContain('somaxconn');
  });

  test('nodes reboot, one after the other', async () => {
    expect(await ok('reboot', '-n', worker)).toBe(`${worker}: rebooted\n`);
    expect(await refused('reboot')).toContain('This changes nodes, and none is named.');
  });

  test('a node is upgraded and goes back', async () => {
    const image =
      'factory.talos.dev/metal-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.13.10';
    expect(await ok('upgrade', '-n', worker, '--image', image)).toBe(`${worker}: upgraded from v1.13.9 to v1.13.10\n`);
    expect(await ok('rollback', '-n', worker)).toBe(`${worker}: rolled back from v1.13.10 to v1.13.9\n`);
    expect(await refused('upgrade', '-n', worker, '--to', 'v1.10.0')).toContain('more than one minor version');
  });

  test('a reset must be meant, and brings a node back to maintenance mode', async () => {
    const wipe = ['--system-labels-to-wipe', 'STATE,EPHEMERAL', '--reboot'];
    expect(await refused('reset', '-n', worker, ...wipe)).toContain(`A reset loses everything on ${worker}.`);
    expect(await ok('reset', '-n', worker, ...wipe, '--yes')).toBe(`${worker}: reset\n`);
    expect(lab.twins.get(worker)?.stage()).toBe('maintenance');
  });

  test('nothing that was printed shows a secret', () => {
    expect(outputs.length).toBeGreaterThan(60);
    expect(outputs.flatMap((text) => leaks(text, hidden))).toEqual([]);
  });
});
