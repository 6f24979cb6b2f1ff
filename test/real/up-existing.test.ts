import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { probeTalos } from '../../src/clients/talos/probe.ts';
import { platformFile } from '../said.ts';
import { type NodeLand, startNodeLand } from './nodes.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';
import { startStory, type Story } from './up-story.ts';

const addresses = { 'cp-0': '10.61.0.21', 'general-0': '10.61.0.22', 'general-1': '10.61.0.23' } as const;
const minutes = 60_000;

/** No Image Factory can be reached from here, so that the schematic is said. */
const schematic = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba';

const fileOf = (machines: Readonly<Record<string, string>>, cluster: string, patches: string): string =>
  platformFile({
    machines: `{ existing: { machines: { ${Object.entries(machines)
      .map(([name, address]) => `${name}: { address: ${address} }`)
      .join(', ')} } } }`,
    cluster: `{ talos: { image: { schematic: ${schematic} } }, cni: { none: {} }, ${cluster}, patches: [${patches}] }`,
  });

const standing = (address: string): Promise<string> =>
  probeTalos({ host: address }, AbortSignal.timeout(20_000)).then(({ kind }) => kind);

/** ichor up, on machines that wait in maintenance mode: real Talos, real Kubernetes, real kubectl and talosctl. */
describe('ichor up on real nodes that exist', () => {
  const undo: (() => unknown)[] = [];
  let land: NodeLand;
  let story: Story;

  const file = (workers: number, more = '', patch = ''): string =>
    fileOf(
      Object.fromEntries(Object.entries(addresses).slice(0, 1 + workers)),
      `controlPlane: { replicas: 1 }, workers: { general: { replicas: ${workers}${more} } }`,
      `${JSON.stringify(land.patch)}${patch}`,
    );
  const write = (text: string): Promise<void> => writeFile(join(story.folder, 'platform.yaml'), text);

  beforeAll(async () => {
    await Promise.all([peerProgram('kubectl'), peerProgram('talosctl')]);
    land = await startNodeLand({ kubernetes: true, asMachines: true });
    undo.unshift(() => land[Symbol.asyncDispose]());
    story = await startStory();
    undo.unshift(() => story[Symbol.asyncDispose]());
    await Promise.all([land.up('prod-cp-0', addresses['cp-0']), land.up('prod-general-0', addresses['general-0'])]);
    await write(file(1));
  }, buildTimeoutMs);
  afterAll(async () => {
    for (const step of undo) await step();
  }, 2 * minutes);

  test(
    'killed three times on its way, it still ends in Ready nodes',
    async () => {
      await story.killedAt('talos.configure', 'up', '--yes');
      await story.killedAt('etcd.bootstrap', 'up', '--yes');
      await story.killedAt('kubernetes.await-api', 'up', '--yes');
      await story.must('up', '--yes');
      await story.until(story.ready, (names) => names.length === 2);
      expect((await story.ready()).toSorted()).toEqual(['prod-cp-0', 'prod-general-0']);
    },
    6 * minutes,
  );

  test(
    'a second time there is nothing to do',
    async () => {
      expect(await story.must('up', '--yes')).toContain('Nothing to do');
      const plan = JSON.parse(await story.must('plan', '--output', 'json')) as { readonly steps?: readonly unknown[] };
      expect(JSON.stringify(plan)).not.toContain('"kind":"talos.');
    },
    2 * minutes,
  );

  test(
    'kubectl and talosctl work with the files in ./talos and nothing else',
    async () => {
      const pod = ['run', 'hello', '--image=registry.k8s.io/pause:3.10.1', '--restart=Never'];
      await story.kubectl(...pod);
      await story.kubectl('wait', '--for=condition=Ready', 'pod/hello', '--timeout=15s');
      expect(await story.talosctl('get', 'members')).toContain('prod-cp-0');
      // Nobody answers for the public discovery service here, so that nodes are named.
      const named = ['--control-plane-nodes', addresses['cp-0'], '--worker-nodes', addresses['general-0']];
      await story.talosctl('health', ...named, '--wait-timeout', '1m');
      expect(JSON.stringify(await story.nodes())).toContain('v1.36.3');
    },
    3 * minutes,
  );

  test(
    'a label, a patch and one worker more are rolled out',
    async () => {
      await land.up('prod-general-1', addresses['general-1']);
      const before = await story.kubectl('get', 'pod', 'hello', '-o', 'jsonpath={.metadata.uid}');
      const more = ', labels: { tier: gold }, patches: [{ machine: { sysctls: { net.core.somaxconn: "1024" } } }]';
      await write(file(2, more));
      await story.must('up', '--yes');
      await story.until(story.ready, (names) => names.length === 3);
      const labelled = await story.until(story.nodes, (nodes) =>
        nodes
          .filter(({ metadata }) => metadata.name.includes('general'))
          .every((node) => node.metadata.labels['tier'] === 'gold'),
      );
      expect(labelled).toHaveLength(3);
      for (const worker of ['general-0', 'general-1'] as const)
        expect(await story.talosctl('-n', addresses[worker], 'read', '/proc/sys/net/core/somaxconn')).toBe('1024\n');
      expect(await story.kubectl('get', 'pod', 'hello', '-o', 'jsonpath={.metadata.uid}')).toBe(before);
      expect(await story.must('up', '--yes')).toContain('Nothing to do');
    },
    5 * minutes,
  );

  test(
    'an API server that is configured otherwise runs so when up has ended',
    async () => {
      const more = ', labels: { tier: gold }, patches: [{ machine: { sysctls: { net.core.somaxconn: "1024" } } }]';
      await write(file(2, more, ', { cluster: { apiServer: { extraArgs: { v: "3" } } } }'));
      await story.must('up', '--yes');
      const path =
        'jsonpath={.items[*].spec.containers[*].command} {.items[*].status.conditions[?(@.type=="Ready")].status}';
      const pods = ['get', 'pods', '-n', 'kube-system', '-l', 'k8s-app=kube-apiserver', '-o', path];
      expect(await story.kubectl(...pods)).toMatch(/"--v=3".* True$/);
      expect(await story.must('up', '--yes')).toContain('Nothing to do');
    },
    5 * minutes,
  );

  test(
    'destroy resets: every machine waits in maintenance mode again, and the secrets stay',
    async () => {
      await story.must('destroy', '--yes');
      // In a container Talos goes down after a reset; whoever holds its power brings it back, empty.
      for (const address of Object.values(addresses))
        await story.until(
          () => standing(address),
          (kind) => kind === 'maintenance',
        );
      expect(await readFile(join(story.folder, 'talos', 'secrets.yaml'), 'utf8')).toContain('certs');
    },
    5 * minutes,
  );
});

