import type * as z from 'zod';
import type { Disk, Machine, Shape } from '../model/machine.ts';
import { domainOf, isHighlyAvailable, isSchedulable, kubernetesVersionOf } from './derived.ts';
import { byName, seatsOf, type PlatformSpec, type Seat } from './expand.ts';
import { addressesOf } from './machine-addresses.ts';
import { machineNamed } from './names.ts';
import { pinsOf } from './pins.ts';
import type { cluster } from './schema/cluster.ts';

type ClusterSpec = z.output<typeof cluster>;
type NodeGroup = ClusterSpec['controlPlane'] | ClusterSpec['workers'][string];

/** Where machines come from. A KubernetesCluster leaves that to the machine providers of its management cluster. */
export type Provider =
  | ({ readonly kind: 'proxmox' } & NonNullable<PlatformSpec['machines']['proxmox']>)
  | ({ readonly kind: 'libvirt' } & NonNullable<PlatformSpec['machines']['libvirt']>)
  | ({ readonly kind: 'openstack' } & NonNullable<PlatformSpec['machines']['openstack']>)
  | ({ readonly kind: 'existing' } & NonNullable<PlatformSpec['machines']['existing']>)
  | { readonly kind: 'vitistack'; readonly providers: readonly string[] };

/** The cluster with everything settled that the file may leave open. */
export type Cluster = Omit<ClusterSpec, 'name' | 'highAvailability' | 'kubernetes' | 'controlPlane'> & {
  readonly name: string;
  readonly highAvailability: boolean;
  readonly kubernetes: { readonly version: string };
  readonly controlPlane: ClusterSpec['controlPlane'] & { readonly schedulable: boolean };
};

/** A platform file, read, checked and settled. Everything later works on this. */
export type Platform = {
  readonly kind: 'Platform';
  readonly name: string;
  readonly environment: string | undefined;
  readonly identity: PlatformSpec['identity'];
  readonly provider: Provider;
  readonly via: string | undefined;
  readonly cluster: Cluster;
  readonly services: PlatformSpec['services'];
  readonly configuration: PlatformSpec['configuration'];
  readonly machines: readonly Machine[];
};

/** Settles a specification that has no problems. */
export function settlePlatform(name: string, spec: PlatformSpec): Platform {
  const provider = providerOf(spec.machines);
  return {
    kind: 'Platform',
    name,
    environment: spec.environment,
    identity: spec.identity,
    provider,
    via: spec.machines.via,
    cluster: settleCluster(name, spec.cluster),
    services: { ...spec.services, domain: domainOf({ name, spec }) },
    configuration: spec.configuration,
    machines: machinesOf(name, spec, provider),
  };
}

function providerOf({ proxmox, libvirt, openstack, existing }: PlatformSpec['machines']): Provider {
  if (proxmox) return { kind: 'proxmox', ...proxmox };
  if (libvirt) return { kind: 'libvirt', ...libvirt };
  if (openstack) return { kind: 'openstack', ...openstack };
  if (existing) return { kind: 'existing', ...existing };
  throw new Error('A specification without problems has a provider.');
}

export function settleCluster(platform: string, spec: ClusterSpec): Cluster {
  return {
    ...spec,
    name: spec.name ?? platform,
    highAvailability: isHighlyAvailable(spec) === true,
    kubernetes: { version: kubernetesVersionOf(spec) ?? '' },
    controlPlane: { ...spec.controlPlane, schedulable: isSchedulable(spec) },
  };
}

export function machinesOf(
  name: string,
  spec: Pick<PlatformSpec, 'cluster'> & Partial<PlatformSpec>,
  provider: Provider,
): readonly Machine[] {
  const seats = seatsOf({ name, spec });
  const known = byName(seats);
  const pins = pinsOf({ name, spec }, known);
  const addresses = byName(addressesOf({ name, spec }));
  const overrides = new Map(
    Object.entries(spec.cluster.nodes).map(([written, node]) => [machineNamed(written, name, known)?.name, node]),
  );
  const existing =
    provider.kind === 'existing'
      ? new Map(
          Object.entries(provider.machines).map(([written, machine]) => [
            machineNamed(written, name, known)?.name,
            machine,
          ]),
        )
      : undefined;

  return seats.map((seat): Machine => {
    const group = groupOf(spec.cluster, seat);
    const node = overrides.get(seat.name);
    const host = pins.get(seat.name)?.[0]?.host;
    const address = addresses.get(seat.name)?.address;
    const mac = node?.mac ?? existing?.get(seat.name)?.mac;
    return {
      ...seat,
      hostname: node?.hostname ?? seat.name,
      shape: shapeOf(group, node, datastoreOf(provider)),
      fixed: {
        ...(node?.vmid === undefined ? {} : { vmid: node.vmid }),
        ...(mac === undefined ? {} : { mac }),
        ...(node?.uuid === undefined ? {} : { uuid: node.uuid }),
        ...(address === undefined ? {} : { address }),
        ...(host === undefined ? {} : { host }),
      },
      allowedHosts: group.hosts,
    };
  });
}

function groupOf(cluster: ClusterSpec, seat: Pick<Seat, 'role' | 'pool'>): NodeGroup {
  const group = seat.role === 'control-plane' ? cluster.controlPlane : cluster.workers[seat.pool ?? ''];
  if (group === undefined) throw new Error(`There is no pool ${seat.pool}.`);
  return group;
}

/** Where a disk goes when nothing else is said. */
function datastoreOf(provider: Provider): string {
  switch (provider.kind) {
    case 'proxmox':
      return provider.datastore;
    case 'libvirt':
      return provider.pool.name;
    case 'openstack':
      return provider.rootVolume?.type ?? 'default';
    case 'existing':
    case 'vitistack':
      return 'default';
  }
}

function shapeOf(group: NodeGroup, node: ClusterSpec['nodes'][string] | undefined, datastore: string): Shape {
  const system: Disk = { name: 'system', sizeGiB: node?.disk ?? group.disk, datastore: group.datastore ?? datastore };
  const data = Object.entries({ ...group.disks, ...node?.disks })
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, disk]): Disk => ({ name, sizeGiB: disk.sizeGiB, datastore: disk.datastore ?? system.datastore }));
  return { cpu: node?.cpu ?? group.cpu, memoryMiB: node?.memory ?? group.memory, disks: [system, ...data] };
}
