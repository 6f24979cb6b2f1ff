import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import type { Container } from '../nodes/container.ts';
import { measured } from '../qemu/status.ts';
import type { VmStatistics } from './statistics.ts';

const GiB = 1024 ** 3;

/** What a container needs and uses at this moment; numbers of load are made up. */
export const containerNumbers = ({ name, cpus, memoryBytes, diskBytes, running }: Container): VmStatistics => ({
  status: running ? 'running' : 'stopped',
  name,
  template: false,
  maxcpu: cpus,
  cpu: running ? 0.02 : 0,
  maxmem: memoryBytes,
  mem: running ? Math.round(memoryBytes * 0.45) : 0,
  maxdisk: diskBytes,
  disk: running ? Math.round(diskBytes / 4) : 0,
  uptime: running ? 3600 : 0,
  netin: running ? 4_000_000 : 0,
  netout: running ? 2_000_000 : 0,
  diskread: running ? 16_000_000 : 0,
  diskwrite: running ? 8_000_000 : 0,
});

export type HostNumbers = {
  readonly uptime: number;
  readonly cpu: number;
  readonly maxcpu: number;
  readonly mem: number;
  readonly maxmem: number;
  readonly disk: number;
  readonly maxdisk: number;
};

/** What the system of a host needs for itself. */
const ownMemory = 1.5 * GiB;
const rootDisk = 100 * GiB;

/** What every guest of a host needs and uses at this moment, by VMID. */
export function guestNumbers(datacenter: Datacenter): ReadonlyMap<string, ReadonlyMap<number, VmStatistics>> {
  const { vms, containers } = datacenter;
  const byHost = new Map([...datacenter.hosts.keys()].map((name) => [name, new Map<number, VmStatistics>()]));
  for (const vm of vms.values()) byHost.get(vm.host)?.set(vm.vmid, measured(datacenter, vm));
  for (const container of containers.values())
    byHost.get(container.host)?.set(container.vmid, containerNumbers(container));
  return byHost;
}

/** What a host has and uses at this moment. */
export function hostNumbers(
  datacenter: Datacenter,
  host: Host,
  guests: Iterable<VmStatistics> = guestNumbers(datacenter).get(host.name)?.values() ?? [],
): HostNumbers {
  let mem = ownMemory;
  let busy = 0.02 * host.cpus;
  for (const guest of guests) {
    mem += guest.mem;
    busy += guest.cpu * guest.maxcpu;
  }
  return {
    uptime: Math.floor((datacenter.clock.now().getTime() - host.bootedAt.getTime()) / 1000),
    cpu: Math.min(1, busy / host.cpus),
    maxcpu: host.cpus,
    mem: Math.min(host.memoryBytes, Math.round(mem)),
    maxmem: host.memoryBytes,
    disk: Math.round(rootDisk / 10),
    maxdisk: rootDisk,
  };
}
