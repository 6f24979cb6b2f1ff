import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import { died } from '../refusal.ts';

/** What looks before it leaps: creation, start, clone, migration. */
export function mustBeQuorate(datacenter: Datacenter, host: Host): void {
  if (!datacenter.quorate(host)) throw died('cluster not ready - no quorum?');
}
