import { randomUUID } from 'node:crypto';
import type { Boot } from '../../talos/node/boot.ts';
import { agentService } from '../../talos/node/extensions.ts';
import type { Machine } from '../../talos/node/machine.ts';
import { shutDownNow } from '../../talos/node/power.ts';
import type { GuestAgent } from '../guest.ts';
import { interfacesOf } from './interfaces.ts';

/** The agent of an extension; undefined while it does not run. */
export function talosAgent(machine: Machine): GuestAgent | undefined {
  const { boot } = machine;
  if (boot?.services.isRunning(agentService) !== true) return undefined;
  return {
    networkInterfaces: () => interfacesOf(machine, boot),
    hostName: () => boot.agentHostname ?? '(none)',
    osInfo: () => osInfo(boot),
    // Its /sbin/shutdown asks Talos, which lets the pods go elsewhere first.
    shutdown: () => void shutDownNow(machine, boot, randomUUID(), false).catch(() => undefined),
  };
}

/** The container has no /etc/os-release: what is left is the kernel. */
const osInfo = ({ started }: Boot): Readonly<Record<string, string>> => ({
  'kernel-release': '6.18.34-talos',
  'kernel-version': `#1 SMP ${started.toUTCString()}`,
  machine: 'x86_64',
});
