import type { World } from '../world.ts';
import type { Boot } from './boot.ts';

export type CheckedCluster = {
  readonly world: World;
  readonly controlPlanes: readonly string[];
  readonly workers: readonly string[];
  readonly cni: string;
  readonly proxy: boolean;
};

/** Undefined when it holds; otherwise what is wrong, or SKIP. */
type HealthCheck = { readonly condition: string; readonly check: (cluster: CheckedCluster) => string | undefined };

const all = ({ controlPlanes, workers }: CheckedCluster): readonly string[] => [...controlPlanes, ...workers];
const bootOf = ({ world }: CheckedCluster, address: string): Boot | undefined => world.at(address)?.boot;

/** As Go joins several errors. */
const joined = (errors: readonly string[]): string | undefined =>
  errors.length === 0
    ? undefined
    : `${errors.length} error${errors.length === 1 ? '' : 's'} occurred:${errors.map((error) => `\n\t* ${error}`).join('')}`;

function serviceProblem(cluster: CheckedCluster, address: string, service: string): readonly string[] {
  const boot = bootOf(cluster, address);
  const found = boot?.services.get(service);
  const last = found?.events.at(-1);
  if (found === undefined || last === undefined) return [`${address}: no events recorded yet for service "${service}"`];
  if (last.state !== 'Running')
    return [
      `${address}: service "${service}" not in expected state "Running": current state [${last.state}] ${last.message}`,
    ];
  return found.health.healthy ? [] : [`${address}: service is not healthy: ${service}`];
}

const namesWhere = (cluster: CheckedCluster, holds: (boot: Boot) => boolean): readonly string[] =>
  all(cluster).flatMap((address) => {
    const boot = bootOf(cluster, address);
    return boot !== undefined && holds(boot) ? [boot.nodename ?? address] : [];
  });

const goList = (names: readonly string[]): string => `[${names.join(' ')}]`;

/** In Talos’ order and words; those about Kubernetes go by what the lab itself knows of the nodes. */
export const healthChecks: readonly HealthCheck[] = [
  {
    condition: 'etcd to be healthy',
    check: (cluster) => joined(cluster.controlPlanes.flatMap((address) => serviceProblem(cluster, address, 'etcd'))),
  },
  {
    condition: 'etcd members to be consistent across nodes',
    check: (cluster) => {
      const views = cluster.controlPlanes.map((address) => cluster.world.at(address)?.disk.etcd?.cluster);
      const other = views.findIndex((view) => view !== views[0]);
      return other < 0 ? undefined : `${cluster.controlPlanes[other] ?? ''}: found unexpected etcd member`;
    },
  },
  {
    condition: 'etcd members to be control plane nodes',
    check: (cluster) => {
      const first = cluster.world.at(cluster.controlPlanes[0] ?? '')?.disk.etcd?.cluster;
      const members = first?.sorted().map(({ address }) => address) ?? [];
      return members.every((address) => cluster.controlPlanes.includes(address))
        ? undefined
        : `etcd member ips ${goList(members.map((ip) => `"${ip}"`))} are not subset of control plane node ips ${goList(cluster.controlPlanes.map((ip) => `"${ip}"`))}`;
    },
  },
  {
    condition: 'apid to be ready',
    check: (cluster) => joined(all(cluster).flatMap((address) => serviceProblem(cluster, address, 'apid'))),
  },
  { condition: 'all nodes memory sizes', check: () => undefined },
  { condition: 'all nodes disk sizes', check: () => undefined },
  { condition: 'no diagnostics', check: () => undefined },
  {
    condition: 'kubelet to be healthy',
    check: (cluster) => joined(cluster.controlPlanes.flatMap((address) => serviceProblem(cluster, address, 'kubelet'))),
  },
  {
    condition: 'all nodes to finish boot sequence',
    check: (cluster) => {
      const left = all(cluster).filter((address) => bootOf(cluster, address)?.stage !== 'running');
      return left.length === 0
        ? undefined
        : joined(
            left.map(
              (address) =>
                `${address}: expected to be in stage running, got ${bootOf(cluster, address)?.stage ?? 'unknown'}`,
            ),
          );
    },
  },
  {
    condition: 'all k8s nodes to report',
    check: (cluster) => {
      const absent = all(cluster).filter((address) => (bootOf(cluster, address)?.node ?? 'absent') === 'absent');
      return absent.length === 0
        ? undefined
        : `can't find expected node with IPs ${goList(absent.map((ip) => `"${ip}"`))}`;
    },
  },
  {
    condition: 'all control plane static pods to be running',
    check: (cluster) => {
      const missing = cluster.controlPlanes.filter((address) => (bootOf(cluster, address)?.pods.length ?? 0) === 0);
      return missing[0] === undefined ? undefined : `missing static pods on node ${missing[0]}`;
    },
  },
  {
    condition: 'all control plane components to be ready',
    check: (cluster) => {
      const unready = cluster.controlPlanes.flatMap((address) =>
        (bootOf(cluster, address)?.pods ?? []).filter(({ ready }) => !ready).map(({ id }) => id),
      );
      return unready.length === 0 ? undefined : `some pods are not ready: ${goList(unready)}`;
    },
  },
  {
    condition: 'all k8s nodes to report ready',
    check: (cluster) => {
      if (cluster.cni === 'none') return 'SKIP';
      const unready = namesWhere(cluster, ({ node }) => node !== 'ready');
      return unready.length === 0 ? undefined : `some nodes are not ready: ${goList(unready)}`;
    },
  },
  { condition: 'kube-proxy to report ready', check: ({ proxy }) => (proxy ? undefined : 'SKIP') },
  { condition: 'coredns to report ready', check: ({ cni }) => (cni === 'none' ? 'SKIP' : undefined) },
  { condition: 'all k8s nodes to report schedulable', check: () => undefined },
];
