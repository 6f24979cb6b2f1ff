import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { findHelm } from '../../src/clients/helm/helm.ts';
import { openKubernetes } from '../../src/clients/kubernetes/client.ts';
import { findKubernetes } from '../../src/clients/kubernetes/kubeconfig/target.ts';
import type { KubernetesClient } from '../../src/clients/kubernetes.ts';
import { describeNetwork, installCni, networkValues, type NetworkEvent } from '../../src/engine/cni.ts';
import { at, listAt, textAt } from '../../src/kubernetes/live.ts';
import { nodeStandings } from '../../src/kubernetes/nodes.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { systemClock, systemEntropy } from '../../src/state/system.ts';
import { servedTwin, twinNode } from '../kubernetes/twin.ts';
import { platformOf, twoMachines } from '../talos-platform.ts';
import { ciliumSources, type Cilium } from './cilium.ts';
import { realHelm, type RealHelm } from './helm.ts';
import { startKube } from './kube.ts';
import { buildTimeoutMs } from './peers.ts';

const platform = (cilium: string, more = '') =>
  platformOf(twoMachines(undefined, `cni: { cilium: { ${cilium} } }${more}`));

let helm: RealHelm;
let cilium: Cilium;
let folder: string;

beforeAll(async () => {
  [helm, cilium, folder] = await Promise.all([realHelm(), ciliumSources(), mkdtemp(join(tmpdir(), 'ichor-network-'))]);
}, buildTimeoutMs);

afterAll(async () => {
  await helm[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('real helm renders the real chart with our values', () => {
  const rendered = async (spec: string, more = ''): Promise<readonly Manifest[]> => {
    const file = join(folder, 'values.yaml');
    await writeFile(file, networkValues(platform(spec, more)));
    const text = await helm.run(['template', 'cilium', cilium.chart, '-n', 'kube-system', '-f', file]);
    return parseAllDocuments(text)
      .map((document) => document.toJS() as Manifest | null)
      .filter((manifest) => manifest !== null);
  };
  const agentOf = (manifests: readonly Manifest[]): Manifest => {
    const found = manifests.find(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name === 'cilium');
    if (found === undefined) throw new Error('There is no agent.');
    return found;
  };
  const pod = (manifest: Manifest): unknown => at(manifest, 'spec', 'template', 'spec');
  const settings = (manifests: readonly Manifest[]): unknown =>
    at(
      manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'cilium-config'),
      'data',
    );

  test('the capabilities are the chart’s own, without SYS_MODULE', async () => {
    const own = await cilium.values();
    const ours = describeNetwork(platform(''));
    const capabilities = (values: unknown, whose: string): readonly unknown[] =>
      listAt(values, 'securityContext', 'capabilities', whose);
    for (const whose of ['ciliumAgent', 'cleanCiliumState'])
      expect(capabilities(ours.kind === 'cilium' ? ours.release.values : {}, whose)).toEqual(
        capabilities(own, whose).filter((capability) => capability !== 'SYS_MODULE'),
      );
  });

  test('nothing asks for SYS_MODULE, nothing mounts cgroups, and the API is reached through KubePrism', async () => {
    const manifests = await rendered('');
    const agent = agentOf(manifests);
    expect(JSON.stringify(pod(agent))).not.toContain('SYS_MODULE');
    const containers = [...listAt(pod(agent), 'initContainers'), ...listAt(pod(agent), 'containers')];
    expect(containers.map((container) => textAt(container, 'name'))).not.toContain('mount-cgroup');
    for (const container of containers) {
      const env = new Map(listAt(container, 'env').map((one) => [textAt(one, 'name'), textAt(one, 'value')]));
      if (env.has('KUBERNETES_SERVICE_HOST'))
        expect([env.get('KUBERNETES_SERVICE_HOST'), env.get('KUBERNETES_SERVICE_PORT')]).toEqual(['localhost', '7445']);
    }
    expect(settings(manifests)).toMatchObject({
      ipam: 'kubernetes',
      'kube-proxy-replacement': 'true',
      'cgroup-root': '/sys/fs/cgroup',
      'enable-hubble': 'true',
    });
  });

  test.each<[what: string, spec: string, more: string, says: object]>([
    ['kube-proxy stays', 'kubeProxyReplacement: false', '', { 'kube-proxy-replacement': 'false' }],
    ['WireGuard', 'encryption: wireguard', '', { 'enable-wireguard': 'true' }],
    ['IPsec', 'encryption: ipsec', '', { 'enable-ipsec': 'true' }],
    ['L2', 'l2: { pool: 10.10.0.64/27 }', '', { 'enable-l2-announcements': 'true' }],
    [
      'BGP',
      'bgp: { pool: 10.200.0.0/24, asn: 64512, peers: [{ address: 10.10.0.1, asn: 64500 }] }',
      '',
      { 'enable-bgp-control-plane': 'true' },
    ],
    ['no Hubble', 'hubble: { enabled: false }', '', { 'enable-hubble': 'false' }],
    ['the file’s own values', 'values: { debug: { enabled: true } }', '', { debug: 'true' }],
    [
      'IPv6 alone',
      '',
      ', network: { pods: "fd00:10::/56", services: "fd00:20::/112" }',
      { 'enable-ipv4': 'false', 'enable-ipv6': 'true' },
    ],
  ])('%s', async (_, spec, more, says) => {
    expect(settings(await rendered(spec, more))).toMatchObject(says);
  });

  test('all of Hubble', async () => {
    const names = (await rendered('hubble: { relay: true, ui: true }'))
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ metadata }) => metadata.name);
    expect(names.toSorted()).toEqual(['cilium-operator', 'hubble-relay', 'hubble-ui']);
  });
});

