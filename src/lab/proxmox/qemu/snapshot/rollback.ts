import type { Call } from '../../call.ts';
import { died } from '../../refusal.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Vm } from '../../vm.ts';
import { drivesOf, isMedium } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { addUnused } from '../disks/unused.ts';
import { newUuid } from '../identity.ts';
import { holding } from '../locking.ts';
import { isTemplate, mustBeUnlocked, vmOf } from '../lookup.ts';
import { orderStart, startAgain } from '../power/order.ts';
import { startUnlocked } from '../power/start.ts';
import { stopUnlocked } from '../power/stop.ts';
import { bringBack } from './volumes.ts';

const notTakenOver =
  /^(snapstate|snaptime|vmstate|lock|description|unused\d+|runningmachine|runningcpu|running-nets-host-mtu)$/;

/** The work of a `qmrollback`: the VM is stopped, and is what it was then. */
export async function rollBack(call: Call, worker: Worker, name: string): Promise<void> {
  const { datacenter } = call;
  const vm = vmOf(call);
  const wait = datacenter.durations.lockWait;
  await holding(worker, vm.lock, wait, async () => {
    const section = sectionOf(vm, name);
    const state = section.get('snapstate');
    if (state !== undefined) throw died(`unable to rollback to incomplete snapshot (snapstate = ${state})`);
    mustBeUnlocked(vm.config);
    await stopUnlocked(call, worker, vm.vmid, { skipLock: false, orderly: false, timeoutSeconds: 5, force: true });
    const file = readConfig(vm);
    file.config.set('lock', 'rollback');
    writeConfig(datacenter, vm, file);
  });
  bringBack(call, vm, name, sectionOf(vm, name));
  await worker.sleep(datacenter.durations.config);
  await holding(worker, vm.lock, wait, async () => {
    if (vm.config.get('lock') !== 'rollback') throw died('got wrong lock');
    restore(call, vm, name);
    if (sectionOf(vm, name).has('vmstate')) await startUnlocked(call, worker, vm, startAgain);
  });
  if (call.flag('start') && vm.run === undefined) orderStart(call, vm.vmid);
}

function sectionOf(vm: Vm, name: string): ReadonlyMap<string, string> {
  if (isTemplate(vm.config)) throw died("you can't rollback if vm is a template");
  const section = vm.snapshots.get(name);
  if (section === undefined) throw died(`snapshot '${name}' does not exist`);
  return section;
}

/** Its description and unused disks stay; disks that came later are unused now. */
function restore(call: Call, vm: Vm, name: string): void {
  const section = sectionOf(vm, name);
  const file = readConfig(vm);
  const then = new Set(drivesOf(section).map((drive) => drive.file));
  for (const drive of drivesOf(file.config))
    if (!isMedium(drive) && !then.has(drive.file)) addUnused(file.config, drive.file);
  const kept = [...file.config].filter(([key]) => key === 'description' || /^unused\d+$/.test(key));
  const config = new Map([...kept, ...[...section].filter(([key]) => !notTakenOver.test(key)), ['parent', name]]);
  if (config.has('vmgenid')) config.set('vmgenid', newUuid(call.datacenter.random));
  writeConfig(call.datacenter, vm, { ...file, config, pending: new Map(), toDelete: new Map() });
}
