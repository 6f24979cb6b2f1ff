import { answer } from '../../call.ts';
import type { Answer, Call } from '../../call.ts';
import { lockFile } from '../../file-lock.ts';
import { died } from '../../refusal.ts';
import type { Worker } from '../../tasks/task.ts';
import { isCdrom, parseDrive, parseVolumeId, printDrive } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { parseSize } from '../config/size.ts';
import { holding } from '../locking.ts';
import { mustBeUnlocked, vmidOf, vmOf } from '../lookup.ts';
import { virtualDrives } from '../power/hardware.ts';
import { onlyRoot } from '../rights/vm.ts';

/** `PUT resize`: everything is found out by the worker, even that there is no such VM. */
export function resizeDisk(call: Call): Answer {
  onlyRoot(call, 'skiplock');
  const { datacenter, host, who } = call;
  const vmid = vmidOf(call);
  const upid = datacenter.startTask({
    host,
    who,
    type: 'resize',
    id: String(vmid),
    work: (worker) =>
      holding(worker, lockFile(datacenter.clock, host, vmid), datacenter.durations.lockWait, () => grow(call, worker)),
  });
  return answer(upid);
}

async function grow(call: Call, worker: Worker): Promise<void> {
  const { storages, durations } = call.datacenter;
  const vm = vmOf(call);
  const slot = call.text('disk') ?? '';
  const digest = call.text('digest') ?? '';
  if (digest !== '' && digest !== vm.digest) throw died('checksum mismatch (file change by other user?)');
  if (!call.flag('skiplock')) mustBeUnlocked(vm.config);
  const drive = vm.config.has(slot) ? parseDrive(slot, vm.config.get(slot) ?? '') : undefined;
  if (drive === undefined) throw died(`disk '${slot}' does not exist`);
  const parsed = parseVolumeId(drive.file);
  if (parsed === undefined && !isCdrom(drive)) throw died(`disk '${slot}' has no associated volume`);
  if (isCdrom(drive)) throw died("you can't resize a cdrom");
  call.require(`/storage/${parsed?.storage ?? ''}`, ['Datastore.AllocateSpace']);
  const volume = storages.find(call.host, drive.file);
  if (volume === undefined) throw died(`volume '${drive.file}' does not exist`);
  const wanted = call.text('size') ?? '';
  const bytes = (parseSize(wanted.replace(/^\+/, '')) ?? 0) + (wanted.startsWith('+') ? volume.bytes : 0);
  if (bytes < volume.bytes) throw died('shrinking disks is not supported');
  if (bytes === volume.bytes) return;
  await worker.sleep(durations.resize);
  storages.resize(volume, bytes);
  // A running QEMU grows it without a word.
  if (vm.run === undefined) worker.say('Image resized.');
  const file = readConfig(vm);
  file.config.set(slot, printDrive({ ...drive, bytes: volume.bytes }));
  writeConfig(call.datacenter, vm, file);
  vm.run?.guest?.drives(virtualDrives(call.datacenter, vm));
}
