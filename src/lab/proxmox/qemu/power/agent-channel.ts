import type { GuestAgent } from '../../guest.ts';
import type { Vm } from '../../vm.ts';

/** Who answers on the agent’s port: nobody while the VM is paused, and never where the port was not there at the start. */
export function agentOf({ run }: Vm): GuestAgent | undefined {
  if (run === undefined || run.paused || run.shutDown || !run.agentChannel) return undefined;
  return run.guest?.agent();
}