type World = AsyncDisposable & { readonly kubeconfig: string };

const worlds: readonly (readonly [where: string, start: () => Promise<World>, nodes: boolean])[] = [
  ['a real API server', () => startKube({ controllers: true }), false],
  ['the twin', () => servedTwin([twinNode('prod-cp-0', true), twinNode('prod-general-0')], { cni: 'none' }), true],
];

describe.each(worlds)('real helm on %s', (_, start, hasNodes) => {
  let world: World;
  let client: KubernetesClient;
  let events: NetworkEvent[] = [];
  const signal = new AbortController().signal;

  beforeAll(async () => {
    world = await start();
    client = openKubernetes(await findKubernetes({ file: world.kubeconfig }, { env: {} }));
  }, buildTimeoutMs);
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const install = async (spec: string, meanwhile?: () => Promise<void>) => {
    events = [];
    const found = await findHelm({ PATH: helm.path, HOME: helm.path }, signal);
    return installCni(
      platform(spec),
      { atMostMs: 60_000, wait: hasNodes, chart: cilium.chart },
      {
        client,
        helm: meanwhile === undefined ? found : undefined,
        clock: systemClock,
        entropy: systemEntropy,
        pause: async (ms, stop) => {
          await meanwhile?.();
          await setTimeout(Math.min(ms, 250), undefined, { signal: stop });
        },
        tell: (event) => void events.push(event),
      },
      signal,
    );
  };
  const ask = (...words: readonly string[]): Promise<string> =>
    helm.run([...words, '-n', 'kube-system'], world.kubeconfig);
  const asked = async (...words: readonly string[]): Promise<unknown> =>
    JSON.parse(await ask(...words, '-o', 'json')) as unknown;
  const history = async () =>
    ((await asked('history', 'cilium')) as { revision: number; status: string }[]).map(
      ({ revision, status }) => `${revision} ${status}`,
    );
  const readiness = async (): Promise<readonly string[]> => {
    const { items } = await client.list({ apiVersion: 'v1', kind: 'Node' }, {}, signal);
    return nodeStandings(items, []).map(
      ({ node, missing }) => `${node}: ${missing.length === 0 ? 'ready' : 'not ready'}`,
    );
  };
  const uninstall = async (): Promise<void> => {
    await ask('uninstall', 'cilium');
    // Until then it takes nothing new.
    const namespace = { apiVersion: 'v1', kind: 'Namespace', name: 'cilium-secrets' };
    await expect.poll(() => client.get(namespace, signal), { timeout: 60_000 }).toBeUndefined();
  };

  if (hasNodes)
    test('without a network no node is Ready', async () => {
      await expect.poll(readiness).toEqual(['prod-cp-0: not ready', 'prod-general-0: not ready']);
    });

  test('install, and nothing to do the second time', { timeout: 120_000 }, async () => {
    expect(await install('')).toEqual({ network: 'cilium', outcome: 'installed', reasons: ['it was not there'] });
    if (hasNodes) expect(await readiness()).toEqual(['prod-cp-0: ready', 'prod-general-0: ready']);
    expect(await install('')).toEqual({ network: 'cilium', outcome: 'unchanged', reasons: [] });
    expect(await history()).toEqual(['1 deployed']);
    expect(await asked('list')).toMatchObject([
      { name: 'cilium', namespace: 'kube-system', revision: '1', status: 'deployed', chart: 'cilium-1.19.0' },
    ]);
    const network = describeNetwork(platform(''));
    expect(await asked('get', 'values', 'cilium')).toEqual(
      network.kind === 'cilium' ? network.release.values : undefined,
    );
  });

  test('another value is an upgrade; helm rolls it back, and we bring it again', { timeout: 120_000 }, async () => {
    const changed = { network: 'cilium', outcome: 'upgraded', reasons: ['the value kubeProxyReplacement changes'] };
    expect(await install('kubeProxyReplacement: false')).toEqual(changed);
    await ask('rollback', 'cilium', '1');
    expect(await history()).toEqual(['1 superseded', '2 superseded', '3 deployed']);
    expect(await install('')).toMatchObject({ outcome: 'unchanged' });
    expect(await install('kubeProxyReplacement: false')).toEqual(changed);
  });

  test('addresses of load balancers, once Cilium has brought their kinds', { timeout: 120_000 }, async () => {
    for (const definition of await cilium.definitions())
      await client.apply(definition, { manager: 'cilium', force: true }, signal);
    const bgp = 'bgp: { pool: 10.200.0.0/24, asn: 64512, peers: [{ address: 10.10.0.1, asn: 64500 }] }';
    const l2 = 'l2: { pool: 10.10.0.64/27, interfaces: ["^eth0$"] }';
    await install(`${l2}, ${bgp}`);
    const applied = events.flatMap((event) => (event.kind === 'applied' ? [`${event.outcome} ${event.object}`] : []));
    expect(applied.toSorted()).toEqual([
      'created CiliumBGPAdvertisement ichor',
      'created CiliumBGPClusterConfig ichor',
      'created CiliumBGPPeerConfig ichor',
      'created CiliumL2AnnouncementPolicy ichor',
      'created CiliumLoadBalancerIPPool ichor-bgp',
      'created CiliumLoadBalancerIPPool ichor-l2',
    ]);
    await install(l2);
    const pruned = events.flatMap((event) => (event.kind === 'pruned' ? [event.object] : []));
    expect(pruned.toSorted()).toEqual([
      'CiliumBGPAdvertisement ichor',
      'CiliumBGPClusterConfig ichor',
      'CiliumBGPPeerConfig ichor',
      'CiliumLoadBalancerIPPool ichor-bgp',
    ]);
  });

  test('uninstalled, it is absent, and comes again', { timeout: 120_000 }, async () => {
    await uninstall();
    expect(await install('')).toMatchObject({ outcome: 'installed' });
  });

  // There is no kubelet that would run the Job's image; what the Job says is done in its place.
  if (!hasNodes)
    test('a Job brings the same release, and its rights are gone after it', { timeout: 120_000 }, async () => {
      const before = await asked('get', 'values', 'cilium');
      await uninstall();
      const label = { labels: 'ichor.dev/installs=cilium' };
      const kubelet = async (): Promise<void> => {
        const { items } = await client.list(
          { apiVersion: 'v1', kind: 'Pod', namespace: 'kube-system', ...label },
          {},
          signal,
        );
        const [pod] = items.filter(({ status }) => textAt(status, 'phase') === 'Pending');
        if (pod === undefined) return;
        const volumes = listAt(pod, 'spec', 'volumes');
        const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'kube-system' };
        const values = await client.get({ ...secret, name: textAt(volumes[0], 'secret', 'secretName') ?? '' }, signal);
        const file = join(folder, 'job-values.yaml');
        await writeFile(file, Buffer.from(textAt(values, 'data', 'values.yaml') ?? '', 'base64'));
        const [, ...words] = listAt(pod, 'spec', 'containers', 0, 'command').map(String);
        await helm.run(
          words.map((word) => (word === '/values/values.yaml' ? file : word)),
          world.kubeconfig,
        );
        const { name = '' } = pod.metadata;
        await client.patch(
          { apiVersion: 'v1', kind: 'Pod', namespace: 'kube-system', name },
          { kind: 'merge', body: { status: { phase: 'Succeeded' } } },
          { subresource: 'status' },
          signal,
        );
      };
      expect(await install('', kubelet)).toMatchObject({ outcome: 'installed' });
      expect(await asked('get', 'values', 'cilium')).toEqual(before);
      for (const [apiVersion, kind] of [
        ['batch/v1', 'Job'],
        ['v1', 'Secret'],
        ['v1', 'ServiceAccount'],
        ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'],
      ] as const) {
        const left = async () => (await client.list({ apiVersion, kind, ...label }, {}, signal)).items.length;
        await expect.poll(left).toBe(0);
      }
    });
});

