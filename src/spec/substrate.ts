import type { Disk, Machine } from '../model/machine.ts';
import type { SubstrateSpec } from './rules/substrate.ts';

/** An OpenStack to be built on libvirt hosts, read, checked and settled. */
export type Substrate = {
  readonly kind: 'Substrate';
  readonly name: string;
  readonly spec: SubstrateSpec;
  readonly machines: readonly Machine[];
};

const groups = ['controllers', 'computes', 'storage'] as const;
const singular = { controllers: 'controller', computes: 'compute', storage: 'storage' } as const;

export function settleSubstrate(name: string, spec: SubstrateSpec): Substrate {
  const machines = groups.flatMap((group) =>
    Array.from({ length: spec[group].replicas }, (_, index): Machine => {
      const { cpu, memory, disk, disks } = spec[group];
      const system: Disk = { name: 'system', sizeGiB: disk, datastore: spec.pool.name };
      const data = Object.entries(disks)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([diskName, { sizeGiB, datastore }]): Disk => ({
          name: diskName,
          sizeGiB,
          datastore: datastore ?? spec.pool.name,
        }));
      const machine = `${name}-${singular[group]}-${index}`;
      return {
        name: machine,
        // Controllers keep a majority, like control planes; they are kept apart in the same way.
        role: group === 'controllers' ? 'control-plane' : 'worker',
        pool: group === 'controllers' ? null : group,
        index,
        hostname: machine,
        shape: { cpu, memoryMiB: memory, disks: [system, ...data] },
        fixed: {},
        allowedHosts: undefined,
      };
    }),
  );
  return { kind: 'Substrate', name, spec, machines };
}
