import type { Gauge, Proof } from '../model/proof.ts';
import { resizeOf } from './resize.ts';
import type { Standing } from './situation.ts';

/** Hosts whose room is there only when machines on them have become smaller. Who grows in something else gives up nothing yet. */
export function crowdedHosts(
  { hosts }: Proof,
  wanted: readonly Standing[],
  leaving: readonly Standing[],
): ReadonlySet<string> {
  const shrinking = wanted.filter((standing) => resizeOf(standing)?.grows === false);
  if (shrinking.length === 0) return new Set();
  const isCrowded = (name: string, gauge: Gauge): boolean => {
    // Disks never become smaller.
    if (gauge.resource !== 'cpu' && gauge.resource !== 'memory') return false;
    const given = takenBy(shrinking, name, gauge) - wantedBy(shrinking, name, gauge);
    return given > 0 && overflows(gauge, given + takenBy(leaving, name, gauge));
  };
  return new Set(
    hosts.filter(({ name, gauges }) => gauges.some((gauge) => isCrowded(name, gauge))).map(({ name }) => name),
  );
}

/** Whether a host has less than what its machines take when all is done, and this besides. */
export const overflows = ({ after, capacity }: Gauge, besides: number): boolean =>
  besides > 0 && after + besides > capacity;

/** What these take of a host now. */
export const takenBy = (machines: readonly Standing[], host: string, { resource }: Gauge): number =>
  machines.reduce((total, { observed }) => total + (observed?.host === host ? needOf(observed, resource) : 0), 0);

const wantedBy = (machines: readonly Standing[], host: string, { resource }: Gauge): number =>
  machines.reduce(
    (total, { machine, observed }) =>
      total + (observed?.host === host && machine !== undefined ? needOf(machine.shape, resource) : 0),
    0,
  );

type Size = {
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly disks: readonly { readonly datastore: string; readonly sizeGiB: number }[];
};

function needOf({ cpu, memoryMiB, disks }: Size, resource: Gauge['resource']): number {
  if (resource === 'cpu') return cpu;
  if (resource === 'memory') return memoryMiB;
  return disks
    .filter(({ datastore }) => resource === `disk:${datastore}`)
    .reduce((total, { sizeGiB }) => total + sizeGiB, 0);
}
