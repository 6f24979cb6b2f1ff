import type { Duplex } from 'node:stream';
import { wallClock } from './clock.ts';
import { startImageFactory } from './factory/factory.ts';
import type { ImageFactory } from './factory/factory.ts';
import { kubernetesForTalos } from './kubernetes/for-talos.ts';
import type { LabKubernetes } from './kubernetes/for-talos.ts';
import type { KubernetesDurations, KubernetesFault } from './kubernetes/twin.ts';
import { createGuests } from './proxmox/guest/guests.ts';
import type { Guests, GuestsOptions } from './proxmox/guest/guests.ts';
import { addressOf, subnetOf } from './proxmox/guest/subnet.ts';
import { startProxmoxLab } from './proxmox/lab.ts';
import type { DatacenterOptions, ProxmoxLab } from './proxmox/twin.ts';
import { canBind } from './talos/network.ts';

const factoryPort = 8080;
const proxmoxPort = 8006;

export type LabOptions = Omit<DatacenterOptions, 'guests'> & {
  /** How Talos in the VMs behaves. */
  readonly talos?: Pick<GuestsOptions, 'durations' | 'kubernetes'>;
  /** How Kubernetes behaves in the clusters that Talos makes. */
  readonly kubernetes?: { readonly durations?: Partial<KubernetesDurations>; readonly seed?: number };
  /** What runs in the VMs; absent: twins. They end with the lab. */
  readonly guests?: Guests;
};

/** A data centre that is not there: Proxmox VE, what runs in its VMs, and the factory that images come from. */
export interface Lab extends AsyncDisposable {
  readonly proxmox: ProxmoxLab;
  readonly guests: Guests;
  readonly factory: ImageFactory;
  /** Clusters whose API has been served at least once. */
  readonly clusters: readonly LabKubernetes[];
  /** Lets something go wrong with every Kubernetes that is there or will be, until `healClusters`. */
  failClusters(fault: KubernetesFault): void;
  healClusters(): void;
  /** Opens a byte stream to anything in the lab, wherever its ports really are. */
  connector(): (target: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<Duplex>;
}

const usualNetwork = '127.80.0.0/24';

export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const { clock = wallClock(), network = usualNetwork, addresses = 'own', talos = {} } = options;
  const factory = await startImageFactory(
    addresses === 'own' ? { address: factoryAddress(network), port: factoryPort } : {},
  );
  const clusters: LabKubernetes[] = [];
  let standing: readonly KubernetesFault[] = [];
  const onCluster = (cluster: LabKubernetes): void => {
    clusters.push(cluster);
    for (const fault of standing) cluster.twin.fail(fault);
  };
  const guests =
    options.guests ??
    createGuests({
      kubernetes: kubernetesForTalos({ ...options.kubernetes, clock }, onCluster),
      ...talos,
      clock,
      network,
      addresses,
      extensionsOf: (id) => factory.schematics.get(id)?.extensions,
    });
  const close = async (): Promise<void> => {
    await guests[Symbol.asyncDispose]();
    await factory[Symbol.asyncDispose]();
  };
  try {
    const proxmox = await startProxmoxLab({ ...options, clock, network, addresses, guests: guests.factory });
    const isHost = (host: string): boolean =>
      proxmox.endpoints.has(host) || [...proxmox.endpoints.values()].some((url) => new URL(url).hostname === host);
    return {
      proxmox,
      guests,
      factory,
      clusters,
      failClusters: (fault) => {
        standing = [...standing, fault];
        for (const { twin } of clusters) twin.fail(fault);
      },
      healClusters: () => {
        standing = [];
        for (const { twin } of clusters) twin.heal();
      },
      connector: () => (target, signal) => (isHost(target.host) ? proxmox : guests).connector()(target, signal),
      [Symbol.asyncDispose]: async () => {
        await proxmox[Symbol.asyncDispose]();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The address before those of the hosts. */
const factoryAddress = (network: string): string => addressOf(subnetOf(network).first + 1);

/** What could not be listened on: nothing, an address that is not there, or one that somebody else listens on. */
export type Obstacle = { readonly kind: 'absent' | 'taken'; readonly address: string; readonly port: number };

/** Whether a lab with own addresses would find its places free. */
export async function obstacleFor(network: string, hosts: number): Promise<Obstacle | undefined> {
  const { first } = subnetOf(network);
  const places = [
    { address: addressOf(first + 1), port: factoryPort },
    ...Array.from({ length: hosts }, (_, index) => ({ address: addressOf(first + 2 + index), port: proxmoxPort })),
  ];
  for (const place of places) {
    if (!(await canBind(place.address))) return { kind: 'absent', ...place };
    if (!(await canBind(place.address, place.port))) return { kind: 'taken', ...place };
  }
  return undefined;
}