test('real helm reads what the Job of a lab has written', { timeout: 120_000 }, async () => {
  const signal = new AbortController().signal;
  await using world = await servedTwin([twinNode('prod-cp-0', true), twinNode('prod-general-0')], { cni: 'none' });
  await using client = openKubernetes(await findKubernetes({ file: world.kubeconfig }, { env: {} }));
  const install = (spec: string) =>
    installCni(
      platform(spec),
      { atMostMs: 60_000, wait: true },
      {
        client,
        helm: undefined,
        clock: systemClock,
        entropy: systemEntropy,
        pause: (ms, stop) => setTimeout(Math.min(ms, 100), undefined, { signal: stop }),
        tell: () => undefined,
      },
      signal,
    );
  const asked = async (...words: readonly string[]): Promise<unknown> =>
    JSON.parse(await helm.run([...words, '-n', 'kube-system', '-o', 'json'], world.kubeconfig)) as unknown;

  await install('');
  await install('kubeProxyReplacement: false');
  expect(await asked('list')).toMatchObject([
    { name: 'cilium', namespace: 'kube-system', revision: '2', status: 'deployed', chart: 'cilium-1.19.0' },
  ]);
  expect(await asked('history', 'cilium')).toMatchObject([
    { revision: 1, status: 'superseded', chart: 'cilium-1.19.0' },
    { revision: 2, status: 'deployed', chart: 'cilium-1.19.0' },
  ]);
  const network = describeNetwork(platform('kubeProxyReplacement: false'));
  expect(await asked('get', 'values', 'cilium')).toEqual(
    network.kind === 'cilium' ? network.release.values : undefined,
  );
  await helm.run(['uninstall', 'cilium', '-n', 'kube-system'], world.kubeconfig);
  const agent = { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'kube-system', name: 'cilium' };
  await expect.poll(() => client.get(agent, signal), { timeout: 30_000 }).toBeUndefined();
  expect(await install('')).toMatchObject({ outcome: 'installed' });
});
