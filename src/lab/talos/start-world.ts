import { wallClock } from '../clock.ts';
import type { LabClock } from '../clock.ts';
import type { EtcdCluster } from './etcd/cluster.ts';
import type { LabNetwork } from './network.ts';
import type { Boot } from './node/boot.ts';
import type { Machine } from './node/machine.ts';
import { VirtualAddresses } from './vip.ts';
import type { KubernetesApi, LabCluster, LabNode, World } from './world.ts';

export type WorldOptions = {
  readonly clock?: LabClock;
  /** Called once for each cluster; what it returns answers on 6443 of the control planes. Without it that port stays shut. */
  readonly kubernetes?: (cluster: LabCluster) => KubernetesApi;
};

/** A world without machines; who puts some into it says so. */
export function startWorld(
  network: LabNetwork,
  { clock = wallClock(), kubernetes }: WorldOptions = {},
): {
  readonly world: World;
  readonly machines: Set<Machine>;
  readonly vips: VirtualAddresses;
  readonly closeKubernetes: () => Promise<void>;
} {
  const machines = new Set<Machine>();
  const vips = new VirtualAddresses(() => machines, network);
  const waiters = new Set<() => void>();
  const apis = new Map<EtcdCluster, KubernetesApi>();
  // Of two machines with one address the first has it.
  const places = new Map<string, readonly Machine[]>();
  const world: World = {
    clock,
    network,
    clusters: new Set<EtcdCluster>(),
    machines: () => machines,
    at: (address) => places.get(address)?.[0],
    isThere: (address) => places.has(address) || vips.isHeld(address),
    moved: (machine, from, to) => {
      for (const address of from) {
        const left = (places.get(address) ?? []).filter((each) => each !== machine);
        if (left.length > 0) places.set(address, left);
        else places.delete(address);
      }
      for (const address of to) places.set(address, [...(places.get(address) ?? []), machine]);
    },
    kubernetesOf: (boot) => {
      if (kubernetes === undefined || boot.settings === undefined) return undefined;
      const etcd = etcdOf(machines, boot.settings.kubernetesCa.crt);
      if (etcd === undefined) return undefined;
      // What Kubernetes knows is in etcd: with another one it begins anew.
      const api = apis.get(etcd) ?? kubernetes(clusterOf(machines, boot, etcd));
      apis.set(etcd, api);
      return api;
    },
    stir: () => {
      for (const { boot } of machines) if (boot?.membersWanted === true) boot.refreshMembers();
      vips.refresh();
      for (const waiter of waiters) waiter();
      for (const api of apis.values()) api.changed?.();
    },
    until: (holds, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          waiters.delete(look);
          signal.removeEventListener('abort', stop);
        };
        const stop = (): void => {
          leave();
          reject(signal.reason as Error);
        };
        const look = (): void => {
          if (!holds()) return;
          leave();
          resolve();
        };
        if (signal.aborted) return stop();
        signal.addEventListener('abort', stop, { once: true });
        waiters.add(look);
        look();
      }),
  };
  return {
    world,
    machines,
    vips,
    closeKubernetes: async () => {
      for (const api of apis.values()) await api.close?.();
    },
  };
}

const etcdOf = (machines: ReadonlySet<Machine>, ca: string): EtcdCluster | undefined =>
  [...machines].find(
    ({ boot, disk }) =>
      boot?.settings?.kubernetesCa.crt === ca && boot.settings.type === 'controlplane' && disk.etcd !== undefined,
  )?.disk.etcd?.cluster;

function clusterOf(machines: ReadonlySet<Machine>, first: Boot, etcd: EtcdCluster): LabCluster {
  const { settings } = first;
  if (settings === undefined) throw new Error('A node without a configuration is in no cluster.');
  const { kubernetesCa, clusterName, endpoint } = settings;
  const ours = (): Machine[] =>
    [...machines].filter(({ boot }) => boot?.settings?.kubernetesCa.crt === kubernetesCa.crt);
  return {
    name: clusterName,
    endpoint,
    ca: kubernetesCa,
    settings: {
      version: tagOf(settings.apiServer),
      podSubnets: settings.podSubnets,
      serviceSubnets: settings.serviceSubnets,
      domain: settings.dnsDomain,
      cni: settings.cni,
      kubeProxy: settings.kubeProxy,
      acceptedCas: settings.acceptedKubernetesCas,
    },
    nodes: () => ours().flatMap(nodeOf),
    isThere: () => [...machines].some(({ disk }) => disk.etcd?.cluster === etcd),
    setReady: (node, ready) => {
      for (const { boot } of ours())
        if (boot?.nodename === node && boot.node !== 'absent' && (boot.node === 'ready') !== ready) {
          boot.node = ready ? 'ready' : 'not ready';
          boot.touch();
        }
    },
  };
}

function nodeOf({ boot, address, hardware }: Machine): readonly LabNode[] {
  const { nodename, settings, node } = boot ?? {};
  if (boot === undefined || nodename === undefined || settings === undefined || node === 'absent') return [];
  return [
    {
      name: nodename,
      address,
      controlPlane: settings.type === 'controlplane',
      ready: node === 'ready',
      alive: boot.services.isRunning('kubelet'),
      cpus: hardware.cpus,
      memoryMiB: hardware.memoryMiB,
      talosVersion: boot.version,
      kubeletVersion: tagOf(settings.kubelet),
      labels: settings.nodeLabels,
      annotations: settings.nodeAnnotations,
      taints: settings.nodeTaints,
      staticPods: Object.fromEntries(boot.pods.map(({ component, runs }) => [component, runs])),
    },
  ];
}

/** `v1.36.3` of an image’s reference. */
const tagOf = (image: string): string | undefined => /:(v[^@:/]+)(@|$)/.exec(image)?.[1];
