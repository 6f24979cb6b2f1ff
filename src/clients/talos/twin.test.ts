import { afterAll, beforeAll, expect, test } from 'vitest';
import { aStory, type Story } from '../../../test/talos/story.ts';
import { collect, told } from '../../../test/talos/told.ts';
import { startTalosLab } from '../../lab/talos/lab.ts';
import { quickDurations } from '../../lab/talos/node/hardware.ts';
import type { TalosLab } from '../../lab/talos/twin.ts';
import type { ClusterNode, ResourceChange, TalosAccess, TalosEvent, TalosNode } from '../talos.ts';
import { bootstrapOnce } from './bootstrap.ts';
import { checkHealth } from './health.ts';
import { openTalos } from './node.ts';
import { probeTalos } from './probe.ts';

/** The client’s whole life with a cluster of twins; each test goes on where the one before it ended. */
const plane = '127.77.1.1';
const worker = '127.77.1.2';
const patient = AbortSignal.timeout(120_000);

let story: Story;
let lab: TalosLab;
let nodes: readonly ClusterNode<TalosNode>[] = [];
const talos = (index: number): TalosNode => {
  const node = nodes[index];
  if (node === undefined) throw new Error('the story has not come so far');
  return node.talos;
};
const config = (name: string): string => story.configs.get(name) ?? '';

beforeAll(async () => {
  story = await aStory([plane], [worker]);
  lab = await startTalosLab({ durations: quickDurations });
  await lab.add({ address: plane, boot: 'disk' });
  await lab.add({ address: worker, boot: 'disk' });
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.talos[Symbol.asyncDispose]()));
  await lab[Symbol.asyncDispose]();
});

test('a machine without configuration is found, looked at and pinned', async () => {
  await expect.poll(() => probeTalos({ host: plane }, patient).then(({ kind }) => kind)).toBe('maintenance');
  await expect.poll(() => probeTalos({ host: worker }, patient).then(({ kind }) => kind)).toBe('maintenance');
  const fingerprint = lab.twins.get(plane)?.fingerprint();
  expect(await probeTalos({ host: plane }, patient)).toEqual({ kind: 'maintenance', version: 'v1.13.9', fingerprint });
  await using node = openTalos({ host: plane, access: { kind: 'maintenance' } });
  expect((await node.version(patient)).tag).toBe('v1.13.9');
  expect(node.fingerprint()).toBe(fingerprint);
  expect((await node.machineStatus(patient)).stage).toBe('maintenance');
  expect((await node.disks(patient)).map(({ path }) => path)).toEqual(['/dev/sda']);
  expect((await node.links(patient)).filter(({ physical }) => physical).length).toBe(1);
  expect((await node.addresses(patient)).map(({ address }) => address.split('/')[0])).toContain(plane);
  expect(await node.systemUuid(patient)).toBe(lab.twins.get(plane)?.hardware.uuid);
  expect(await told(node.bootstrap({}, patient))).toMatchObject({ code: 'talos-not-authorized', recovery: 'ask' });
  expect(await told(node.kubeconfig(patient))).toMatchObject({ code: 'talos-not-authorized', recovery: 'ask' });
});

test('configurations make them a cluster that waits for bootstrap', async () => {
  for (const [host, name] of [
    [plane, 'story-cp-0'],
    [worker, 'story-general-0'],
  ] as const) {
    await using node = openTalos({ host, access: { kind: 'maintenance' } });
    expect(await node.apply(config(name), { mode: 'auto' }, patient)).toMatchObject({ mode: 'no-reboot' });
  }
  const access = await story.access();
  nodes = [
    { name: plane, role: 'control-plane', addresses: [plane], talos: openTalos({ host: plane, access }) },
    { name: worker, role: 'worker', addresses: [worker], talos: openTalos({ host: worker, access }) },
  ];
  for (const node of nodes)
    await expect
      .poll(
        () =>
          node.talos.version(patient).then(
            ({ tag }) => tag,
            ({ recovery }: { recovery: string }) => recovery,
          ),
        { timeout: 20_000 },
      )
      .toBe('v1.13.9');
  expect(await probeTalos({ host: plane }, patient)).toEqual({ kind: 'configured' });
  expect(await told(talos(0).etcdMembers(patient, { deadlineMs: 200 }))).toMatchObject({ code: 'talos-no-answer' });
  expect(await told(talos(1).bootstrap({}, patient))).toMatchObject({ code: 'talos-control-plane-only' });
});

