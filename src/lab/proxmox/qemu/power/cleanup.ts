import { died } from '../../refusal.ts';
import type { Board } from '../../guest.ts';
import type { Running, Vm } from '../../vm.ts';
import { root } from '../site.ts';
import type { Site } from '../site.ts';
import { powerOn } from './run.ts';

/** Between the end of a guest and the moment that anybody on the host acts on it. */
const noticeMs = 200;
/** Until the helper that cleans up has come up. */
const helperMs = 2000;
/** How long the helper waits for the lock, and for a QEMU that it believes to be the old one. */
const helperPatienceMs = 60_000;
const lingerMs = 30_000;

/** Starts a VM again that asked for it; handed in, as starting needs cleaning up. */
export type Restart = (site: Site, vmid: number) => void;

/** QEMU with somebody who looks after it when it ends. */
export function bringUp(site: Site, vm: Vm, restart: Restart): Running {
  const run = powerOn(site.datacenter, vm, (mine): Board => ({
    off: () => void shutDown(site, vm, mine),
    rebooted: () => {
      if (vm.config.get('reboot') === '0') void shutDown(site, vm, mine);
    },
  }));
  lookAfter(site, vm, run, restart);
  return run;
}

/** The helper comes when QEMU is gone: at once where it was told to quit, later where the guest has ended. */
export function lookAfter(site: Site, vm: Vm, run: Running, restart: Restart): void {
  void run.gone
    .then(() => cleanUp(site, vm, restart, run.ended() === 'quit' ? 0 : helperMs))
    // What the helper has to say goes to the journal of the host.
    .catch(() => undefined);
}

/** The guest has ended by itself: QEMU stays for a moment, then somebody ends it. */
async function shutDown(site: Site, vm: Vm, run: Running): Promise<void> {
  if (vm.run !== run || run.shutDown) return;
  run.shutDown = true;
  await site.datacenter.clock.sleep(noticeMs, site.datacenter.over).catch(() => undefined);
  await run.end();
}

/**
 * The helper that tidies up after QEMU. It takes the VM’s lock; and where the VM was started again before the helper came, it
 * sits on that lock and waits for the new QEMU to end, which keeps everybody else out for half a minute.
 */
async function cleanUp(site: Site, vm: Vm, restart: Restart, delayMs: number): Promise<void> {
  const { datacenter, host } = site;
  const { clock } = datacenter;
  if (delayMs > 0) await clock.sleep(delayMs, datacenter.over);
  if (datacenter.vms.get(vm.vmid) !== vm || host.state === 'dead' || vm.host !== host.name) return;
  let wanted = false;
  await vm.lock.take(helperPatienceMs, async () => {
    const { run } = vm;
    if (run !== undefined) {
      const over = new AbortController();
      await Promise.race([
        run.gone,
        clock.sleep(lingerMs, AbortSignal.any([over.signal, datacenter.over])).catch(() => undefined),
      ]);
      over.abort(new Error('it has ended'));
      if (vm.run !== undefined) throw died('aborting cleanup, VM is still running after 30 seconds');
    }
    wanted = vm.rebootRequested;
    vm.rebootRequested = false;
  });
  if (wanted) restart({ ...site, who: root }, vm.vmid);
}
