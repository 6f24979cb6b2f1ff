import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type {
  ClusterNode,
  HealthCheck,
  ResourceChange,
  TalosAccess,
  TalosEvent,
  TalosNode,
} from '../../src/clients/talos.ts';
import { bootstrapOnce } from '../../src/clients/talos/bootstrap.ts';
import { checkHealth } from '../../src/clients/talos/health.ts';
import { openTalos } from '../../src/clients/talos/node.ts';
import { probeTalos } from '../../src/clients/talos/probe.ts';
import { startTalosLab } from '../../src/lab/talos/lab.ts';
import { changeBetween } from '../../src/talos/config/reboot.ts';
import type { MachineConfig } from '../../src/talos/config/document.ts';
import { chooseContext, readTalosconfig } from '../../src/talos/talosconfig/read.ts';
import { ichorBeside, type Ran } from '../cli.ts';
import { broken } from '../conformance/talos/cases/config-refused.ts';
import { hiddenIn, leaks } from '../leaks.ts';
import { twoMachines } from '../talos-platform.ts';
import { kubectl, kubernetesBy } from './kubectl.ts';
import { type NodeLand, type RealNode, startNodeLand } from './nodes.ts';
import { buildTimeoutMs } from './peers.ts';

const addresses = { cp: '10.61.0.21', worker: '10.61.0.22' };
const names = { cp: 'prod-cp-0', worker: 'prod-general-0' };
const minutes = 60_000;

