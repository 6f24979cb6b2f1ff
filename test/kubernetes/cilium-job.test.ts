import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKubernetes } from '../../src/clients/kubernetes/client.ts';
import { findKubernetes } from '../../src/clients/kubernetes/kubeconfig/target.ts';
import type { KubernetesClient } from '../../src/clients/kubernetes.ts';
import { describeNetwork, installCni, type NetworkEvent } from '../../src/engine/cni.ts';
import { wallClock } from '../../src/lab/clock.ts';
import { textAt } from '../../src/kubernetes/live.ts';
import { systemClock, systemEntropy } from '../../src/state/system.ts';
import { platformOf, twoMachines } from '../talos-platform.ts';
import { servedTwin, twinNode, type ServedTwin } from './twin.ts';

const platform = (cilium: string) => platformOf(twoMachines(undefined, `cni: { cilium: { ${cilium} } }`));
const signal = new AbortController().signal;
const secrets = { apiVersion: 'v1', kind: 'Secret', namespace: 'kube-system' };

let world: ServedTwin;
let client: KubernetesClient;
let events: NetworkEvent[] = [];

beforeEach(async () => {
  world = await servedTwin([twinNode('prod-cp-0', true), twinNode('prod-general-0')], {
    cni: 'none',
    // A Job that fails waits longer each time.
    clock: wallClock(400),
  });
  client = openKubernetes(await findKubernetes({ file: world.kubeconfig }, { env: {} }));
  events = [];
});
afterEach(async () => {
  await client[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const install = (cilium: string, chart?: string) =>
  installCni(
    platform(cilium),
    { atMostMs: 20_000, wait: true, ...(chart === undefined ? {} : { chart }) },
    {
      client,
      helm: undefined,
      clock: systemClock,
      entropy: systemEntropy,
      pause: (ms, stop) => setTimeout(Math.min(ms, 20), undefined, { signal: stop }),
      tell: (event) => void events.push(event),
    },
    signal,
  );

/** What helm keeps, read without any of our code. */
const records = async (): Promise<readonly { readonly [field: string]: unknown }[]> => {
  const { items } = await client.list({ ...secrets, labels: 'owner=helm' }, {}, signal);
  return items.map((item) => {
    const inner = Buffer.from(textAt(item, 'data', 'release') ?? '', 'base64').toString('latin1');
    return JSON.parse(gunzipSync(Buffer.from(inner, 'base64')).toString()) as { readonly [field: string]: unknown };
  });
};
const history = async (): Promise<readonly string[]> =>
  (await records()).map(({ version, info }) => `${String(version)} ${(info as { status: string }).status}`);

test('a Job without helm on this machine: installed, then nothing to do, and its rights are gone', async () => {
  expect(await install('')).toEqual({ network: 'cilium', outcome: 'installed', reasons: ['it was not there'] });
  expect(['prod-cp-0', 'prod-general-0'].map((name) => world.twin.isReady(name))).toEqual([true, true]);
  expect(await install('')).toEqual({ network: 'cilium', outcome: 'unchanged', reasons: [] });
  const network = describeNetwork(platform(''));
  expect(await records()).toMatchObject([
    {
      name: 'cilium',
      namespace: 'kube-system',
      version: 1,
      info: { status: 'deployed', description: 'Install complete' },
      chart: { metadata: { name: 'cilium', version: '1.19.0' } },
      config: network.kind === 'cilium' ? network.release.values : undefined,
    },
  ]);
  const agent = await client.get(
    { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'kube-system', name: 'cilium' },
    signal,
  );
  expect(agent?.metadata).toMatchObject({
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': 'cilium', 'meta.helm.sh/release-namespace': 'kube-system' },
  });
  const left = await client.list({ ...secrets, labels: 'ichor.dev/installs=cilium' }, {}, signal);
  expect(left.items).toEqual([]);
});

test('another value is a second revision, and the first is superseded', async () => {
  await install('');
  expect(await install('kubeProxyReplacement: false')).toMatchObject({ outcome: 'upgraded' });
  expect(await history()).toEqual(['1 superseded', '2 deployed']);
  expect(await install('kubeProxyReplacement: false')).toMatchObject({ outcome: 'unchanged' });
});

test('the operator brings the kinds of pools', async () => {
  await install('l2: { pool: 10.10.0.64/27 }');
  const applied = events.flatMap((event) => (event.kind === 'applied' ? [`${event.outcome} ${event.object}`] : []));
  expect(applied.toSorted()).toEqual([
    'created CiliumL2AnnouncementPolicy ichor',
    'created CiliumLoadBalancerIPPool ichor-l2',
  ]);
});

test('a chart that is nowhere: the Job fails, and helm’s own words are told', async () => {
  await expect(install('', 'https://charts.example.org')).rejects.toMatchObject({
    code: 'network-not-installed',
    message: expect.stringContaining(
      'looks like "https://charts.example.org" is not a valid chart repository or cannot be reached',
    ) as string,
  });
});
