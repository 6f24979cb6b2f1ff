import type { Duplex } from 'node:stream';
import { wallClock } from '../clock.ts';
import { apidPort } from './apid/apid.ts';
import type { EtcdCluster } from './etcd/cluster.ts';
import { AddressNotThere, canBind, mappedAddresses, ownAddresses } from './network.ts';
import type { LabNetwork } from './network.ts';
import type { Boot } from './node/boot.ts';
import { Machine } from './node/machine.ts';
import type { LabClock } from '../clock.ts';
import type { TalosLab, TalosTwin, TwinDurations, TwinOptions } from './twin.ts';
import { VirtualAddresses } from './vip.ts';
import type { KubernetesApi, LabCluster, World } from './world.ts';

export type TalosLabOptions = {
  readonly clock?: LabClock;
  readonly durations?: Partial<TwinDurations>;
  /** `mapped` where only 127.0.0.1 can be listened on: nodes are then reached through the lab’s connector alone. */
  readonly addresses?: 'own' | 'mapped';
  /** Called once for each cluster; what it returns answers on 6443 of the control planes. Without it that port stays shut. */
  readonly kubernetes?: (cluster: LabCluster) => KubernetesApi;
};

export interface RunningTalosLab extends TalosLab {
  /** Opens a byte stream to a node of the lab, wherever its ports really are. */
  connector(): (target: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<Duplex>;
}

/** A place for nodes that see each other, over real sockets. */
export async function startTalosLab(options: TalosLabOptions = {}): Promise<RunningTalosLab> {
  const machines = new Map<string, Machine>();
  const twins = new Map<string, TalosTwin>();
  const network = options.addresses === 'mapped' ? mappedAddresses() : ownAddresses;
  const vips = new VirtualAddresses(() => machines.values(), network);
  const world = worldOf(machines, network, vips, options);
  return {
    twins,
    connector: () => (target, signal) => network.dial(target.host, target.port, signal),
    add: async (given: TwinOptions) => {
      if (machines.has(given.address)) throw new Error(`There is a machine at ${given.address} already.`);
      if (network === ownAddresses && !(await canBind(given.address))) throw new AddressNotThere(given.address);
      if (network === ownAddresses && !(await canBind(given.address, apidPort)))
        throw new Error(`Port ${apidPort} of ${given.address} is taken: another lab may be running there.`);
      const machine = new Machine(given, world, options.durations);
      const twin = twinOf(machine);
      machines.set(given.address, machine);
      twins.set(given.address, twin);
      machine.powerOn();
      return twin;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...machines.values()].map((machine) => machine.powerOff()));
      await vips.close();
    },
  };
}

function worldOf(
  machines: ReadonlyMap<string, Machine>,
  network: LabNetwork,
  vips: VirtualAddresses,
  { clock = wallClock(), kubernetes }: TalosLabOptions,
): World {
  const waiters = new Set<() => void>();
  const apis = new Map<string, KubernetesApi>();
  return {
    clock,
    network,
    clusters: new Set<EtcdCluster>(),
    machines: () => machines.values(),
    at: (address) => machines.get(address),
    isThere: (address) => machines.has(address) || vips.isHeld(address),
    kubernetesOf: (boot) => {
      if (kubernetes === undefined || boot.settings === undefined) return undefined;
      const key = boot.settings.kubernetesCa.crt;
      const api = apis.get(key) ?? kubernetes(clusterOf(machines, boot));
      apis.set(key, api);
      return api;
    },
    stir: () => {
      for (const { boot } of machines.values()) if (boot?.membersWanted === true) boot.refreshMembers();
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
}

function clusterOf(machines: ReadonlyMap<string, Machine>, first: Boot): LabCluster {
  const { kubernetesCa, clusterName, endpoint } = first.settings ?? {
    kubernetesCa: { crt: '', key: '' },
    clusterName: '',
    endpoint: '',
  };
  const ours = (): Machine[] =>
    [...machines.values()].filter(({ boot }) => boot?.settings?.kubernetesCa.crt === kubernetesCa.crt);
  return {
    name: clusterName,
    endpoint,
    ca: kubernetesCa,
    nodes: () =>
      ours().flatMap(({ boot, options }) =>
        boot?.nodename === undefined || boot.node === 'absent'
          ? []
          : [
              {
                name: boot.nodename,
                address: options.address,
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

const twinOf = (machine: Machine): TalosTwin => ({
  address: machine.options.address,
  hardware: machine.hardware,
  stage: () => machine.boot?.stage ?? (machine.isOn() ? 'rebooting' : 'off'),
  fingerprint: () => machine.apid.fingerprint(),
  config: () => (machine.boot?.settings === undefined ? undefined : machine.boot.config),
  version: () => machine.boot?.version ?? machine.nextVersion(),
  powerOn: async () => machine.powerOn(),
  powerOff: () => machine.powerOff(),
  fail: (fault) => machine.faults.add(fault),
  heal: () => machine.faults.clear(),
});