test('bootstrap happens once', async () => {
  expect(await bootstrapOnce(nodes, plane, patient)).toEqual({ by: 'this-call' });
  expect(await bootstrapOnce(nodes, plane, patient)).toEqual({ by: 'earlier' });
  expect((await talos(0).etcdMembers(patient)).map(({ peerUrls }) => peerUrls)).toEqual([[`https://${plane}:2380`]]);
});

test('all is healthy then; what needs a CNI is skipped', async () => {
  const reports = await collect(checkHealth(nodes, { deadlineMs: 30_000 }, patient));
  const ends = reports.filter(({ state }) => state !== 'waiting').map(({ name, state }) => `${name}: ${state}`);
  expect(ends).toEqual([
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

test('what a cluster can tell', async () => {
  const node = talos(0);
  expect(await node.kubeconfig(patient)).toContain('current-context: admin@story');
  expect(await node.machineConfig(patient)).toBe(config('story-cp-0'));
  expect(await node.hostname(patient)).toBe('story-cp-0');
  const text = async (chunks: AsyncIterable<Uint8Array>): Promise<string> =>
    Buffer.concat(await collect(chunks)).toString();
  expect(await text(node.logs({ id: 'etcd' }, patient))).not.toBe('');
  expect(await text(node.dmesg({}, patient))).not.toBe('');
  expect(await told(collect(node.logs({ id: 'nope' }, patient)))).toMatchObject({ code: 'talos-refused' });
  expect((await node.list({ type: 'members' }, patient)).length).toBe(2);
  expect((await node.get({ type: 'Versions.runtime.talos.dev', id: 'version' }, patient))?.spec).toMatchObject({
    version: 'v1.13.9',
  });
  expect((await node.etcdStatus(patient)).learner).toBe(false);
  expect(await node.etcdAlarms(patient)).toEqual([]);
  const { crt, talosconfig } = await node.clientConfiguration({ roles: ['os:reader'], ttlMs: 60_000 }, patient);
  expect([crt.startsWith('-----BEGIN CERTIFICATE-----'), talosconfig.includes('reader@story')]).toEqual([true, true]);
});

test('somebody with less than an administrator’s role', async () => {
  await using reader = openTalos({ host: plane, access: await story.access(['os:reader']) });
  expect((await reader.services(patient)).map(({ id }) => id)).toContain('etcd');
  const refused = [
    () => reader.kubeconfig(patient),
    () => reader.machineConfig(patient),
    () => reader.reboot('default', patient),
  ];
  for (const ask of refused) expect(await told(ask())).toMatchObject({ code: 'talos-not-authorized', recovery: 'ask' });
});

test('somebody whose certificate the node does not take', async () => {
  const ours = await story.access();
  const other = await (await aStory([plane], [])).access();
  if (ours.kind !== 'mutual' || other.kind !== 'mutual') throw new Error('no certificates');
  const said = async (access: TalosAccess): Promise<string> => {
    await using node = openTalos({ host: plane, access });
    return (await told(node.version(patient))).code;
  };
  expect({
    ofAnotherCluster: await said(other),
    signedByAnother: await said({ ...other, ca: ours.ca }),
    expired: await said(await story.access(['os:admin'], -60_000)),
  }).toEqual({
    ofAnotherCluster: 'talos-other-cluster',
    signedByAnother: 'talos-other-cluster',
    expired: 'talos-certificate-expired',
  });
});

test('events of a change, and the resource that changed, are seen as they happen', async () => {
  const node = talos(0);
  const stop = new AbortController();
  const changes: ResourceChange[] = [];
  const watching = (async () => {
    const query = { type: 'MachineConfigs.config.talos.dev', namespace: 'config', id: 'v1alpha1' };
    for await (const change of node.watch(query, stop.signal)) changes.push(change);
  })();
  await expect.poll(() => changes.length).toBe(2);
  const marked = config('story-cp-0').replace('machine:', 'machine:\n    sysctls:\n        net.core.somaxconn: "4096"');
  expect((await node.apply(marked, { mode: 'no-reboot', dryRun: true }, patient)).details).not.toContain('somaxconn');
  expect(await node.apply(marked, { mode: 'no-reboot' }, patient)).toMatchObject({ mode: 'no-reboot' });
  await expect.poll(() => changes.map(({ kind }) => kind)).toEqual(['created', 'bootstrapped', 'updated']);
  stop.abort(new Error('enough'));
  await expect(watching).rejects.toThrow('enough');

  const history: TalosEvent[] = [];
  for await (const event of node.events({ tail: -1 }, patient)) {
    history.push(event);
    if (event.kind === 'status' && event.status.stage === 'running') break;
  }
  expect(history.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['sequence', 'phase', 'task', 'service']));
});

test('a refused configuration says why, and repeats no value of it', async () => {
  expect(await told(talos(0).apply('', { mode: 'auto' }, patient))).toEqual({
    code: 'talos-config-refused',
    recovery: 'ask',
    message: `${plane} refused a new configuration: config not found`,
  });
  const spoiled = config('story-cp-0').replace('machine:', 'machine:\n    nopefield: s3cr3t');
  const { code, message } = await told(talos(0).apply(spoiled, { mode: 'auto' }, patient));
  expect(code).toBe('talos-config-refused');
  expect(message).toMatch(/unknown keys found during decoding:\nmachine: …\n +nopefield: …$/);
});

test('a snapshot of etcd is whole', async () => {
  const bytes = Buffer.concat(await collect(talos(0).etcdSnapshot(patient)));
  expect(bytes.length % 512).toBe(32);
  await talos(0).etcdDefragment(patient);
  expect(await told(talos(0).etcdForfeit(patient))).toMatchObject({ code: 'talos-quorum', recovery: 'ask' });
});

test('a snapshot goes back into a cluster that lost everything', async () => {
  const node = talos(0);
  const snapshot = await collect(node.etcdSnapshot(patient));
  const [before] = await node.etcdMembers(patient);
  await node.reset({ graceful: false, reboot: true, partitions: ['EPHEMERAL'] }, patient);
  const etcd = () =>
    node.services(patient).then(
      (services) => services.find(({ id }) => id === 'etcd')?.state,
      () => undefined,
    );
  await expect.poll(etcd, { timeout: 20_000 }).toBe('Preparing');
  await node.etcdRecover(
    (async function* () {
      yield* snapshot;
    })(),
    patient,
  );
  await node.bootstrap({ recover: true }, patient);
  await expect
    .poll(
      () =>
        node.etcdMembers(patient).then(
          (members) => members.map(({ hostname }) => hostname),
          () => [],
        ),
      { timeout: 20_000 },
    )
    .toEqual([before?.hostname]);
});

test('an upgrade pulls, installs and changes the version at the next start', async () => {
  const node = talos(1);
  const before = await node.bootId(patient);
  const image = 'example.org/metal-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.13.10';
  const kinds = (await collect(node.upgrade({ image }, patient))).map(({ kind }) => kind);
  expect([...new Set(kinds)]).toEqual(expect.arrayContaining(['pulled', 'installed']));
  await node.reboot('default', patient);
  const now = () =>
    node.bootId(patient).then(
      (id) => id !== before,
      () => false,
    );
  await expect.poll(now, { timeout: 20_000 }).toBe(true);
  expect((await node.version(patient)).tag).toBe('v1.13.10');
});

test('reset ends in maintenance mode, with another key', async () => {
  const node = talos(1);
  await node.reset({ graceful: false, reboot: true, partitions: ['STATE', 'EPHEMERAL'] }, patient);
  await expect
    .poll(() => probeTalos({ host: worker }, patient).then(({ kind }) => kind), { timeout: 20_000 })
    .toBe('maintenance');
  expect(await told(node.version(patient))).toMatchObject({ code: 'talos-still-maintenance', recovery: 'wait' });
});
