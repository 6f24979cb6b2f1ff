import { createHash } from 'node:crypto';
import type { Call } from '../../call.ts';
import { died } from '../../refusal.ts';
import type { ConfigFile } from '../../vm.ts';
import { orderOf, printOrder } from '../config/boot-order.ts';
import { isDriveSlot, isMedium, parseDrive } from '../config/drive.ts';
import { parseProperties } from '../config/property-string.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { uniqueTags } from '../config/tags.ts';
import { makeDrives } from '../disks/make.ts';
import { keepUnused } from '../disks/unused.ts';
import { requireTags } from '../rights/tags.ts';
import { isRoot, requireBridges, requireForDevice } from '../rights/vm.ts';
import { requireDrive } from './remove.ts';
import type { Change } from './change.ts';

/** One key that is set: it waits in the pending section, whether it could be applied or not. */
export async function setKey(change: Change, key: string): Promise<void> {
  const { call, vm, settings, modified } = change;
  const file = readConfig(vm);
  const value = settings.get(key) ?? '';
  modified.add(key);
  if (file.pending.get(key) === value) return;
  if (isDriveSlot(key)) await setDrive(change, file, key, value);
  else if (key === 'tags') {
    requireTags(call, vm.vmid, file.config.get(key) ?? '', value);
    file.pending.set(key, uniqueTags(value, call.datacenter.options.get('tag-style')));
  } else if (key === 'cipassword') file.config.set(key, kept(file, value));
  else {
    requireOld(call, vm.vmid, key, file.config.get(key), value);
    file.pending.set(key, value);
    if (key === 'boot') checkOrder(change, file, value);
  }
  file.toDelete.delete(key);
  writeConfig(call.datacenter, vm, file);
}

/** What is replaced needs the same rights as what comes. */
function requireOld(call: Call, vmid: number, key: string, old: string | undefined, value: string): void {
  if (/^serial\d+$/.test(key) && !isRoot(call) && (value !== 'socket' || (old ?? 'socket') !== 'socket'))
    throw died(`only root can modify '${key}' config for real devices`);
  if (old !== undefined) {
    requireForDevice(call, vmid, undefined, key, old);
    requireBridges(call, [[key, old]]);
  }
  requireForDevice(call, vmid, undefined, key, value);
}

async function setDrive(change: Change, file: ConfigFile, slot: string, value: string): Promise<void> {
  const { call, worker, vm } = change;
  const drive = parseDrive(slot, value);
  if (drive === undefined) return;
  const old = file.config.has(slot) ? parseDrive(slot, file.config.get(slot) ?? '') : undefined;
  if (old !== undefined) {
    requireDrive(call, vm.vmid, old);
    const version = (options: ReadonlyMap<string, string>): string => options.get('version') ?? 'v1.2';
    if (slot === 'tpmstate0' && old.file === drive.file && version(old.options) !== version(drive.options))
      throw died('cannot change TPM state version after creation');
  }
  requireDrive(call, vm.vmid, drive);
  const waiting = file.pending.has(slot) ? parseDrive(slot, file.pending.get(slot) ?? '') : undefined;
  if (waiting !== undefined) keepUnused(call, vm.vmid, file, waiting);
  const beside = [file.config, file.pending];
  const made = await makeDrives({ call, worker, vmid: vm.vmid, beside }, new Map([[slot, value]]), undefined);
  for (const [key, printed] of made.printed) file.pending.set(key, printed);
  // A new medium can be booted from, whether it was meant to or not.
  if (change.bootOrder.length > 0 && isMedium(drive) && !change.bootOrder.includes(slot)) {
    change.bootOrder = [...change.bootOrder, slot];
    file.pending.set('boot', printOrder(change.bootOrder));
    change.modified.add('boot');
  }
}

/** An order may name only what is there, or comes with the same request. */
function checkOrder({ settings, remove }: Change, file: ConfigFile, value: string): void {
  if (!parseProperties(value, 'legacy').has('order')) return;
  for (const device of orderOf(value)) {
    const exists = [file.config, file.pending, settings].some((section) => section.has(device));
    if (!exists || remove.includes(device)) throw died(`invalid bootorder: device '${device}' does not exist'`);
  }
  file.pending.set('boot', printOrder(orderOf(value)));
  if (file.config.has('bootdisk')) file.toDelete.set('bootdisk', 'detach');
}

/** Linux guests get a hash of it. */
function kept({ config }: ConfigFile, password: string): string {
  const isHash = /^\$(?:[156]|2[ay])(\$.+){2}/.test(password);
  if (isHash || (config.get('ostype') ?? '').startsWith('w')) return password;
  const salt = createHash('sha256').update(password).digest('base64url').slice(0, 8);
  const hash = createHash('sha256')
    .update(salt + password)
    .digest('base64url');
  return `$5$${salt}$${hash}`;
}