/** Whoever leaves takes its vote with it, one after the other, while the others go on. */
describe('ichor up on three real control planes that exist', () => {
  const planes = { 'cp-0': '10.61.0.31', 'cp-1': '10.61.0.32', 'cp-2': '10.61.0.33' } as const;
  const undo: (() => unknown)[] = [];
  let land: NodeLand;
  let story: Story;

  const write = (count: number): void =>
    story.write(
      'platform.yaml',
      fileOf(
        Object.fromEntries(Object.entries(planes).slice(0, count)),
        `endpoint: { vip: 10.61.0.30 }, controlPlane: { replicas: ${count}, schedulable: true }, workers: {}`,
        JSON.stringify(land.patch),
      ),
    );
  const members = async (): Promise<readonly string[]> =>
    [...(await story.talosctl('-n', planes['cp-0'], 'etcd', 'members')).matchAll(/prod-cp-\d/g)]
      .map(([name]) => name)
      .toSorted();

  beforeAll(async () => {
    await Promise.all([peerProgram('kubectl'), peerProgram('talosctl')]);
    land = await startNodeLand({ kubernetes: true, asMachines: true });
    undo.unshift(() => land[Symbol.asyncDispose]());
    story = await startStory();
    undo.unshift(() => story[Symbol.asyncDispose]());
    await Promise.all(Object.entries(planes).map(([name, address]) => land.up(`prod-${name}`, address)));
    write(3);
  }, buildTimeoutMs);
  afterAll(async () => {
    for (const step of undo) await step();
  }, 2 * minutes);

  test(
    'all three vote and are Ready, and kubectl reaches them through the VIP',
    async () => {
      await story.must('up', '--yes');
      await story.until(story.ready, (names) => names.length === 3);
      expect(await members()).toEqual(['prod-cp-0', 'prod-cp-1', 'prod-cp-2']);
      expect(await story.kubectl('config', 'view', '-o', 'jsonpath={.clusters[0].cluster.server}')).toBe(
        'https://10.61.0.30:6443',
      );
      expect(await story.must('up', '--yes')).toContain('Nothing to do');
    },
    6 * minutes,
  );

  test(
    'two leave: out of etcd, out of Kubernetes, and wiped; what was in the cluster is still there',
    async () => {
      await story.kubectl('create', 'configmap', 'kept', '--from-literal=word=here');
      write(1);
      await story.must('up', '--yes');
      expect(await members()).toEqual(['prod-cp-0']);
      expect((await story.nodes()).map(({ metadata }) => metadata.name)).toEqual(['prod-cp-0']);
      for (const gone of ['cp-1', 'cp-2'] as const)
        await story.until(
          () => standing(planes[gone]),
          (kind) => kind === 'maintenance',
        );
      expect(await story.kubectl('get', 'configmap', 'kept', '-o', 'jsonpath={.data.word}')).toBe('here');
      expect(await story.must('up', '--yes')).toContain('Nothing to do');
    },
    6 * minutes,
  );
});
