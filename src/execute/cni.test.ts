import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { FakeKubernetes } from '../../test/fake-kubernetes.ts';
import { platformOf, twoMachines } from '../../test/talos-platform.ts';
import { networkOf, type Release } from '../kubernetes/cni/network.ts';
import { installNetwork, type Cilium, type NetworkOptions, type NetworkTools } from './cni.ts';

const signal = new AbortController().signal;
const options: NetworkOptions = { atMostMs: 60_000, nodes: undefined };

const ciliumOf = (more = ''): Cilium => {
  const network = networkOf(platformOf(twoMachines(undefined, `cni: { cilium: { ${more} } }`)));
  if (network.kind !== 'cilium') throw new Error('not Cilium');
  return network;
};

let cluster: FakeKubernetes;
let now: number;
let told: string[];
let tools: NetworkTools;
let meanwhile: () => void;
let revision: number;

beforeEach(() => {
  cluster = new FakeKubernetes();
  [now, told, meanwhile, revision] = [Date.parse('2026-11-17T09:00:00Z'), [], () => {}, 0];
  tools = {
    client: cluster,
    clock: { now: () => new Date(now) },
    pause: async (ms) => {
      now += ms;
      meanwhile();
    },
    entropy: { bytes: (length) => new Uint8Array(length).fill(7), keyPair: () => Promise.reject(new Error('none')) },
    helm: { version: 'v4', run: async () => helmRan(ciliumOf().release) },
    salt: '',
    tell: (event) => {
      if (event.kind === 'installing') told.push(`installing with ${event.with}`);
      else if (event.kind === 'waits') told.push(`waits for ${event.for}: ${event.because}`);
      else if (event.kind === 'made') told.push(`made ${event.object}`);
      else if (event.kind === 'standing') told.push(event.standing.kind);
    },
  };
});

/** What helm leaves behind. */
function helmRan({ version, values }: Release, status = 'deployed'): void {
  revision++;
  const release = {
    version: revision,
    config: values,
    info: { status, last_deployed: new Date(now).toISOString() },
    chart: { metadata: { name: 'cilium', version } },
  };
  cluster.put({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      name: `sh.helm.release.v1.cilium.v${revision}`,
      namespace: 'kube-system',
      labels: { owner: 'helm', name: 'cilium' },
    },
    data: { release: Buffer.from(gzipSync(JSON.stringify(release)).toString('base64')).toString('base64') },
  });
}

const jobEnds = (condition: object) => () => {
  const job = [...cluster.objects.values()].find(({ kind }) => kind === 'Job');
  if (job !== undefined) cluster.put({ ...job, status: { conditions: [condition] } });
};

test('helm is asked once, and not again while nothing changes', async () => {
  expect(await installNetwork(ciliumOf(), options, tools, signal)).toEqual({
    outcome: 'installed',
    reasons: ['it was not there'],
  });
  expect(await installNetwork(ciliumOf(), options, tools, signal)).toEqual({ outcome: 'unchanged', reasons: [] });
  expect(told).toEqual(['absent', 'installing with helm', 'current']);
});

test('another value is an upgrade, and its name is the reason', async () => {
  await installNetwork(ciliumOf(), options, tools, signal);
  const network = ciliumOf('kubeProxyReplacement: false');
  tools = { ...tools, helm: { version: 'v4', run: async () => helmRan(network.release) } };
  expect(await installNetwork(network, options, tools, signal)).toEqual({
    outcome: 'upgraded',
    reasons: ['the value kubeProxyReplacement changes'],
  });
});

test('without helm a Job does it, and leaves nothing behind', async () => {
  meanwhile = () => {
    helmRan(ciliumOf().release);
    jobEnds({ type: 'Complete', status: 'True' })();
  };
  const { outcome } = await installNetwork(ciliumOf(), options, { ...tools, helm: undefined }, signal);
  expect(outcome).toBe('installed');
  expect(cluster.asked.filter((asked) => asked.startsWith('apply')).map((asked) => asked.split(' ')[1])).toEqual([
    'ServiceAccount',
    'ClusterRoleBinding',
    'Secret',
    'Job',
  ]);
  expect([...cluster.objects.values()].map(({ metadata }) => metadata.name)).toEqual(['sh.helm.release.v1.cilium.v1']);
});

test('a Job that fails says what helm said, and leaves nothing behind', async () => {
  cluster.lines = ['Error: chart not found'];
  meanwhile = () => {
    jobEnds({ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' })();
    const job = [...cluster.objects.values()].find(({ kind }) => kind === 'Job');
    cluster.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'p',
        namespace: 'kube-system',
        labels: { 'batch.kubernetes.io/job-name': job?.metadata.name ?? '' },
      },
      status: { phase: 'Failed', containerStatuses: [{ name: 'helm' }] },
    });
  };
  await expect(installNetwork(ciliumOf(), options, { ...tools, helm: undefined }, signal)).rejects.toMatchObject({
    code: 'network-not-installed',
    message: expect.stringMatching(
      /^Job kube-system\/ichor-installs-cilium-[0-9a-f]{8}: it failed: BackoffLimitExceeded\. Helm said:\n {2}Error: chart not found$/,
    ) as string,
  });
  expect([...cluster.objects.values()].map(({ kind }) => kind)).toEqual(['Pod']);
});

