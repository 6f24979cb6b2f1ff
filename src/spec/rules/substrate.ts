import type * as z from 'zod';
import { overlaps, parseCidr } from '../../model/ip.ts';
import { nearest } from '../../model/nearest.ts';
import type { Draft } from '../check.ts';
import { fewOf } from '../names.ts';
import type { substrateSpec } from '../schema/substrate.ts';
import type { Rule, Said } from './rule.ts';

export type SubstrateSpec = z.output<typeof substrateSpec>;
export type SubstrateDraft = { readonly name: string; readonly spec: Draft<SubstrateSpec> };

function* networks({ spec }: SubstrateDraft): Iterable<Said> {
  const given = Object.entries(spec.network ?? {}).flatMap(([name, written]) => {
    const cidr = written === undefined ? undefined : parseCidr(written);
    return cidr === undefined ? [] : [{ name, written, cidr }];
  });
  for (const [index, one] of given.entries()) {
    const other = given.slice(0, index).find((earlier) => overlaps(earlier.cidr, one.cidr));
    if (other)
      yield {
        path: ['spec', 'network', one.name],
        code: 'overlapping-networks',
        message: `${one.name} (${one.written}) and ${other.name} (${other.written}) overlap.`,
        remedy: 'Give them networks that share no address.',
      };
  }
}

function* machines({ spec }: SubstrateDraft): Iterable<Said> {
  const controllers = spec.controllers?.replicas;
  if (controllers === 0 || controllers === 2) {
    yield {
      path: ['spec', 'controllers', 'replicas'],
      code: 'no-majority',
      message: 'Controllers must be one, or three and more: Galera needs a majority.',
      remedy: 'Use 1 or 3.',
    };
  }
  if (spec.computes?.replicas === 0) {
    yield {
      path: ['spec', 'computes', 'replicas'],
      code: 'no-computes',
      message: 'Without computes no server could run.',
      remedy: 'Use at least 1.',
    };
  }
  if (spec.openstack?.cinder === undefined) return;
  if (spec.storage?.replicas === 0) {
    yield {
      path: ['spec', 'openstack', 'cinder'],
      code: 'no-storage',
      message: 'Cinder needs at least one storage machine.',
      remedy: 'Add "storage: { replicas: 1, disks: { cinder: 500GiB } }".',
    };
  } else if (spec.storage?.disks !== undefined && Object.keys(spec.storage.disks).length === 0) {
    yield {
      path: ['spec', 'openstack', 'cinder'],
      code: 'no-data-disk',
      message: 'Cinder’s volume group needs a data disk on the storage machines.',
      remedy: 'Add "disks: { cinder: 500GiB }" to storage.',
    };
  }
}

function* capacityHosts({ spec }: SubstrateDraft): Iterable<Said> {
  const hosts = Object.keys(spec.hosts ?? {});
  for (const host of Object.keys(spec.capacity ?? {})) {
    if (hosts.includes(host)) continue;
    const meant = nearest(host, hosts);
    yield {
      path: ['spec', 'capacity', host],
      code: 'unknown-host',
      message: `There is no host "${host}" in hosts.`,
      remedy: meant === undefined ? `Hosts: ${fewOf(hosts)}.` : `Did you mean "${meant}"?`,
    };
  }
}

export const substrateRules: readonly Rule<SubstrateDraft>[] = [networks, machines, capacityHosts];
