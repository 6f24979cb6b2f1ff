import type * as z from 'zod';
import type { Draft } from './check.ts';
import { countsAcrossPools, fillName } from './names.ts';
import type { platformSpec } from './schema/platform.ts';

export type PlatformSpec = z.output<typeof platformSpec>;
export type PlatformDraft = { readonly name: string; readonly spec: Draft<PlatformSpec> };

/** A machine before anything but its name is settled. */
export type Seat = {
  readonly name: string;
  readonly role: 'control-plane' | 'worker';
  readonly pool: string | null;
  readonly index: number;
};

/** More would be a slip of the keyboard; the schema says so where it stands. */
const mostPerGroup = 5000;

export const poolNames = (spec: Draft<PlatformSpec>): readonly string[] =>
  Object.keys(spec.cluster?.workers ?? {}).toSorted();

/** The machines that a file asks for, by name: control planes, then pools in the order of their names. */
export function seatsOf({ name: platform, spec }: PlatformDraft): readonly Seat[] {
  const cluster = spec.cluster ?? {};
  const templates = { controlPlane: cluster.names?.controlPlane ?? '', worker: cluster.names?.worker ?? '' };
  const controlPlanes = indexes(cluster.controlPlane?.replicas).map((index): Seat => {
    return {
      name: fillName(templates.controlPlane, { platform, pool: '', index }),
      role: 'control-plane',
      pool: null,
      index,
    };
  });
  // Only a translated KubernetesCluster counts across pools, and there the pools come in the order of its list.
  const across = countsAcrossPools(templates);
  const pools = across ? Object.keys(cluster.workers ?? {}) : poolNames(spec);
  let before = 0;
  const workers = pools.flatMap((pool) => {
    const own = indexes(cluster.workers?.[pool]?.replicas);
    const seats = own.map((inPool): Seat => {
      const index = across ? before + inPool : inPool;
      return { name: fillName(templates.worker, { platform, pool, index }), role: 'worker', pool, index };
    });
    before += own.length;
    return seats;
  });
  return [...controlPlanes, ...workers];
}

const indexes = (replicas: number | undefined): readonly number[] =>
  Array.from({ length: Math.min(replicas ?? 0, mostPerGroup) }, (_, index) => index);

export const byName = <T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.name, item]));

/** Hosts that the file names, or undefined when the provider has none to name. */
export function hostNames(spec: Draft<PlatformSpec>): readonly string[] | undefined {
  const machines = spec.machines ?? {};
  if (machines.proxmox) return machines.proxmox.hosts;
  if (machines.libvirt) return Object.keys(machines.libvirt.hosts ?? {});
  return machines.openstack?.availabilityZones;
}

export const hostsPath = (spec: Draft<PlatformSpec>): string =>
  spec.machines?.proxmox
    ? 'machines.proxmox.hosts'
    : spec.machines?.libvirt
      ? 'machines.libvirt.hosts'
      : 'machines.openstack.availabilityZones';
