import { answer } from '../../call.ts';
import type { Answer, Call } from '../../call.ts';
import { died, quoted, wrongParameters } from '../../refusal.ts';
import type { Volume } from '../../storage.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Vm } from '../../vm.ts';
import { isMedium, parseDrive, parseVolumeId, printDrive } from '../config/drive.ts';
import type { Drive } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { toBases } from '../life/template.ts';
import { holding } from '../locking.ts';
import { isTemplate, mustBeUnlocked, vmidOf, vmOf } from '../lookup.ts';
import { virtualDrives } from '../power/hardware.ts';
import { copyVolume } from './copy.ts';
import { reassignDisk } from './reassign.ts';
import { addUnused, isInUse } from './unused.ts';

/** `POST move_disk`: to another storage, or to another VM. */
export function moveDisk(call: Call): Answer {
  const storage = call.text('storage');
  const target = call.number('target-vmid');
  if (storage !== undefined && target !== undefined) {
    const both = "either set 'storage' or 'target-vmid', but not both";
    throw wrongParameters({ 'target-vmid': both, storage: both });
  }
  if (target !== undefined) return reassignDisk(call, target);
  if (storage === undefined) {
    const none = "both 'storage' and 'target-vmid' missing, either needs to be set";
    throw wrongParameters({ 'target-vmid': none, storage: none });
  }
  call.require(`/storage/${storage}`, ['Datastore.AllocateSpace']);
  checked(call, storage);
  const { datacenter, host, who } = call;
  const upid = datacenter.startTask({
    host,
    who,
    type: 'qmmove',
    id: String(vmidOf(call)),
    work: (worker) =>
      holding(worker, vmOf(call).lock, datacenter.durations.lockWait, () => move(call, worker, storage)),
  });
  return answer(upid);
}

type Found = { readonly vm: Vm; readonly drive: Drive; readonly volume: Volume };

function checked(call: Call, storage: string): Found {
  const { storages } = call.datacenter;
  const vm = vmOf(call);
  const disk = call.text('disk') ?? '';
  mustBeUnlocked(vm.config);
  mustBeUnchanged(call.text('digest'), vm);
  const drive = vm.config.has(disk) ? parseDrive(disk, vm.config.get(disk) ?? '') : undefined;
  if (drive === undefined) throw died(`disk '${disk}' does not exist`);
  if (isMedium(drive)) throw died("you can't move a cdrom");
  const volume = storages.find(call.host, drive.file);
  if (volume === undefined) throw died(`volume '${drive.file}' does not exist`);
  const format = call.text('format');
  if (parseVolumeId(drive.file)?.storage === storage && (format === undefined || format === volume.format))
    throw died("you can't move to the same storage with same format");
  storages.mustServe(call.host, storage, 'images');
  if (call.flag('delete') && isInUse(vm, disk, drive.file))
    throw died("you can't move a disk with snapshots and delete the source");
  return { vm, drive, volume };
}

function mustBeUnchanged(digest: string | undefined, vm: Vm): void {
  if (digest !== undefined && digest !== '' && digest !== vm.digest)
    throw died('detected modified configuration - file changed by other user? Try again.');
}

async function move(call: Call, worker: Worker, storage: string): Promise<void> {
  const { datacenter, host } = call;
  const { storages, durations } = datacenter;
  const { vm, drive, volume } = checked(call, storage);
  worker.say(`copying volume '${drive.file}' from current storage '${volume.storage}' to target storage '${storage}'`);
  const made: Volume[] = [];
  try {
    const announce = `create full clone of drive ${drive.slot} (${drive.file})`;
    const copy = await copyVolume(
      { datacenter, host, worker, perGiB: durations.clonePerGiB, vmid: vm.vmid, made },
      { source: volume, storage, format: call.text('format'), announce },
    );
    const file = readConfig(vm);
    file.config.set(
      drive.slot,
      printDrive({ ...drive, file: storages.idOf(copy), bytes: copy.bytes, format: undefined }),
    );
    if (!call.flag('delete')) {
      const key = addUnused(file.config, drive.file);
      worker.say(`adding source volume '${drive.file}' as '${key}' to config`);
    }
    if (isTemplate(file.config)) toBases(call, file, drive.slot);
    writeConfig(datacenter, vm, file);
  } catch (error) {
    for (const each of made) storages.free(each);
    throw died(`storage migration failed: ${quoted(error)}`);
  }
  if (call.flag('delete')) {
    worker.say(`removing source volume '${drive.file}' after successful copy`);
    storages.free(volume);
  }
  vm.run?.guest?.drives(virtualDrives(datacenter, vm));
}
