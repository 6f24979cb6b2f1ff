import { quoted } from '../../refusal.ts';
import type { ConfigFile } from '../../vm.ts';
import { writeDrive } from '../cloud-init/drive.ts';
import { noteDrift } from '../cloud-init/drift.ts';
import { isCloudInit, isDriveSlot, parseDrive } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { isNetSlot } from '../config/net.ts';
import { virtualDrives } from '../power/hardware.ts';
import { plugDrive, plugNet, unplugDrive, unplugNet } from './devices.ts';
import { changesLive, featuresOf, isFast, leavesLive, Waits } from './live.ts';
import type { Change } from './change.ts';

/** Pending changes of a running VM, as far as they can be made now. What cannot stays pending; what fails does too. */
export async function hotplugPending(change: Change): Promise<Record<string, string>> {
  const { call, worker, vm, modified } = change;
  const { datacenter } = call;
  const errors: Record<string, string> = {};
  const file = readConfig(vm);
  applyFast(file);
  writeConfig(datacenter, vm, file);
  const features = featuresOf(file.config.get('hotplug'));
  const attempt = async (key: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Waits)) errors[key] = `hotplug problem - ${quoted(error)}\n`;
    }
  };
  for (const key of [...file.toDelete.keys()].filter((each) => modified.has(each)).sort())
    await attempt(key, async () => {
      await leave(change, file, key, features);
      noteDrift(file.cloudInitDrift, key, file.config.get(key), undefined);
      file.config.delete(key);
      file.toDelete.delete(key);
    });
  const coming = [...file.pending.keys()].filter((each) => modified.has(each)).sort(cloudInitLast(file));
  for (const key of coming)
    await attempt(key, async () => {
      const value = file.pending.get(key) ?? '';
      await come(change, file, key, value, features);
      noteDrift(file.cloudInitDrift, key, file.config.get(key), value);
      file.config.set(key, value);
      file.pending.delete(key);
    });
  writeConfig(datacenter, vm, file);
  if (features.has('cloudinit') && vm.cloudInitDrift.size > 0) writeDrive(datacenter, vm, worker.say);
  vm.run?.guest?.drives(virtualDrives(datacenter, vm));
  return errors;
}

/** Keys that a running VM does not notice. */
function applyFast(file: ConfigFile): void {
  for (const [key, value] of file.pending) {
    if (!isFast(key)) continue;
    noteDrift(file.cloudInitDrift, key, file.config.get(key), value);
    file.config.set(key, value);
    file.pending.delete(key);
  }
}

/** Its drive is written when everything else is in place. */
const cloudInitLast =
  ({ pending }: ConfigFile) =>
  (one: string, other: string): number => {
    const rank = (key: string): number => {
      const drive = isDriveSlot(key) ? parseDrive(key, pending.get(key) ?? '') : undefined;
      return drive !== undefined && isCloudInit(drive) ? 1 : 0;
    };
    return rank(one) - rank(other) || (one < other ? -1 : 1);
  };

async function leave(change: Change, file: ConfigFile, key: string, features: ReadonlySet<string>): Promise<void> {
  if (isDriveSlot(key)) await unplugDrive(change, file, key, features);
  else if (isNetSlot(key)) await unplugNet(change, file, key, features);
  else leavesLive(file, key, features);
}

async function come(
  change: Change,
  file: ConfigFile,
  key: string,
  value: string,
  features: ReadonlySet<string>,
): Promise<void> {
  if (isDriveSlot(key)) await plugDrive(change, file, key, value, features);
  else if (isNetSlot(key)) await plugNet(change, file, key, value, features);
  else changesLive(file, key, value, features);
}
