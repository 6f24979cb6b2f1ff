import type { Boot } from './boot.ts';
import { stableHostname } from './hardware.ts';
import type { Machine } from './machine.ts';

/** The configuration’s name wins over the one that DHCP gives, and that one over a name made up of the node’s identity. */
export function nameMachine(machine: Machine, boot: Boot): void {
  const { settings } = boot;
  boot.hostname = settings?.hostname ?? machine.options.dhcpHostname ?? stableHostname(machine.nodeId);
  boot.nodename = settings === undefined ? undefined : boot.hostname.toLowerCase();
}
