import * as z from 'zod';
import { libvirt } from './libvirt.ts';
import { openstack } from './openstack.ts';
import { proxmox } from './proxmox.ts';
import { address, fingerprint, mac, namedBy, oneOf, url } from './values.ts';

const existing = z
  .strictObject({
    machines: namedBy(
      z.strictObject({
        address: address().describe('Address where it waits in maintenance mode.'),
        fingerprint: fingerprint()
          .describe('Fingerprint of its maintenance certificate; absent: pinned at first contact.')
          .optional(),
        mac: mac().describe('MAC address of its first network card.').optional(),
      }),
      1000,
    ).describe('Machines that already run Talos in maintenance mode, by machine name.'),
  })
  .describe('Machines that somebody else made.');

/** Layer 1a: where machines come from. */
export const machines = oneOf(
  {
    proxmox: proxmox.optional(),
    libvirt: libvirt.optional(),
    openstack: openstack.optional(),
    existing: existing.optional(),
    via: url(['ssh'], 'ssh://root@pve1.example.org')
      .describe('Host that every connection to the machines goes through, when only it can reach their network.')
      .optional(),
  },
  ['proxmox', 'libvirt', 'openstack', 'existing'],
).describe('Layer 1a: where the machines come from; one of proxmox, libvirt, openstack, existing.');
