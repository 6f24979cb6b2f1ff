import type { Boot } from './boot.ts';
import { tellPreparing, tellStarted, tellStarting, tellCreating } from './lives.ts';
import type { Machine } from './machine.ts';

export const agentService = 'ext-qemu-guest-agent';

/** Services that extensions bring. They need no configuration, so they run in maintenance mode too. */
export function startExtensions({ surroundings }: Machine, boot: Boot): void {
  if (!boot.image.extensions.includes('siderolabs/qemu-guest-agent')) return;
  tellStarting(boot, agentService);
  // Without the channel of the host it waits for ever, and so it does when the channel was added while the machine ran.
  if (!surroundings.agentChannel) return;
  tellPreparing(boot, agentService);
  tellCreating(boot, agentService);
  tellStarted(boot, agentService);
  // A container has a copy of the name that the machine had when it was made.
  boot.agentHostname = boot.hostname;
}
