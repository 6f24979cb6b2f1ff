import type { Gauge, Resource, Shortage } from '../../model/proof.ts';
import { formatGiB, formatMiB } from '../../model/size.ts';

export const resourceName = (resource: Resource | 'hosts'): string =>
  resource.startsWith('disk:') ? `disk ${resource.slice('disk:'.length)}` : resource;

/** An amount as a person says it. */
export function amount(resource: Resource | 'hosts', value: number): string {
  if (resource === 'memory') return formatMiB(roundedMiB(value));
  if (resource.startsWith('disk:')) return formatGiB(Math.round(value));
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** Large sizes that are no whole GiB are shown in GiB: nobody reads 515921MiB. */
const roundedMiB = (value: number): number => (value >= 16384 ? Math.round(value / 1024) * 1024 : Math.round(value));

export function missing({ resource, missing: value, host, machines, group }: Shortage): string {
  if (resource === 'hosts') {
    return host === null
      ? `${value} more ${value === 1 ? 'host' : 'hosts'} that may carry ${group === 'controlPlane' ? 'a control plane' : 'it'}`
      : `a host’s worth of room for ${machines}`;
  }
  const what =
    resource === 'cpu' ? `${amount(resource, value)} cpu` : `${amount(resource, value)} of ${resourceName(resource)}`;
  return `${what}${host === null ? '' : ` on ${host}`}`;
}

/** Datastores that nobody uses, and those whose size is not known, say nothing. */
export const isShown = ({ resource, capacity, before, after }: Gauge): boolean =>
  capacity !== Infinity && (before > 0 || after > 0 || !resource.startsWith('disk:'));
