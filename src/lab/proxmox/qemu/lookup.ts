import type { Call } from '../call.ts';
import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import { died } from '../refusal.ts';
import type { Vm } from '../vm.ts';

/** The VM of a host; one that is elsewhere is not there. */
export function vmOn(datacenter: Datacenter, host: Host, vmid: number): Vm {
  const vm = datacenter.vms.get(vmid);
  if (vm?.host !== host.name)
    throw died(`Configuration file 'nodes/${host.name}/qemu-server/${vmid}.conf' does not exist`);
  return vm;
}

export const vmidOf = (call: Call): number => call.number('vmid') ?? 0;

/** The VM that the path of a request names. */
export const vmOf = (call: Call): Vm => vmOn(call.datacenter, call.host, vmidOf(call));

/** Whether it runs, in the words of whoever looks for its process first. */
export function mustBeHere(datacenter: Datacenter, host: Host, vmid: number): Vm {
  const vm = datacenter.vms.get(vmid);
  if (vm?.host !== host.name) throw died(`unable to find configuration file for VM ${vmid} on node '${host.name}'`);
  return vm;
}

/** A lock of the configuration: a long job, or what one left behind. */
export function mustBeUnlocked(config: ReadonlyMap<string, string>): void {
  const lock = config.get('lock');
  if (lock !== undefined) throw died(`VM is locked (${lock})`);
}

export const isTemplate = (config: ReadonlyMap<string, string>): boolean => config.get('template') === '1';

/** Protected VMs keep their disks, and are not removed. */
export function mustNotBeProtected(config: ReadonlyMap<string, string>, what: string): void {
  if (config.get('protection') === '1') throw died(`${what} - protection mode enabled`);
}
