import * as z from 'zod';
import { capacity } from './capacity.ts';
import { libvirtHosts, storagePool } from './libvirt.ts';
import { cel, note } from './notes.ts';
import { apiVersion, metadata } from './platform.ts';
import {
  anything,
  checksum,
  cidr,
  diskSize,
  dataDiskSize,
  foreignName,
  free,
  integer,
  memorySize,
  namedBy,
  path,
  secret,
  url,
} from './values.ts';

const group = (defaults: { replicas: number; cpu: number; memory: string; disk: string }, what: string) =>
  z
    .strictObject({
      replicas: integer(0, 200).default(defaults.replicas).describe('How many.'),
      cpu: integer(1, 512).default(defaults.cpu).describe('Virtual processors of each.'),
      memory: memorySize().prefault(defaults.memory).describe('Memory of each.'),
      disk: diskSize().prefault(defaults.disk).describe('System disk of each.'),
      disks: namedBy(dataDiskSize(), 16)
        .default({})
        .describe('Data disks by name; they become /dev/vdb, /dev/vdc, … in the order of their names.'),
    })
    .prefault({})
    .describe(what);

const fields = z.strictObject({
  hosts: libvirtHosts(),
  pool: storagePool,
  capacity: capacity(),
  image: z
    .strictObject({
      url: url(['https', 'http', 'file'], 'https://example.org/ubuntu-24.04.img').describe(
        'Cloud image of Ubuntu 24.04 or Debian 12.',
      ),
      checksum: checksum().describe('Its checksum.'),
    })
    .describe('Image of the virtual machines.'),
  network: z
    .strictObject({
      cidr: cidr().default('192.168.130.0/24').describe('Network that reaches the outside.'),
      management: cidr().default('172.29.236.0/22').describe('APIs, Ansible and containers (br-mgmt).'),
      tunnel: cidr().default('172.29.240.0/22').describe('Tenants’ tunnels (br-vxlan).'),
      storage: cidr().default('172.29.244.0/22').describe('Volumes and images (br-storage).'),
    })
    .prefault({})
    .describe('The four networks of OpenStack-Ansible.'),
  ssh: z
    .strictObject({
      user: foreignName('root').default('root').describe('User that Ansible works as.'),
      key: secret().describe('Private key; absent: ichor makes one.').optional(),
    })
    .prefault({})
    .describe('How the virtual machines are reached.'),
  controllers: group(
    { replicas: 1, cpu: 8, memory: '32GiB', disk: '200GiB' },
    'Control plane of OpenStack; one, or three and more.',
  ),
  computes: group({ replicas: 1, cpu: 16, memory: '48GiB', disk: '400GiB' }, 'Hypervisors.'),
  storage: group({ replicas: 0, cpu: 4, memory: '8GiB', disk: '100GiB' }, 'Volume servers.'),
  openstack: z
    .strictObject({
      release: note(
        z
          .string()
          .max(64)
          .regex(/^(stable\/[a-z0-9.]+|[0-9]+\.[0-9]+\.[0-9]+)$/)
          .meta({ examples: ['stable/epoxy'] })
          .default('stable/epoxy')
          .describe('Branch or tag of OpenStack-Ansible.'),
        { wants: 'a branch such as stable/epoxy or a tag such as 31.3.0' },
      ),
      networking: z.enum(['ovn']).default('ovn').describe('Network driver.'),
      cinder: z
        .strictObject({
          backend: z.enum(['lvm']).default('lvm').describe('Volume driver.'),
          device: path('/dev/vdb').default('/dev/vdb').describe('Disk of the volume group, on the storage machines.'),
        })
        .describe('Volumes; needs storage machines.')
        .optional(),
      domain: free('cloud.example.org', 253)
        .describe('Name of the public endpoints; absent: their address.')
        .optional(),
      overrides: anything().default({}).describe('Variables of OpenStack-Ansible, over those that ichor sets.'),
    })
    .prefault({})
    .describe('OpenStack.'),
});

export const substrateSpec = cel(
  cel(
    fields,
    'self.controllers.replicas == 1 || self.controllers.replicas >= 3',
    'controllers must be one, or three and more: Galera needs a majority',
    '.controllers.replicas',
  ),
  '!has(self.openstack.cinder) || self.storage.replicas > 0',
  'cinder needs at least one storage machine: set storage.replicas to 1 or more',
  '.storage.replicas',
).describe('An OpenStack on libvirt hosts, built with OpenStack-Ansible.');

export const substrate = z.strictObject({
  apiVersion: z.literal(apiVersion).describe('Version of this schema.'),
  kind: z.literal('Substrate').describe('What it is: an OpenStack on libvirt hosts.'),
  metadata,
  spec: substrateSpec,
  status: z.unknown().describe('Written by the operator; ichor does not read it.').optional(),
});
