import { diskGiB } from '../../model/machine.ts';
import type { Gauge, Proof } from '../../model/proof.ts';

/** For programs. Field names carry their unit, and stay. */
export function proofJson(proof: Proof): Record<string, unknown> {
  return {
    platform: proof.platform,
    kind: proof.kind,
    fits: proof.fits,
    certain: proof.certain,
    machines: proof.machines.map(({ machine, identity, host, because, exists }) => ({
      name: machine.name,
      role: machine.role,
      pool: machine.pool,
      host,
      vmid: identity.vmid,
      mac: identity.mac,
      uuid: identity.uuid,
      address: identity.address,
      hostname: machine.hostname,
      cpu: machine.shape.cpu,
      memoryMiB: machine.shape.memoryMiB,
      diskGiB: diskGiB(machine.shape),
      disks: machine.shape.disks,
      exists,
      because,
    })),
    hosts: proof.hosts.map(({ name, gauges, machines, tightest }) => ({
      name,
      ...gaugesJson(gauges),
      tightest: tightest.resource,
      machines,
    })),
    shared: gaugesJson(proof.shared).disks,
    losses: proof.losses,
    short: proof.short,
    nearest: proof.nearest,
    remarks: proof.remarks,
  };
}

function gaugesJson(gauges: readonly Gauge[]): {
  readonly cpu: unknown;
  readonly memoryMiB: unknown;
  readonly disks: Record<string, unknown>;
} {
  const of = ({ capacity, before, after }: Gauge) => ({
    capacity: capacity === Infinity ? null : capacity,
    before,
    after,
  });
  const named = (resource: string) => gauges.filter((gauge) => gauge.resource === resource).map(of)[0];
  const disks = gauges
    .filter(({ resource }) => resource.startsWith('disk:'))
    .map((gauge) => [gauge.resource.slice('disk:'.length), of(gauge)] as const);
  return { cpu: named('cpu'), memoryMiB: named('memory'), disks: Object.fromEntries(disks) };
}
