import type { Call } from '../../call.ts';
import { died } from '../../refusal.ts';
import { printOrder } from '../config/boot-order.ts';
import { isCloudInit, isDriveSlot, isMedium, parseDrive } from '../config/drive.ts';
import type { Drive } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { freeDisk, keepUnused } from '../disks/unused.ts';
import { mustNotBeProtected } from '../lookup.ts';
import { requireTags } from '../rights/tags.ts';
import { isRoot, requireBridges, requireForDevice, requireOnVm } from '../rights/vm.ts';
import type { Change } from './change.ts';

/** One key of `delete`. It leaves the boot order at once, and the VM when that can be. */
export function removeKey(change: Change, key: string): void {
  const { call, vm, modified } = change;
  const file = readConfig(vm);
  const waiting = file.pending.get(key);
  const value = file.config.get(key) ?? waiting;
  if (value === undefined) return;
  modified.add(key);
  file.pending.delete(key);
  if (change.bootOrder.includes(key)) {
    change.bootOrder = change.bootOrder.filter((device) => device !== key);
    file.pending.set('boot', printOrder(change.bootOrder));
    modified.add('boot');
  }
  const drive = isDriveSlot(key) || key.startsWith('unused') ? parseDrive(key, value) : undefined;
  if (key.startsWith('unused') && drive !== undefined) {
    mustNotBeProtected(file.config, `can't remove unused disk '${drive.file}'`);
    requireOnVm(call, vm.vmid, undefined, ['VM.Config.Disk']);
    freeDisk(call, vm.vmid, file, key, drive.file);
    file.config.delete(key);
  } else if (key === 'vmstate') {
    mustNotBeProtected(file.config, `can't remove vmstate '${value}'`);
    freeDisk(call, vm.vmid, file, key, value);
    file.config.delete(key);
  } else if (key === 'tags') {
    requireTags(call, vm.vmid, value, '');
    file.config.delete(key);
  } else {
    if (drive !== undefined) {
      mustNotBeProtected(file.config, `can't remove drive '${key}'`);
      requireDrive(call, vm.vmid, drive);
      if (waiting !== undefined) {
        const old = parseDrive(key, waiting);
        if (old !== undefined) keepUnused(call, vm.vmid, file, old);
      }
    } else requireRemoval(call, vm.vmid, key, value);
    file.toDelete.set(key, change.force ? 'destroy' : 'detach');
  }
  writeConfig(call.datacenter, vm, file);
}

function requireRemoval(call: Call, vmid: number, key: string, value: string): void {
  if (/^serial\d+$/.test(key) && value !== 'socket' && !isRoot(call))
    throw died(`only root can delete '${key}' config for real devices`);
  requireForDevice(call, vmid, undefined, key, value);
  requireBridges(call, [[key, value]]);
}

/** Disks, media and the cloud-init drive have a right each. */
export function requireDrive(call: Call, vmid: number, drive: Drive): void {
  const needed = isCloudInit(drive)
    ? ['VM.Config.Cloudinit', 'VM.Config.CDROM']
    : [isMedium(drive) ? 'VM.Config.CDROM' : 'VM.Config.Disk'];
  requireOnVm(call, vmid, undefined, needed);
}
