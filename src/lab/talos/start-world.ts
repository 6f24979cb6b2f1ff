import { wallClock } from '../clock.ts';
import type { LabClock } from '../clock.ts';
import type { EtcdCluster } from './etcd/cluster.ts';
import type { LabNetwork } from './network.ts';
import type { Boot } from './node/boot.ts';
import type { Machine } from './node/machine.ts';
import { VirtualAddresses } from './vip.ts';
import type { KubernetesApi, LabCluster, World } from './world.ts';

export type WorldOptions = {
  readonly clock?: LabClock;
  /** Called once for each cluster; what it returns answers on 6443 of the control planes. Without it that port stays shut. */
  readonly kubernetes?: (cluster: LabCluster) => KubernetesApi;
};

/** A world without machines; who puts some into it says so. */
export function startWorld(
  network: LabNetwork,
  { clock = wallClock(), kubernetes }: WorldOptions = {},
): { readonly world: World; readonly machines: Set<Machine>; readonly vips: VirtualAddresses } {
  const machines = new Set<Machine>();
  const vips = new VirtualAddresses(() => machines, network);
  const waiters = new Set<() => void>();
  const apis = new Map<string, KubernetesApi>();
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
      const key = boot.settings.kubernetesCa.crt;
      const api = apis.get(key) ?? kubernetes(clusterOf(machines, boot));
      apis.set(key, api);
      return api;
    },
    stir: () => {
      for (const { boot } of machines) if (boot?.membersWanted === true) boot.refreshMembers();
      vips.refresh();
      for (const waiter of waiters) waiter();
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
  return { world, machines, vips };
}

function clusterOf(machines: ReadonlySet<Machine>, first: Boot): LabCluster {
  const { kubernetesCa, clusterName, endpoint } = first.settings ?? {
    kubernetesCa: { crt: '', key: '' },
    clusterName: '',
    endpoint: '',
  };
  const ours = (): Machine[] =>
    [...machines].filter(({ boot }) => boot?.settings?.kubernetesCa.crt === kubernetesCa.crt);
  return {
    name: clusterName,
    endpoint,
    ca: kubernetesCa,
    nodes: () =>
      ours().flatMap(({ boot, address }) =>
        boot?.nodename === undefined || boot.node === 'absent'
          ? []
          : [
              {
                name: boot.nodename,
                address,
                controlPlane: boot.settings?.type === 'controlplane',
                ready: boot.node === 'ready',
              },
            ],
      ),
    setReady: (node, ready) => {
      for (const machine of ours())
        if (machine.boot?.nodename === node) {
          machine.markedReady = ready;
          if (!ready && machine.boot.node === 'ready') machine.boot.node = 'not ready';
          machine.boot.touch();
        }
    },
  };
}
