import * as z from 'zod';
import { note } from './notes.ts';
import {
  address,
  addressRange,
  dataDiskSize,
  diskSize,
  foreignName,
  free,
  hostname,
  integer,
  mac,
  memorySize,
  namedBy,
  nodeAnnotations,
  nodeLabels,
  oneOf,
  patches,
  path,
  taint,
  uuid,
  vmidRange,
} from './values.ts';

const installDisk = oneOf(
  {
    path: path('/dev/sda').describe('Device to install to.').optional(),
    selector: z
      .strictObject({
        size: free('>= 100GB', 32).describe('Size with a comparison.').optional(),
        model: free('WDC*', 128).describe('Model, with wildcards.').optional(),
        serial: free('S3Z8NB0K', 128).describe('Serial number.').optional(),
        type: z.enum(['ssd', 'hdd', 'nvme', 'sd']).describe('Kind of disk.').optional(),
        busPath: free('/pci0000:00/*', 256).describe('Bus path, with wildcards.').optional(),
        wwid: free('naa.5*', 128).describe('World-wide id.').optional(),
      })
      .describe('Properties the disk must have.')
      .optional(),
  },
  ['path', 'selector'],
).describe('Disk that Talos is installed to; absent: the system disk that ichor made.');

const dataDisks = () =>
  namedBy(dataDiskSize(), 16).describe(
    'Data disks by name, each with its size. A disk called longhorn is prepared for Longhorn.',
  );

const common = {
  datastore: foreignName('local-lvm').describe('Datastore of the system disk; absent: the provider’s.').optional(),
  disks: dataDisks().default({}),
  labels: nodeLabels().default({}).describe('Labels of the Kubernetes nodes.'),
  annotations: nodeAnnotations().default({}).describe('Annotations of the Kubernetes nodes.'),
  taints: z.array(taint()).max(16).default([]).describe('Taints of the Kubernetes nodes, as key=value:Effect.'),
  extensions: z
    .array(free('nvidia-container-toolkit-production', 100))
    .max(32)
    .default([])
    .describe('Talos extensions on top of cluster.talos.extensions.'),
  installDisk: installDisk.optional(),
  hosts: z
    .array(foreignName('pve1'))
    .min(1)
    .max(256)
    .describe('Only these hosts may carry them; absent: all.')
    .optional(),
  flavor: free('m1.large').describe('OpenStack flavor; absent: the smallest that has the size.').optional(),
  vmids: vmidRange().describe('VMIDs of this group; absent: from machines.proxmox.vmids.').optional(),
  addresses: addressRange()
    .describe('Static addresses of this group: machine 0 gets the first, machine 1 the next.')
    .optional(),
  patches: patches(),
};

export const controlPlane = z
  .strictObject({
    replicas: integer(1, 9).default(1).describe('How many; an odd number, at least 3 for high availability.'),
    cpu: integer(2, 1024).default(2).describe('Virtual processors of each.'),
    memory: memorySize().prefault('4GiB').describe('Memory of each; at least 2GiB.'),
    disk: diskSize().prefault('40GiB').describe('System disk of each; at least 10GiB.'),
    schedulable: note(z.boolean().describe('Run ordinary workloads on control planes too.').optional(), {
      derived: 'true when there are no workers, else false',
    }),
    ...common,
  })
  .prefault({})
  .describe('The control planes: machines cp-0, cp-1, …');

export const workerPool = z.strictObject({
  replicas: integer(0, 5000).default(1).describe('How many.'),
  cpu: integer(1, 1024).default(4).describe('Virtual processors of each.'),
  memory: memorySize().prefault('8GiB').describe('Memory of each; at least 1GiB.'),
  disk: diskSize().prefault('100GiB').describe('System disk of each; at least 10GiB.'),
  ...common,
});

/** What a person fixes for one machine; everything else comes from its group. */
export const nodeOverride = z.strictObject({
  vmid: note(integer(100, 999_999_999).describe('VMID on Proxmox.').optional(), {
    derived: 'the next free one of its group’s range',
  }),
  mac: note(mac().describe('MAC address of the first network card.').optional(), {
    derived: 'made from the names of the platform and the machine',
  }),
  uuid: note(uuid().describe('SMBIOS UUID.').optional(), {
    derived: 'made from the names of the platform and the machine',
  }),
  address: note(address().describe('Its address: static, or reserved for its MAC in your DHCP server.').optional(), {
    derived: 'the next one of its group’s addresses, else what DHCP gives',
  }),
  host: note(foreignName('pve1').describe('Host that carries it.').optional(), {
    derived: 'as pinned under placement, else where it fits best',
  }),
  hostname: note(hostname('kube-a').describe('Name of the VM and the node.').optional(), {
    derived: 'the machine’s name',
  }),
  cpu: note(integer(1, 1024).describe('Virtual processors.').optional(), { derived: 'as its group says' }),
  memory: note(memorySize().describe('Memory.').optional(), { derived: 'as its group says' }),
  disk: note(diskSize().describe('System disk.').optional(), { derived: 'as its group says' }),
  disks: note(dataDisks().optional(), { derived: 'as its group says' }),
  labels: nodeLabels().default({}).describe('Labels on top of the group’s.'),
  annotations: nodeAnnotations().default({}).describe('Annotations on top of the group’s.'),
  taints: z.array(taint()).max(16).default([]).describe('Taints on top of the group’s.'),
  installDisk: installDisk.optional(),
  patches: patches(),
});
