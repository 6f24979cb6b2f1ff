import * as z from 'zod';
import { capacity } from './capacity.ts';
import { cidr, foreignName, hostname, macPrefix, mapOf, nameKeys, path, url } from './values.ts';

const libvirtUri = () =>
  url(
    ['qemu', 'qemu+ssh', 'qemu+tls', 'qemu+tcp', 'qemu+libssh', 'qemu+libssh2'],
    'qemu+ssh://root@kvm1.example.org/system',
  );

export const libvirtHosts = () =>
  mapOf('letters, digits, dots, dashes and underscores', nameKeys, libvirtUri(), 256)
    .default({ local: 'qemu:///system' })
    .describe('Hosts by name, each with its libvirt URI; absent: this machine, called local.');

export const storagePool = z
  .strictObject({
    name: foreignName('ichor').default('ichor').describe('Name of the storage pool.'),
    path: path('/var/lib/libvirt/images/ichor')
      .default('/var/lib/libvirt/images')
      .describe('Folder of the pool on the host.'),
  })
  .prefault({})
  .describe('Storage pool of images and disks; made when it is absent.');

export const libvirt = z
  .strictObject({
    hosts: libvirtHosts(),
    pool: storagePool,
    network: z
      .strictObject({
        name: foreignName('ichor').default('ichor').describe('Name of the libvirt network; made when it is absent.'),
        mode: z
          .enum(['nat', 'route', 'open', 'isolated', 'bridge'])
          .default('nat')
          .describe(
            'How guests reach the outside; bridge joins an existing bridge of the host, where libvirt gives no addresses.',
          ),
        bridge: foreignName('br0').describe('The host’s bridge, for mode bridge.').optional(),
        cidr: cidr().describe('Addresses of the network; absent: cluster.network.nodes.').optional(),
        domain: hostname('prod.example.org').describe('DNS domain that libvirt’s dnsmasq serves.').optional(),
      })
      .prefault({})
      .describe('The network of the machines.'),
    capacity: capacity(),
    macPrefix: macPrefix()
      .prefault('52:54:00')
      .describe('First octets of derived MAC addresses; 52:54:00 is QEMU’s own.'),
    firmware: z.enum(['uefi', 'bios']).default('uefi').describe('uefi: OVMF without Secure Boot; bios: SeaBIOS.'),
    acceleration: z.enum(['kvm', 'emulation']).default('kvm').describe('emulation runs without hardware help, slowly.'),
  })
  .describe('Machines as domains of libvirt hosts, through virsh.');
