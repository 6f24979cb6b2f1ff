import * as z from 'zod';
import { capacity } from './capacity.ts';
import { cel } from './notes.ts';
import {
  diskSize,
  fingerprint,
  foreignName,
  free,
  integer,
  label,
  macPrefix,
  namedFreely,
  oneOf,
  path,
  secret,
  url,
  vmidRange,
} from './values.ts';

const tls = z
  .strictObject({
    fingerprint: fingerprint()
      .describe('SHA-256 fingerprint of the certificate that `endpoint` serves, as the Proxmox web interface shows it.')
      .optional(),
    ca: path('./pve-root-ca.pem')
      .describe('Path of the certificate authority, usually /etc/pve/pve-root-ca.pem of a host.')
      .optional(),
    insecure: z.boolean().default(false).describe('Accept any certificate. Warned about in every run.'),
  })
  .prefault({})
  .describe(
    'How the certificate of the API is judged: pinned by fingerprint, by a certificate authority, or by the system (default).',
  );

const endpoint = z.strictObject({
  url: url(['https'], 'https://pve2.example.org:8006').describe('Another host of the same cluster.'),
  fingerprint: fingerprint().describe('Fingerprint of its own certificate.').optional(),
});

const fields = {
  endpoint: url(['https'], 'https://pve1.example.org:8006').describe('Address of the API of any host of the cluster.'),
  endpoints: z
    .array(endpoint)
    .max(32)
    .default([])
    .describe('Further hosts that serve the API; asked in order when the first does not answer.'),
  token: secret().describe('API token, as USER@REALM!NAME=UUID.').optional(),
  login: z
    .strictObject({
      username: free('automation@pve').describe('User with its realm.'),
      password: secret().describe('Its password.'),
    })
    .describe('User and password instead of a token.')
    .optional(),
  tls,
  hosts: z.array(foreignName('pve1')).min(1).max(256).describe('Hosts that machines may be placed on.'),
  datastore: foreignName('local-lvm').default('local-lvm').describe('Datastore of the disks.'),
  imageDatastore: foreignName('local').default('local').describe('Datastore of Talos images and ISO files.'),
  sharedDatastores: namedFreely(diskSize(), 64)
    .default({})
    .describe('Datastores that all hosts share (Ceph, NFS), with their free space; counted once, not per host.'),
  bridge: foreignName('vmbr0').default('vmbr0').describe('Bridge of the machines’ network card.'),
  vlan: integer(1, 4094).describe('VLAN tag of the network card.').optional(),
  mtu: integer(576, 9216).describe('MTU of the network card; absent: that of the bridge.').optional(),
  capacity: capacity(),
  vmids: z
    .strictObject({
      controlPlane: vmidRange().prefault('401-499').describe('VMIDs of control planes.'),
      workers: vmidRange().prefault('501-1499').describe('VMIDs of workers; each pool begins a new hundred.'),
    })
    .prefault({})
    .describe('Ranges that VMIDs are taken from.'),
  macPrefix: macPrefix()
    .prefault('02')
    .describe('First octets of derived MAC addresses: 02 is locally administered, BC:24:11 is Proxmox’s own.'),
  pool: free('talos', 128).describe('Resource pool of the machines.').optional(),
  tags: z.array(label('production', 40)).max(16).default([]).describe('Further tags; ichor adds its own.'),
  cpuType: free('x86-64-v2-AES', 64)
    .default('x86-64-v2-AES')
    .describe('CPU model of the guests; Talos needs x86-64-v2 or newer.'),
  firmware: z.enum(['uefi', 'bios']).default('uefi').describe('uefi: OVMF on q35 with an EFI disk; bios: SeaBIOS.'),
  onBoot: z.boolean().default(true).describe('Start the machines when their host starts.'),
  startup: z
    .strictObject({
      order: integer(0, 9999).describe('Place in the start order of the host.').optional(),
      upSeconds: integer(0, 86400).describe('Wait after the start of each machine.').optional(),
      downSeconds: integer(0, 86400).describe('How long a shutdown may take.').optional(),
    })
    .describe('Start order of the host; needs Sys.Modify on /.')
    .optional(),
  antiAffinity: z
    .boolean()
    .default(false)
    .describe('Also tell Proxmox’s own HA to keep control planes apart (needs HA; rules on 9, groups on 8).'),
  firewall: z
    .boolean()
    .default(false)
    .describe('Write firewall rules per role (ipset, security group, rules) and switch them on for the machines.'),
};

export const proxmox = cel(
  oneOf(fields, ['token', 'login']),
  '!has(self.capacity) || self.capacity.all(host, host in self.hosts)',
  'capacity may name only hosts that are in hosts',
  '.capacity',
).describe('Machines as virtual machines of a Proxmox VE cluster.');
