import type * as z from 'zod';
import type { Draft } from './check.ts';
import { countsAcrossPools, fillName, isSound } from './names.ts';
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

/** As many nodes as Kubernetes is made for. More would be a slip of the keyboard, and a rule says so. */
export const mostMachines = 5000;

export const poolNames = (spec: Draft<PlatformSpec>): readonly string[] =>
  Object.keys(spec.cluster?.workers ?? {}).toSorted();

/** How many machines the file asks for; undefined when a broken number leaves that open. */
export function machineCount(spec: Draft<PlatformSpec>): number | undefined {
  const { controlPlane, workers } = spec.cluster ?? {};
  const counts = [controlPlane, ...Object.values(workers ?? {})].map((group) => group?.replicas);
  return counts.reduce((total, count) => (total === undefined || count === undefined ? undefined : total + count), 0);
}

/** All machines, where the file says enough to know them all. */
export function allSeatsOf(platform: PlatformDraft): readonly Seat[] | undefined {
  const { workers, names } = platform.spec.cluster ?? {};
  const sound = isSound(names?.controlPlane ?? '') && isSound(names?.worker ?? '');
  const count = workers && sound ? machineCount(platform.spec) : undefined;
  return count === undefined || count > mostMachines ? undefined : seatsOf(platform);
}

/** The machines that a file asks for, by name: control planes, then pools in the order of their names. */
export function seatsOf({ name: platform, spec }: PlatformDraft): readonly Seat[] {
  const cluster = spec.cluster ?? {};
  const templates = { controlPlane: cluster.names?.controlPlane, worker: cluster.names?.worker };
  return [
    ...(templates.controlPlane === undefined ? [] : controlPlaneSeats(platform, spec, templates.controlPlane)),
    ...(templates.worker === undefined ? [] : workerSeats(platform, spec, templates.worker)),
  ].slice(0, mostMachines);
}

function controlPlaneSeats(platform: string, spec: Draft<PlatformSpec>, template: string): readonly Seat[] {
  return indexes(spec.cluster?.controlPlane?.replicas).map((index): Seat => {
    const name = fillName(template, { platform, pool: '', index });
    return { name, role: 'control-plane', pool: null, index };
  });
}

function workerSeats(platform: string, spec: Draft<PlatformSpec>, template: string): readonly Seat[] {
  const workers = spec.cluster?.workers ?? {};
  // Only a translated KubernetesCluster counts across pools, and there the pools come in the order of its list.
  const across = countsAcrossPools(template);
  const pools = across ? Object.keys(workers) : poolNames(spec);
  const seats: Seat[] = [];
  for (const pool of pools) {
    const before = across ? seats.length : 0;
    for (const inPool of indexes(Math.min(workers[pool]?.replicas ?? 0, mostMachines - seats.length))) {
      const index = before + inPool;
      seats.push({ name: fillName(template, { platform, pool, index }), role: 'worker', pool, index });
    }
  }
  return seats;
}

const indexes = (replicas: number | undefined): readonly number[] =>
  Array.from({ length: Math.min(replicas ?? 0, mostMachines) }, (_, index) => index);

export const byName = <T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.name, item]));

/** Hosts that the file names; undefined when the provider has none to name, or a broken entry leaves the list open. */
export function hostNames({ machines }: Draft<PlatformSpec>): readonly string[] | undefined {
  if (machines?.libvirt) return machines.libvirt.hosts && Object.keys(machines.libvirt.hosts);
  const hosts = machines?.proxmox ? machines.proxmox.hosts : machines?.openstack?.availabilityZones;
  const known = hosts?.filter((host) => host !== undefined);
  return known?.length === hosts?.length ? known : undefined;
}

export const hostsPath = (spec: Draft<PlatformSpec>): string =>
  spec.machines?.proxmox
    ? 'machines.proxmox.hosts'
    : spec.machines?.libvirt
      ? 'machines.libvirt.hosts'
      : 'machines.openstack.availabilityZones';
