import { fromBinary } from '@bufbuild/protobuf';
import { canonical } from '../../../model/ip.ts';
import { BootstrapManifestsConfigSpecSchema } from '../../../wire/gen/talos/resource/k8s_pb.ts';
import type { ClusterNode, KubernetesHealth } from '../../talos.ts';
import { controlPlanes, eachOf, ok, verdictOf, type Check, type Cluster, type Verdict } from './check.ts';

type Look = (kubernetes: KubernetesHealth, cluster: Cluster, signal: AbortSignal) => Promise<Verdict>;

const check = (name: string, look: Look): Check => ({
  name,
  look: (cluster, signal) =>
    cluster.kubernetes === undefined
      ? cluster.own.look(name, cluster, signal)
      : look(cluster.kubernetes, cluster, signal),
});

const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

export const componentChecks: readonly Check[] = [
  check('all k8s nodes to report', async (kubernetes, { nodes }, signal) =>
    matching(
      nodes,
      (await kubernetes.nodes(signal)).map(({ addresses }) => addresses),
    ),
  ),
  {
    name: 'all control plane static pods to be running',
    async look(cluster, signal) {
      const query = { type: 'StaticPodStatuses.kubernetes.talos.dev', namespace: 'k8s' };
      const words = await eachOf(controlPlanes(cluster), async ({ name, talos }) => {
        const ids = (await talos.list(query, signal)).map(({ id }) => id);
        const expected = components.map((component) => `kube-system/${component}`);
        const missing = expected.filter((prefix) => !ids.some((id) => id.startsWith(prefix)));
        return missing.length === 0 ? undefined : `missing static pods on node ${name}: [${missing.join(' ')}]`;
      });
      return verdictOf(words);
    },
  },
  check('all control plane components to be ready', async (kubernetes, cluster, signal) => {
    const expected = controlPlanes(cluster);
    const actual = (await kubernetes.nodes(signal)).filter(({ controlPlane }) => controlPlane);
    const same = matching(
      expected,
      actual.map(({ addresses }) => addresses),
    );
    if (same !== ok) return same;
    return verdictOf(
      await Promise.all(
        components.map(async (app) => {
          const pods = await kubernetes.pods(app, signal);
          if (pods.length !== expected.length)
            return `expected number of pods for ${app} to be ${expected.length}, got ${pods.length}`;
          const waiting = pods.filter(({ ready }) => !ready).map(({ name }) => name);
          return waiting.length === 0 ? undefined : `some pods are not ready for ${app}: [${waiting.join(' ')}]`;
        }),
      ),
    );
  }),
];

export const readinessChecks: readonly Check[] = [
  check('all k8s nodes to report ready', async (kubernetes, cluster, signal) => {
    if (await withoutCni(cluster, signal)) return noCni;
    const waiting = (await kubernetes.nodes(signal)).filter(({ ready }) => !ready).map(({ name }) => name);
    return waiting.length === 0 ? ok : { missing: `some nodes are not ready: [${waiting.join(' ')}]` };
  }),
  check('kube-proxy to report ready', (kubernetes, _, signal) => podsReady(kubernetes, 'kube-proxy', signal)),
  check('coredns to report ready', async (kubernetes, cluster, signal) =>
    (await withoutCni(cluster, signal)) ? noCni : podsReady(kubernetes, 'kube-dns', signal),
  ),
  check('all k8s nodes to report schedulable', async (kubernetes, _, signal) => {
    const closed = (await kubernetes.nodes(signal)).filter(({ schedulable }) => !schedulable).map(({ name }) => name);
    return closed.length === 0 ? ok : { missing: `some nodes are not schedulable: [${closed.join(' ')}]` };
  }),
];

const noCni: Verdict = { skip: 'the cluster has no CNI of Talos’ own (cni: none)' };

async function withoutCni(cluster: Cluster, signal: AbortSignal): Promise<boolean> {
  const [first] = controlPlanes(cluster);
  const query = { type: 'BootstrapManifestsConfigs.kubernetes.talos.dev', namespace: 'controlplane', id: 'manifests' };
  const found = await first?.talos.get(query, signal);
  return found !== undefined && fromBinary(BootstrapManifestsConfigSpecSchema, found.proto).cniName === 'none';
}

async function podsReady(kubernetes: KubernetesHealth, app: string, signal: AbortSignal): Promise<Verdict> {
  const wanted = await kubernetes.wanted(app, signal);
  if (wanted === undefined) return { skip: `there is no ${app}` };
  const pods = await kubernetes.pods(app, signal);
  const ready = pods.filter((pod) => pod.ready).length;
  return ready >= wanted && ready === pods.length ? ok : { missing: `expected ${wanted} ready pods, got ${ready}` };
}

/** Each node that we know must be one of Kubernetes’, and each of those one of ours. */
function matching(expected: readonly ClusterNode[], actual: readonly (readonly string[])[]): Verdict {
  const own = expected.map(({ addresses }) => new Set(addresses.map(canonical)));
  const theirs = actual.map((addresses) => addresses.map(canonical));
  const absent = own.filter((addresses) => !theirs.some((list) => list.some((one) => addresses.has(one))));
  const strange = theirs.filter((list) => !own.some((addresses) => list.some((one) => addresses.has(one))));
  return verdictOf([
    ...absent.map((addresses) => `can't find expected node with IPs [${[...addresses].join(' ')}]`),
    ...strange.map((addresses) => `unexpected nodes with IPs [${addresses.join(' ')}]`),
  ]);
}