/** From a file to a cluster that runs, with nothing but our own: secrets, configurations, client and command line. */
describe('a cluster of real nodes', () => {
  const undo: (() => unknown)[] = [];
  const signal = AbortSignal.timeout(buildTimeoutMs);
  let folder: string;
  let land: NodeLand;
  let machines: { cp: RealNode; worker: RealNode };
  let fingerprints: { cp: string; worker: string };
  let access: TalosAccess;
  let cp: TalosNode;
  let worker: TalosNode;
  let hidden: ReturnType<typeof hiddenIn>;

  const ichor = async (...args: readonly string[]): Promise<Ran> => {
    const ran = await ichorBeside(['talos', ...args], { cwd: folder, env: { HOME: folder } });
    expect(leaks(ran.stdout + ran.stderr, hidden ?? [])).toEqual([]);
    return ran;
  };
  const made = (path: string): Promise<string> => readFile(join(folder, 'talos', path), 'utf8');
  const nodes = (): readonly ClusterNode<TalosNode>[] => [
    { name: names.cp, role: 'control-plane', addresses: [addresses.cp], talos: cp },
    { name: names.worker, role: 'worker', addresses: [addresses.worker], talos: worker },
  ];
  const until = async <T>(look: () => Promise<T>, good: (seen: T) => boolean): Promise<T> => {
    const end = Date.now() + 4 * minutes;
    for (;;) {
      const seen = await look().catch((error: unknown) => error as Error);
      if (!(seen instanceof Error) && good(seen)) return seen;
      if (Date.now() > end) throw seen instanceof Error ? seen : new Error(`Not in time: ${JSON.stringify(seen)}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ichor-life-'));
    undo.unshift(() => rm(folder, { recursive: true, force: true }));
    land = await startNodeLand({ kubernetes: true });
    undo.unshift(() => land[Symbol.asyncDispose]());
    machines = { cp: await land.up(names.cp, addresses.cp), worker: await land.up(names.worker, addresses.worker) };
    const patches = `patches: [${JSON.stringify(land.patch)}]`;
    await writeFile(join(folder, 'platform.yaml'), twoMachines(addresses, patches));
  }, buildTimeoutMs);

  afterAll(async () => {
    for (const step of undo) await step();
  }, 2 * minutes);

  test('ichor talos gen makes secrets and configurations from the file', async () => {
    const ran = await ichor('gen', '-f', 'platform.yaml');
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
    hidden = hiddenIn(await made('secrets.yaml'));
    const { ca, crt, key } = chooseContext(readTalosconfig(await made('talosconfig'), 'talosconfig'), 'talosconfig');
    access = { kind: 'mutual', ca, crt, key };
  });

  test('a probe sees maintenance mode, with the fingerprint that the console shows', async () => {
    const seen = {
      cp: await probeTalos({ host: addresses.cp }, signal),
      worker: await probeTalos({ host: addresses.worker }, signal),
    };
    expect(seen).toMatchObject({
      cp: { kind: 'maintenance', version: 'v1.13.9' },
      worker: { kind: 'maintenance', version: 'v1.13.9' },
    });
    if (seen.cp.kind !== 'maintenance' || seen.worker.kind !== 'maintenance')
      throw new Error('not in maintenance mode');
    fingerprints = { cp: seen.cp.fingerprint, worker: seen.worker.fingerprint };
    const console = await until(machines.cp.console, (text) => text.includes('--cert-fingerprint'));
    expect(/--cert-fingerprint '([^']+)'/.exec(console)?.[1]).toBe(fingerprints.cp);
  });

  test('a node with another fingerprint gets nothing', async () => {
    await using node = openTalos({
      host: addresses.cp,
      access: { kind: 'maintenance', fingerprint: fingerprints.worker },
    });
    const refused = node.apply(await made(`nodes/${names.cp}.yaml`), { mode: 'auto' }, signal);
    await expect(refused).rejects.toMatchObject({ code: 'talos-fingerprint-changed' });
    expect(await probeTalos({ host: addresses.cp }, signal)).toMatchObject({ kind: 'maintenance' });
  });

  test('what a node refuses, the twin refuses in the same words', { timeout: 2 * minutes }, async () => {
    await using lab = await startTalosLab();
    const double = await lab.add({
      address: '127.61.1.21',
      dhcpHostname: names.cp,
      platform: 'container',
      version: 'v1.13.9',
    });
    await until(
      () => probeTalos({ host: double.address }, signal),
      ({ kind }) => kind === 'maintenance',
    );
    await using ofTwin = openTalos({ host: double.address, access: { kind: 'maintenance' } });
    await using ofNode = openTalos({
      host: addresses.cp,
      access: { kind: 'maintenance', fingerprint: fingerprints.cp },
    });
    const configs = {
      controlPlane: await made(`nodes/${names.cp}.yaml`),
      worker: await made(`nodes/${names.worker}.yaml`),
    };
    const words = async (node: TalosNode, text: string): Promise<string> => {
      const problem = (await node
        .apply(text, { mode: 'auto', dryRun: true }, signal)
        .catch((error: unknown) => error)) as Error;
      return problem instanceof Error ? problem.message.replace(/^\S+ /, '') : 'accepted';
    };
    const asked = broken.filter(({ only }) => only !== 'configured');
    const said: { name: string; node: string; twin: string }[] = [];
    for (const { name, text } of asked)
      said.push({ name, node: await words(ofNode, text(configs)), twin: await words(ofTwin, text(configs)) });
    expect(said.filter(({ node }) => node === 'accepted')).toEqual([]);
    expect(said.map(({ name, twin: answer }) => ({ name, said: answer }))).toEqual(
      said.map(({ name, node }) => ({ name, said: node })),
    );
    expect(leaks(JSON.stringify(said), hidden)).toEqual([]);
  });

  test(
    'the configurations are taken, with the fingerprint pinned, and nothing secret is said',
    async () => {
      for (const role of ['cp', 'worker'] as const) {
        const pinned = { kind: 'maintenance', fingerprint: fingerprints[role] } as const;
        await using node = openTalos({ host: addresses[role], access: pinned });
        const text = await made(`nodes/${names[role]}.yaml`);
        const dry = await node.apply(text, { mode: 'auto', dryRun: true }, signal);
        expect(leaks(JSON.stringify(dry), hidden)).toEqual([]);
        expect(await node.apply(text, { mode: 'auto' }, signal)).toEqual({
          mode: 'no-reboot',
          warnings: [],
          details: 'Applied configuration without a reboot',
        });
      }
      cp = openTalos({ host: addresses.cp, access });
      worker = openTalos({ host: addresses.worker, access });
      undo.unshift(
        () => cp[Symbol.asyncDispose](),
        () => worker[Symbol.asyncDispose](),
      );
      await until(
        () => cp.version(signal),
        ({ tag }) => tag === 'v1.13.9',
      );
      await until(
        () => worker.version(signal),
        ({ tag }) => tag === 'v1.13.9',
      );
      expect(await probeTalos({ host: addresses.cp }, signal)).toEqual({ kind: 'configured' });
      expect([await cp.hostname(signal), await worker.hostname(signal)]).toEqual([names.cp, names.worker]);
    },
    5 * minutes,
  );

  test(
    'before the bootstrap etcd waits, and the machine is booting',
    async () => {
      const etcd = await until(
        async () => (await cp.services(signal)).find(({ id }) => id === 'etcd'),
        (service) => service?.state === 'Preparing',
      );
      expect(etcd).toMatchObject({ id: 'etcd', state: 'Preparing', health: 'unknown' });
      expect((await cp.machineStatus(signal)).stage).toBe('booting');
      await expect(cp.etcdMembers(signal, { deadlineMs: 1000 })).rejects.toBeInstanceOf(Error);
    },
    5 * minutes,
  );

  test('etcd is bootstrapped once, and a second time is seen to be one', { timeout: 5 * minutes }, async () => {
    expect(await bootstrapOnce(nodes(), names.cp, signal)).toEqual({ by: 'this-call' });
    expect(await bootstrapOnce(nodes(), names.cp, signal)).toEqual({ by: 'earlier' });
    const members = await cp.etcdMembers(signal);
    const [member] = members;
    expect(members).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
        hostname: names.cp,
        peerUrls: [`https://${addresses.cp}:2380`],
        clientUrls: [`https://${addresses.cp}:2379`],
        learner: false,
      },
    ]);
    expect(await cp.etcdStatus(signal)).toMatchObject({ memberId: member?.id, leader: member?.id, version: '3.6.12' });
    expect(await cp.etcdAlarms(signal)).toEqual([]);
  });

  test(
    'Kubernetes knows both nodes as ready, by the kubeconfig of the node and by one from the secrets alone',
    { timeout: 5 * minutes },
    async () => {
      const [fromNode, alone] = [join(folder, 'from-node'), join(folder, 'alone')];
      await writeFile(fromNode, await cp.kubeconfig(signal), { mode: 0o600 });
      const ran = await ichor('kubeconfig', '--offline', '-f', 'platform.yaml', '--from', 'talos', '--out', alone);
      expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
      const ready = async (file: string): Promise<object> =>
        (await kubernetesBy(file).nodes(signal)).map(({ name, ready: is, controlPlane }) => ({
          name,
          ready: is,
          controlPlane,
        }));
      const both = [
        { name: names.cp, ready: true, controlPlane: true },
        { name: names.worker, ready: true, controlPlane: false },
      ];
      await until(
        () => ready(fromNode),
        (seen) => JSON.stringify(seen) === JSON.stringify(both),
      );
      expect(await ready(alone)).toEqual(both);
    },
  );

  test('the cluster is healthy, check by check', { timeout: 5 * minutes }, async () => {
    const ended = new Map<string, HealthCheck['state']>();
    const details: string[] = [];
    const kubernetes = kubernetesBy(join(folder, 'from-node'));
    for await (const { name, state, detail } of checkHealth(nodes(), { kubernetes, deadlineMs: 4 * minutes }, signal)) {
      ended.set(name, state);
      if (state === 'failed') details.push(`${name}: ${detail}`);
    }
    expect(details).toEqual([]);
    expect([...ended].map(([name, state]) => `${name}: ${state}`)).toEqual([
      'etcd to be healthy: ok',
      'etcd members to be consistent across nodes: ok',
      'etcd members to be control plane nodes: ok',
      'apid to be ready: ok',
      'all nodes memory sizes: ok',
      'all nodes disk sizes: ok',
      'no diagnostics: ok',
      'kubelet to be healthy: ok',
      'all nodes to finish boot sequence: ok',
      'all k8s nodes to report: ok',
      'all control plane static pods to be running: ok',
      'all control plane components to be ready: ok',
      'all k8s nodes to report ready: skipped',
      'kube-proxy to report ready: skipped',
      'coredns to report ready: skipped',
      'all k8s nodes to report schedulable: ok',
    ]);
  });

  test('machines and services tell how they are', { timeout: 2 * minutes }, async () => {
    await until(
      () => cp.machineStatus(signal),
      ({ stage, ready }) => stage === 'running' && ready,
    );
    const services = (await cp.services(signal)).map(({ id, state, health }) => `${id} ${state} ${health}`);
    expect(services).toEqual(
      ['apid', 'containerd', 'cri', 'etcd', 'kubelet', 'machined', 'trustd'].map((id) => `${id} Running healthy`),
    );
    expect((await worker.services(signal)).map(({ id }) => id)).toEqual([
      'apid',
      'containerd',
      'cri',
      'kubelet',
      'machined',
    ]);
    expect((await cp.addresses(signal)).map(({ address, link }) => `${link} ${address}`)).toContain(
      `eth0 ${addresses.cp}/24`,
    );
    expect((await cp.links(signal)).map(({ name }) => name)).toContain('eth0');
    expect(await cp.disks(signal)).toEqual([]);
  });

  test('logs and events can be heard', { timeout: 2 * minutes }, async () => {
    const log: Uint8Array[] = [];
    for await (const piece of cp.logs({ id: 'kubelet', tail: 5 }, signal)) log.push(piece);
    expect(Buffer.concat(log).toString().trimEnd().split('\n')).toHaveLength(5);
    const events: TalosEvent[] = [];
    for await (const event of cp.events({ tail: -1 }, signal)) {
      events.push(event);
      if (event.kind === 'status' && event.status.stage === 'running' && event.status.ready) break;
    }
    const sequences = events.flatMap((event) =>
      event.kind === 'sequence' ? [`${event.sequence} ${event.action}`] : [],
    );
    expect(sequences).toEqual([
      'initialize start',
      'initialize stop',
      'install start',
      'install stop',
      'boot start',
      'boot stop',
    ]);
  });

  test(
    'a change without a reboot is seen by who watches, and Kubernetes has it',
    { timeout: 3 * minutes },
    async () => {
      const before = await cp.machineConfig(signal);
      const after = before.replace(/^( +)nodeLabels:\n/m, '$1nodeLabels:\n$1$1ichor.dev/seen: "yes"\n');
      expect(after === before).toBe(false);
      const told: string[] = [];
      const watching = (async () => {
        const query = { type: 'machineconfigs', id: 'v1alpha1' };
        for await (const change of cp.watch(query, signal)) {
          if (change.kind !== 'bootstrapped') told.push(kindOf(change));
          if (change.kind === 'updated') return;
        }
      })();
      await until(
        () => Promise.resolve(told),
        ({ length }) => length > 0,
      );
      const dry = await cp.apply(after, { mode: 'auto', dryRun: true }, signal);
      expect(leaks(JSON.stringify(dry), hidden)).toEqual([]);
      expect(await cp.apply(after, { mode: 'no-reboot' }, signal)).toMatchObject({ mode: 'no-reboot' });
      await watching;
      expect(told).toEqual(['created', 'updated']);
      expect((await cp.machineConfig(signal)) === after).toBe(true);
      await until(
        async () =>
          (await kubectl(join(folder, 'from-node'), 'get', 'node', names.cp)) as { metadata: { labels: object } },
        ({ metadata }) => 'ichor.dev/seen' in metadata.labels,
      );
    },
  );

  test('what we say of a change, the node says too: with a reboot or without', { timeout: 2 * minutes }, async () => {
    const text = await cp.machineConfig(signal);
    const before = documentsOf(text);
    const said: { change: string; ours: string; nodes: string }[] = [];
    for (const [path, value] of changes) {
      const after = withChange(text, path, value);
      const reboots = changeBetween(before, documentsOf(after)).some(({ reboot }) => reboot);
      const { mode } = await cp.apply(after, { mode: 'auto', dryRun: true }, signal);
      said.push({ change: path.join('.'), ours: reboots ? 'reboot' : 'no-reboot', nodes: mode });
    }
    expect(said.map(({ change, ours }) => ({ change, mode: ours }))).toEqual(
      said.map(({ change, nodes: theirs }) => ({ change, mode: theirs })),
    );
    expect(new Set(said.map(({ nodes: theirs }) => theirs))).toEqual(new Set(['reboot', 'no-reboot']));
  });

  test('a snapshot of etcd is whole', { timeout: 2 * minutes }, async () => {
    const pieces: Uint8Array[] = [];
    for await (const piece of cp.etcdSnapshot(signal)) pieces.push(piece);
    const whole = Buffer.concat(pieces);
    const hash = createHash('sha256').update(whole.subarray(0, -32)).digest();
    expect({ rest: whole.length % 512, hash: hash.equals(whole.subarray(-32)) }).toEqual({ rest: 32, hash: true });
  });

  test('ichor talos does the same from the command line', { timeout: 3 * minutes }, async () => {
    const config = ['--talosconfig', 'talos/talosconfig', '-n', addresses.cp];
    const [version, services, members, got, snapshot] = [
      await ichor('version', ...config),
      await ichor('services', ...config),
      await ichor('etcd', 'members', ...config),
      await ichor('get', 'machinestatus', ...config, '--output', 'yaml'),
      await ichor('etcd', 'snapshot', 'etcd.snapshot', ...config),
    ];
    expect([version, services, members, got, snapshot].map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      Array.from({ length: 5 }, () => ({ status: 0, stderr: '' })),
    );
    expect(version.stdout).toContain('v1.13.9');
    expect(services.stdout).toMatch(/etcd\s+Running/);
    expect(members.stdout).toContain(names.cp);
    expect(got.stdout).toContain('stage: running');
  });

  test('a reset ends the worker', { timeout: 3 * minutes }, async () => {
    await worker.reset({ graceful: false, reboot: false }, signal);
    await machines.worker.ended();
    expect(await probeTalos({ host: addresses.worker }, signal)).toMatchObject({ kind: 'absent' });
  });

  test('what nodes and we said on the way held no secret', async () => {
    const consoles = (await machines.cp.console()) + (await machines.worker.console());
    expect(leaks(consoles, hidden)).toEqual([]);
  });
});

