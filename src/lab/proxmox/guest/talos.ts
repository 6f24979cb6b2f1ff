import { randomUUID } from 'node:crypto';
import type { Machine } from '../../talos/node/machine.ts';
import { shutDownNow } from '../../talos/node/power.ts';
import type { Found } from '../../talos/surroundings.ts';
import type { Occupant } from './occupant.ts';
import { talosAgent } from './talos-agent.ts';

/** Talos in a VM, for one boot. */
export const startTalos = (machine: Machine, found: Found): Occupant => ({
  over: machine.run(found),
  agent: () => talosAgent(machine),
  // Pods are not asked to leave when somebody presses the button.
  pressPower: () => {
    const { boot } = machine;
    if (boot !== undefined) void shutDownNow(machine, boot, randomUUID(), true).catch(() => undefined);
  },
  drives: () => {
    const { boot } = machine;
    if (boot === undefined) return;
    machine.hardware = machine.surroundings.hardware(boot.image);
    boot.touch();
  },
  end: (how) => (how === 'off' ? machine.losePower() : machine.reset()),
});