test('a Job that never begins leaves nothing behind either, and one in which helm works is left to its work', async () => {
  const install = () => installNetwork(ciliumOf(), options, { ...tools, helm: undefined }, signal);
  await expect(install()).rejects.toThrow(/Job kube-system\/ichor-installs-cilium/);
  expect([...cluster.objects.values()]).toEqual([]);
  meanwhile = () => {
    const job = [...cluster.objects.values()].find(({ kind }) => kind === 'Job');
    const labels = { 'batch.kubernetes.io/job-name': job?.metadata.name ?? '' };
    const metadata = { name: 'p', namespace: 'kube-system', labels };
    cluster.put({ apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Running' } });
  };
  await expect(install()).rejects.toThrow(/Job kube-system\/ichor-installs-cilium/);
  expect([...cluster.objects.values()].map(({ kind }) => kind).toSorted()).toEqual([
    'ClusterRoleBinding',
    'Job',
    'Pod',
    'Secret',
    'ServiceAccount',
  ]);
});

test('rights that a run left behind are taken away, also when there is nothing else to do', async () => {
  await installNetwork(ciliumOf(), options, tools, signal);
  const labels = { 'ichor.dev/installs': 'cilium' };
  cluster.put({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'left', labels },
  });
  cluster.put({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'left', namespace: 'kube-system', labels } });
  await installNetwork(ciliumOf(), options, tools, signal);
  expect([...cluster.objects.values()].map(({ metadata }) => metadata.name)).toEqual(['sh.helm.release.v1.cilium.v1']);
});

test('helm that is at it is left alone; one that died is not', async () => {
  const { release } = ciliumOf();
  helmRan(release);
  helmRan(release, 'pending-upgrade');
  await expect(installNetwork(ciliumOf(), options, tools, signal)).rejects.toMatchObject({
    code: 'network-busy',
    recovery: 'wait',
    message:
      'Somebody is at the release cilium with helm since 2026-11-17T09:00:00.000Z (revision 2 is pending-upgrade).',
  });
  now += 11 * 60_000;
  expect(await installNetwork(ciliumOf(), options, tools, signal)).toEqual({ outcome: 'unchanged', reasons: [] });
});

const agent = (metadata: object) =>
  cluster.put({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'cilium', namespace: 'kube-system', ...metadata },
  });

test('what Flux or Argo have taken over is theirs', async () => {
  agent({ labels: { 'helm.toolkit.fluxcd.io/name': 'cilium' } });
  expect(await installNetwork(ciliumOf(), options, tools, signal)).toEqual({
    outcome: 'handed-over',
    reasons: ['Flux keeps it'],
  });
  agent({ annotations: { 'argocd.argoproj.io/tracking-id': 'cilium:apps/DaemonSet:kube-system/cilium' } });
  expect(await installNetwork(ciliumOf(), options, tools, signal)).toEqual({
    outcome: 'handed-over',
    reasons: ['Argo CD keeps it'],
  });
});

test('a network that helm knows nothing of is not run over', async () => {
  agent({});
  await expect(installNetwork(ciliumOf(), options, tools, signal)).rejects.toMatchObject({
    code: 'network-foreign',
    message: 'DaemonSet kube-system/cilium is there already, and helm knows nothing of it.',
  });
});

test('keys of IPsec are made once', async () => {
  const network = ciliumOf('encryption: ipsec');
  tools = { ...tools, helm: { version: 'v4', run: async () => helmRan(network.release) } };
  await installNetwork(network, options, tools, signal);
  const key = 'v1 Secret kube-system cilium-ipsec-keys';
  const made = cluster.objects.get(key);
  expect(made?.['stringData']).toEqual({ keys: `3+ rfc4106(gcm(aes)) ${'07'.repeat(20)} 128` });
  await installNetwork(network, options, tools, signal);
  expect([cluster.objects.get(key), told.filter((line) => line.startsWith('made'))]).toEqual([
    made,
    ['made Secret kube-system/cilium-ipsec-keys'],
  ]);
});

test('the gate names the node and what it lacks', async () => {
  const node = (name: string, status: string) =>
    cluster.put({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name },
      status: {
        conditions: [{ type: 'Ready', status, reason: 'KubeletNotReady', message: 'cni plugin not initialized' }],
      },
    });
  node('cp-0', 'False');
  let looks = 0;
  meanwhile = () => node(looks++ === 0 ? 'cp-0' : 'w-0', 'True');
  await installNetwork(ciliumOf(), { ...options, nodes: ['cp-0', 'w-0'] }, tools, signal);
  expect(told.filter((line) => line.startsWith('waits'))).toEqual([
    'waits for all nodes to be Ready: cp-0: Ready is False: KubeletNotReady, cni plugin not initialized; w-0: it has not joined the cluster yet',
    'waits for all nodes to be Ready: w-0: it has not joined the cluster yet',
  ]);
});