const documentsOf = (text: string): MachineConfig =>
  parseAllDocuments(text).map((document) => document.toJS() as MachineConfig[number]);

const withChange = (text: string, path: readonly string[], value: unknown): string => {
  const [main, ...others] = parseAllDocuments(text);
  main?.setIn(path, main.createNode(value));
  return [main, ...others].map(String).join('---\n').replaceAll('---\n---\n', '---\n');
};

const changes: readonly (readonly [readonly string[], unknown])[] = [
  [['debug'], true],
  [['machine', 'sysctls'], { 'net.ipv4.conf.lo.accept_local': '0' }],
  [['machine', 'certSANs'], ['cp.example']],
  [['machine', 'nodeLabels', 'ichor.dev/other'], 'yes'],
  [['machine', 'nodeAnnotations'], { 'ichor.dev/other': 'yes' }],
  [['machine', 'kubelet', 'extraArgs'], { v: '4' }],
  [['machine', 'install', 'wipe'], true],
  [['machine', 'time'], { servers: ['192.0.2.1'] }],
  [['machine', 'features', 'kubePrism', 'port'], 7446],
  [['cluster', 'apiServer', 'extraArgs'], { v: '4' }],
  [['cluster', 'allowSchedulingOnControlPlanes'], true],
  [['machine', 'env'], { NOPE: '1' }],
  [['machine', 'token'], 'abcdef.0123456789abcdef'],
  [['machine', 'features', 'diskQuotaSupport'], false],
  [['machine', 'udev'], { rules: ['SUBSYSTEM=="x"'] }],
  [['machine', 'files'], [{ content: 'x', permissions: 420, path: '/var/etc/x', op: 'create' }]],
];

const kindOf = (change: ResourceChange): string => change.kind;
