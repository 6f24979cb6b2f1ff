import type { Call } from '../../call.ts';
import { died } from '../../refusal.ts';
import type { Worker } from '../../tasks/task.ts';
import type { ConfigFile } from '../../vm.ts';
import { drivesOf, isCdrom } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { addUnused } from '../disks/unused.ts';
import { holding } from '../locking.ts';
import { isTemplate, mustBeUnlocked, vmOf } from '../lookup.ts';

/** The work of a `qmdelsnapshot`. */
export async function removeSnapshot(call: Call, worker: Worker, name: string): Promise<void> {
  const { datacenter } = call;
  const vm = vmOf(call);
  const wait = datacenter.durations.lockWait;
  if (!vm.snapshots.has(name)) throw died(`snapshot '${name}' does not exist`);
  await holding(worker, vm.lock, wait, async () => {
    const file = readConfig(vm);
    mustBeUnlocked(file.config);
    if (isTemplate(file.config)) throw died("you can't delete a snapshot if vm is a template");
    file.config.set('lock', 'snapshot-delete');
    file.snapshots.get(name)?.set('snapstate', 'delete');
    writeConfig(datacenter, vm, file);
  });
  await worker.sleep(datacenter.durations.config);
  await holding(worker, vm.lock, wait, async () => {
    const file = readConfig(vm);
    const section = file.snapshots.get(name);
    if (file.config.get('lock') !== 'snapshot-delete')
      throw died("encountered invalid lock, expected 'snapshot-delete'");
    if (section === undefined) throw died(`snapshot '${name}' does not exist`);
    forget(call, file, name, section);
    file.config.delete('lock');
    writeConfig(datacenter, vm, file);
    vm.saved.delete(name);
  });
}

function forget(call: Call, file: ConfigFile, name: string, section: ReadonlyMap<string, string>): void {
  const { storages } = call.datacenter;
  const state = section.get('vmstate');
  const volume = state === undefined ? undefined : storages.find(call.host, state);
  if (volume !== undefined) storages.free(volume);
  const parent = section.get('parent');
  file.snapshots.delete(name);
  for (const each of [file.config, ...file.snapshots.values()]) {
    if (each.get('parent') !== name) continue;
    if (parent === undefined) each.delete('parent');
    else each.set('parent', parent);
  }
  // A disk that only the snapshot still had is kept.
  const used = new Set(
    [file.config, ...file.snapshots.values()].flatMap((each) => drivesOf(each).map((drive) => drive.file)),
  );
  for (const drive of drivesOf(section))
    if (!isCdrom(drive) && !used.has(drive.file)) addUnused(file.config, drive.file);
}
