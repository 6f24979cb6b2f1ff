import type { Boot } from './boot.ts';
import { stableHostname } from './hardware.ts';
import type { Machine } from './machine.ts';

/** The configuration’s name wins over the one that DHCP gives, that one over the platform’s, and those over a made-up one. */
export function nameMachine(machine: Machine, boot: Boot): void {
  const { settings } = boot;
  const { dhcp, platform } = machine.network.hostnames;
  boot.hostname = settings?.hostname ?? dhcp ?? platform ?? stableHostname(machine.nodeId);
  boot.nodename = settings === undefined ? undefined : boot.hostname.toLowerCase();
}
