import type { DatacenterOptions } from '../twin.ts';

/** A container: it takes room on its host, and nothing can be done with it here. */
export type Container = {
  readonly vmid: number;
  readonly host: string;
  readonly name: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly running: boolean;
};

type ContainerOptions = NonNullable<DatacenterOptions['containers']>[number];

const MiB = 1024 * 1024;

const containerOf = (options: ContainerOptions): Container => ({
  vmid: options.vmid,
  host: options.host,
  name: options.name ?? `CT${options.vmid}`,
  cpus: options.cpus ?? 1,
  memoryBytes: (options.memoryMiB ?? 512) * MiB,
  diskBytes: (options.diskGiB ?? 8) * 1024 * MiB,
  running: options.running ?? true,
});

export const createContainers = ({ containers = [] }: DatacenterOptions): Map<number, Container> =>
  new Map(containers.map((each) => [each.vmid, containerOf(each)]));
