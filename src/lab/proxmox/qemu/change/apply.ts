import type { Vm } from '../../vm.ts';
import { writeDrive } from '../cloud-init/drive.ts';
import { drivesOf, isCloudInit, isDriveSlot, parseDrive } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { forgetIdle, hasPending } from '../config/pending.ts';
import { keepUnused, takeOut } from '../disks/unused.ts';
import type { Asker } from '../site.ts';

/** Everything that waits comes into force: the VM is off. */
export function applyPending(asker: Asker, vm: Vm, say: (line: string) => void): void {
  if (!hasPending(vm)) return;
  const file = readConfig(vm);
  for (const [key, how] of [...file.toDelete].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const drive = isDriveSlot(key) ? parseDrive(key, file.config.get(key) ?? '') : undefined;
    if (drive !== undefined) takeOut(asker, vm.vmid, file, drive, how);
    file.toDelete.delete(key);
    file.config.delete(key);
  }
  forgetIdle(file);
  let drivesAnew = false;
  for (const [key, value] of file.pending) {
    const old = isDriveSlot(key) ? parseDrive(key, file.config.get(key) ?? '') : undefined;
    if (old !== undefined) keepUnused(asker, vm.vmid, file, old);
    if (isDriveSlot(key)) drivesAnew ||= drivesOf(new Map([[key, value]])).some(isCloudInit);
    file.pending.delete(key);
    file.config.set(key, value);
  }
  writeConfig(asker.datacenter, vm, file);
  if (drivesAnew) writeDrive(asker.datacenter, vm, say);
}
