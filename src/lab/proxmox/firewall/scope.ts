import type { Call } from '../call.ts';
import type { FirewallFile } from './file.ts';
import type { RuleHome } from './rule.ts';

/** One of the places that have a firewall: the same calls for each, on another file. */
export type Scope = {
  readonly path: '/cluster/firewall' | '/nodes/{node}/qemu/{vmid}/firewall';
  readonly home: Exclude<RuleHome, 'group'>;
  /** As it is read: also for a VM that nobody has, and then there is nothing in it. */
  readonly read: (call: Call) => FirewallFile;
  /** As it is written: it is there afterwards, whether the VM is or not. */
  readonly write: (call: Call) => FirewallFile;
  readonly lock: (call: Call) => string;
};

export const clusterScope: Scope = {
  path: '/cluster/firewall',
  home: 'cluster',
  read: ({ datacenter }) => datacenter.firewall.cluster,
  write: ({ datacenter }) => datacenter.firewall.cluster,
  lock: () => 'firewall-cluster',
};

const vmidOf = (call: Call): number => call.number('vmid') ?? 0;

export const vmScope: Scope = {
  path: '/nodes/{node}/qemu/{vmid}/firewall',
  home: 'vm',
  read: (call) => call.datacenter.firewall.readVm(vmidOf(call)),
  write: (call) => call.datacenter.firewall.writeVm(vmidOf(call)),
  lock: (call) => `firewall-vm-${vmidOf(call)}`,
};
