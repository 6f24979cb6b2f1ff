import * as z from 'zod';
import type { Host, Inventory, Resident } from '../model/host.ts';
import type { Disk } from '../model/machine.ts';
import { isError, Problem } from '../model/problem.ts';
import { mib } from '../model/size.ts';
import { check } from './check.ts';
import { address, diskSize, free, integer, label, mac, memorySize, namedFreely, uuid } from './schema/values.ts';
import type { Source } from './source.ts';
import { parseYaml } from './yaml.ts';

const space = () => namedFreely(diskSize(), 256);

const residentSchema = z.strictObject({
  name: free('prod-cp-0', 253).describe('Its name.').optional(),
  platform: label('prod').nullable().describe('The platform it belongs to; null: to none.').optional(),
  vmid: integer(100, 999_999_999).describe('Its VMID.').optional(),
  cpu: integer(0, 8192).describe('Its virtual processors.').optional(),
  memory: memorySize().describe('Its memory.').optional(),
  disk: space().default({}).describe('Its space per datastore.'),
  mac: mac().describe('Its MAC address.').optional(),
  uuid: uuid().describe('Its SMBIOS UUID.').optional(),
  address: address().describe('Its address.').optional(),
});

const hostSchema = z.strictObject({
  cpu: integer(1, 8192).describe('Logical processors (threads).'),
  memory: memorySize().describe('Memory.'),
  disk: space().describe('Space per datastore; absent: disk is not proved.').optional(),
  used: z
    .strictObject({
      cpu: integer(0, 100_000).default(0).describe('Virtual processors.'),
      memory: memorySize().prefault('0MiB').describe('Memory.'),
      disk: space().default({}).describe('Space per datastore.'),
    })
    .prefault({})
    .describe('What is used there, besides the machines listed below.'),
  machines: z
    .array(residentSchema)
    .max(5000)
    .default([])
    .describe('Machines that are there now: yours stay where they are, the others’ room is taken.'),
});

/** What `--hosts` reads: what there is, as somebody measured it. */
export const hostsFileSchema = z.strictObject({
  hosts: namedFreely(hostSchema, 1000).describe('Hosts by name.'),
  shared: space().default({}).describe('Free space of datastores that all hosts share.'),
});

export type HostsReading = {
  readonly inventory: Inventory | undefined;
  readonly problems: readonly Problem[];
  readonly texts: ReadonlyMap<string, string>;
};

export function readHosts(source: Source): HostsReading {
  const { documents, problems: textual, text } = parseYaml(source);
  const texts = new Map([[source.name, text]]);
  const [tree, second] = documents;
  if (tree === undefined || textual.some(isError)) {
    const empty = new Problem('empty-file', 'There is nothing in this file.', {
      at: { file: source.name, line: 1, column: 1, length: 1 },
      path: '',
      remedy: 'Write for example: hosts: { pve1: { cpu: 64, memory: 504GiB } }',
    });
    return { inventory: undefined, problems: textual.length > 0 ? textual : [empty], texts };
  }
  const several =
    second &&
    new Problem('two-documents', 'A file of hosts is one document.', {
      at: second.at,
      path: '',
      remedy: 'Put all hosts under one "hosts:".',
    });
  const { draft, problems } = check(hostsFileSchema, tree);
  const all = [...textual, ...problems, ...(several ? [several] : [])];
  if (all.some(isError)) return { inventory: undefined, problems: all, texts };
  const { hosts, shared } = draft as z.output<typeof hostsFileSchema>;
  return {
    inventory: { hosts: Object.entries(hosts).map(([name, host]) => hostFrom(name, host)), shared },
    problems: all,
    texts,
  };
}

function hostFrom(name: string, { cpu, memory, disk, used, machines }: z.output<typeof hostSchema>): Host {
  return {
    name,
    cpu,
    memoryMiB: memory,
    disks: disk,
    used: { cpu: used.cpu, memoryMiB: used.memory, disks: used.disk },
    residents: machines.map(residentFrom),
  };
}

function residentFrom(machine: z.output<typeof residentSchema>): Resident {
  const disks = Object.entries(machine.disk).map(([datastore, sizeGiB]): Disk => ({
    name: datastore,
    datastore,
    sizeGiB,
  }));
  const sized = machine.cpu !== undefined || machine.memory !== undefined || disks.length > 0;
  return {
    name: machine.name,
    platform: machine.platform,
    vmid: machine.vmid,
    mac: machine.mac,
    uuid: machine.uuid,
    address: machine.address,
    size: sized ? { cpu: machine.cpu ?? 0, memoryMiB: machine.memory ?? mib(0), disks } : undefined,
  };
}
