import { mustBeQuorate } from '../quorum.ts';
import type { Site } from '../site.ts';
import { startVm } from './start.ts';

/** How long the command takes that tells the HA manager what is wanted. */
export const haCommandMs = 1000;

/** Starts a task that starts a VM, or asks the HA manager for it. */
export function orderStart(
  site: Site,
  vmid: number,
  how: { readonly skipLock?: boolean; readonly byManager?: boolean } = {},
): string {
  const { datacenter, host, who } = site;
  mustBeQuorate(datacenter, host);
  if (datacenter.ha.isManaged(vmid) && how.byManager !== true)
    return datacenter.startTask({
      host,
      who,
      type: 'hastart',
      id: String(vmid),
      work: async (worker) => {
        worker.say(`Requesting HA start for VM ${vmid}`);
        await worker.sleep(haCommandMs);
        datacenter.ha.request(vmid, 'started');
      },
    });
  return datacenter.startTask({
    host,
    who,
    type: 'qmstart',
    id: String(vmid),
    work: (worker) => {
      if (how.byManager === true) worker.say('task started by HA resource agent');
      return startVm(site, worker, vmid, { skipLock: how.skipLock === true, restart: startAgain });
    },
  });
}

/** The helper that cleans up starts what asked for a reboot. */
export const startAgain = (site: Site, vmid: number): void => {
  if (site.datacenter.quorate(site.host)) orderStart(site, vmid);
};
