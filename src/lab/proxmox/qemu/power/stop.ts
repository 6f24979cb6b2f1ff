import { lockFile } from '../../file-lock.ts';
import { died } from '../../refusal.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Running, Vm } from '../../vm.ts';
import { applyPending } from '../change/apply.ts';
import { agentEnabled } from '../config/agent-option.ts';
import { parseProperties } from '../config/property-string.ts';
import { holding } from '../locking.ts';
import { mustBeHere, mustBeUnlocked, vmOn } from '../lookup.ts';
import { askerOf } from '../site.ts';
import type { Site } from '../site.ts';
import { agentOf } from './agent-channel.ts';
import { lockWaitMs } from './start.ts';

export type Stopping = {
  readonly skipLock: boolean;
  /** The guest is asked to end; false: the plug is pulled. */
  readonly orderly: boolean;
  readonly timeoutSeconds: number | undefined;
  /** What does not end is killed. */
  readonly force: boolean;
};

const second = 1000;
const acpiSeconds = 60;
const agentSeconds = 600;

/** The work of a `qmstop` or `qmshutdown`: the lock is held all the time. */
export async function stopVm(site: Site, worker: Worker, vmid: number, how: Stopping): Promise<void> {
  const { datacenter, host } = site;
  await holding(worker, lockFile(datacenter.clock, host, vmid), lockWaitMs(site), () =>
    stopUnlocked(site, worker, vmid, how),
  );
}

/** The same, for whoever has the lock. A VM that is off is left alone, whatever its configuration says. */
export async function stopUnlocked(site: Site, worker: Worker, vmid: number, how: Stopping): Promise<void> {
  const { datacenter, host } = site;
  const vm = mustBeHere(datacenter, host, vmid);
  const { run } = vm;
  if (run === undefined) return;
  if (!how.skipLock) mustBeUnlocked(vmOn(datacenter, host, vmid).config);
  const ended = how.orderly ? await askToEnd(site, worker, vm, run, how) : await quit(site, worker, run);
  if (ended !== 'ended') {
    if (!how.force) throw died(ended);
    worker.say(`${ended === silent ? 'VM still running' : ended} - terminating now with SIGTERM`);
    await run.end();
  }
  applyPending(askerOf(site), vm, worker.say);
}

const silent = 'VM quit/powerdown failed - got timeout';

/** QEMU is gone at once; it only takes a while until somebody looks. */
async function quit({ datacenter }: Site, worker: Worker, run: Running): Promise<'ended'> {
  await run.end('quit');
  await worker.sleep(datacenter.durations.stop);
  return 'ended';
}

/** Through the guest agent where it answers, by the power button where it does not. */
async function askToEnd(site: Site, worker: Worker, vm: Vm, run: Running, how: Stopping): Promise<string> {
  const { config, vmid } = vm;
  const down = parseProperties(config.get('startup') ?? '', 'order').get('down');
  const seconds = how.timeoutSeconds ?? (down === undefined ? undefined : Number(down));
  if (agentEnabled(config)) {
    const agent = agentOf(vm);
    if (agent !== undefined) {
      agent.shutdown();
      const ended = await endsWithin(worker, vm, run, seconds ?? agentSeconds);
      return ended ? 'ended' : 'VM quit/powerdown failed';
    }
    await worker.sleep(site.datacenter.durations.agentSilence);
    worker.say(`QEMU Guest Agent is not running - VM ${vmid} qga command 'guest-ping' failed - got timeout`);
  }
  run.guest?.pressPower();
  return (await endsWithin(worker, vm, run, seconds ?? acpiSeconds)) ? 'ended' : silent;
}

/** Looked at once a second, as the real thing does. */
async function endsWithin(worker: Worker, vm: Vm, run: Running, seconds: number): Promise<boolean> {
  for (let waited = 0; waited < seconds && vm.run === run; waited++)
    await Promise.race([run.gone, worker.sleep(second)]);
  return vm.run !== run;
}

/** The work of a `qmreboot`: an orderly end; the helper that cleans up starts the VM again. */
export async function rebootVm(
  site: Site,
  worker: Worker,
  vmid: number,
  timeoutSeconds: number | undefined,
): Promise<void> {
  const { datacenter, host } = site;
  await holding(worker, lockFile(datacenter.clock, host, vmid), lockWaitMs(site), async () => {
    const vm = mustBeHere(datacenter, host, vmid);
    if (vm.run === undefined) return;
    vm.rebootRequested = true;
    try {
      await stopUnlocked(site, worker, vmid, { skipLock: false, orderly: true, timeoutSeconds, force: false });
    } catch (error) {
      // The next ordinary shutdown must not be taken for a reboot.
      vm.rebootRequested = false;
      throw error;
    }
  });
}
