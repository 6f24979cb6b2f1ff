import type { Call } from '../../call.ts';
import { died } from '../../refusal.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Vm } from '../../vm.ts';
import { agentEnabled } from '../config/agent-option.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { memoryMiB } from '../config/values.ts';
import { renderBytes } from '../config/size.ts';
import { holding } from '../locking.ts';
import { isTemplate, mustBeUnlocked, vmOf } from '../lookup.ts';
import { agentOf } from '../power/agent-channel.ts';
import { saveState, stateStorage } from '../power/suspend.ts';
import { runningMachine } from '../status.ts';
import { disksOf, keepContents, mustSnapshot } from './volumes.ts';

/** Not part of what a snapshot remembers. */
const leftOut = /^(snapstate|snaptime|vmstate|lock|description|unused\d+)$/;

/** The work of a `qmsnapshot`. */
export async function takeSnapshot(call: Call, worker: Worker, name: string): Promise<void> {
  const { datacenter } = call;
  const wait = datacenter.durations.lockWait;
  await holding(worker, vmOf(call).lock, wait, async () => prepare(call, name));
  const vm = vmOf(call);
  if (vm.run !== undefined) announceState(call, worker, vm, name);
  for (const { slot, file } of disksOf(call, vm.config)) worker.say(`snapshotting 'drive-${slot}' (${file})`);
  await worker.sleep(datacenter.durations.config);
  keepContents(call, vm, name);
  await holding(worker, vm.lock, wait, async () => {
    const file = readConfig(vm);
    if (file.config.get('lock') !== 'snapshot') throw died('missing snapshot lock');
    const section = file.snapshots.get(name);
    if (section === undefined) throw died(`snapshot '${name}' does not exist`);
    section.delete('snapstate');
    file.config.delete('lock');
    file.config.set('parent', name);
    writeConfig(datacenter, vm, file);
  });
}

function prepare(call: Call, name: string): void {
  const { datacenter } = call;
  const vm = vmOf(call);
  const file = readConfig(vm);
  if (isTemplate(file.config)) throw died("you can't take a snapshot if it's a template");
  mustBeUnlocked(file.config);
  if (file.snapshots.has(name)) throw died(`snapshot name '${name}' already used`);
  mustSnapshot(call, file.config);
  const section = new Map([...file.config].filter(([key]) => !leftOut.test(key)));
  if (call.flag('vmstate') && vm.run !== undefined) {
    section.set('vmstate', saveState(call, vm, name, stateStorage(call, vm)));
    section.set('runningmachine', runningMachine(file.config.get('machine')));
  }
  section.set('snapstate', 'prepare');
  section.set('snaptime', String(Math.floor(datacenter.clock.now().getTime() / 1000)));
  const description = call.text('description') ?? '';
  if (description !== '') section.set('description', description);
  file.config.set('lock', 'snapshot');
  file.snapshots.set(name, section);
  writeConfig(datacenter, vm, file);
}

/** Memory is saved with its disks, or file systems are asked to hold still. */
function announceState(call: Call, worker: Worker, vm: Vm, name: string): void {
  const state = vm.snapshots.get(name)?.get('vmstate');
  if (state !== undefined) {
    const used = renderBytes((memoryMiB(vm.config) * 1024 ** 2) / 4);
    worker.say(`saving VM state and RAM using storage '${state.slice(0, state.indexOf(':'))}'`);
    worker.say(`completed saving the VM state in 1s, saved ${used}`);
  } else if (!agentEnabled(vm.config)) worker.say('skipping guest filesystem freeze - disabled in VM options');
  else if (agentOf(vm) === undefined)
    worker.say('skipping guest filesystem freeze - agent configured but not running?');
}
