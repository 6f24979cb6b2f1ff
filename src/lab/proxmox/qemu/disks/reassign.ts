import { answer } from '../../call.ts';
import type { Answer, Call } from '../../call.ts';
import { died, wrongParameters } from '../../refusal.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Volume } from '../../storage.ts';
import type { Vm } from '../../vm.ts';
import { orderOf, printOrder } from '../config/boot-order.ts';
import { isMedium, parseDrive, parseVolumeId, printDrive } from '../config/drive.ts';
import type { Drive } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { holding } from '../locking.ts';
import { isTemplate, mustBeUnlocked, vmidOf, vmOf, vmOn } from '../lookup.ts';
import { requireOnVm } from '../rights/vm.ts';
import { isInUse } from './unused.ts';

type Found = { readonly source: Vm; readonly target: Vm; readonly drive: Drive; readonly volume: Volume };

/** Gives a disk to another VM of the same host. */
export function reassignDisk(call: Call, targetId: number): Answer {
  const { datacenter, host, who } = call;
  const vmid = vmidOf(call);
  const { disk, targetDisk } = slotsOf(call);
  requireOnVm(call, targetId, undefined, ['VM.Config.Disk']);
  if (vmid === targetId)
    throw wrongParameters({ 'target-vmid': 'must be different than source VMID to reassign disk' });
  const { drive } = checked(call, targetId);
  call.require(`/storage/${parseVolumeId(drive.file)?.storage ?? ''}`, ['Datastore.AllocateSpace']);
  const upid = datacenter.startTask({
    host,
    who,
    type: 'qmmove',
    id: `${vmid}-${disk}>${targetId}-${targetDisk}`,
    work: (worker) =>
      holding(worker, vmOf(call).lock, datacenter.durations.lockWait, () =>
        holding(worker, vmOn(datacenter, host, targetId).lock, datacenter.durations.lockWait, () =>
          reassign(call, worker, targetId),
        ),
      ),
  });
  return answer(upid);
}

const slotsOf = (call: Call): { readonly disk: string; readonly targetDisk: string } => {
  const disk = call.text('disk') ?? '';
  return { disk, targetDisk: call.text('target-disk') ?? disk };
};

function checked(call: Call, targetId: number): Found {
  const { datacenter } = call;
  const vmid = vmidOf(call);
  const { disk, targetDisk } = slotsOf(call);
  const target = datacenter.vms.get(targetId);
  if (target === undefined) throw died(`could not find target VM ${targetId}`);
  const source = vmOf(call);
  if (source.host !== target.host)
    throw died(`Both VMs need to be on the same node (${source.host} != ${target.host})`);
  mustBeUnlocked(source.config);
  mustBeUnlocked(target.config);
  if (isTemplate(source.config) || isTemplate(target.config)) throw died("Can't move disks from or to template VMs");
  mustBeUnchanged(vmid, call.text('digest'), source);
  mustBeUnchanged(targetId, call.text('target-digest'), target);
  const value = source.config.get(disk);
  if (value === undefined) throw died(`Disk '${disk}' for VM '${vmid}' does not exist`);
  if (target.config.has(targetDisk))
    throw died(`Target disk key '${targetDisk}' is already in use for VM '${targetId}'`);
  const drive = parseDrive(disk, value);
  const volume = drive === undefined ? undefined : datacenter.storages.find(call.host, drive.file);
  if (drive === undefined || volume === undefined) throw died(`disk '${disk}' has no associated volume`);
  if (isMedium(drive)) throw died("CD drive contents can't be moved to another VM");
  if (isInUse(source, disk, drive.file)) throw died("Can't move disk used by a snapshot to another VM");
  if (!datacenter.storages.can(volume, 'rename'))
    throw died('Storage does not support moving of this disk to another VM');
  if (source.run !== undefined && !disk.startsWith('unused'))
    throw died('Cannot move disk to another VM while the source VM is running - detach first');
  return { source, target, drive, volume };
}

function mustBeUnchanged(vmid: number, digest: string | undefined, vm: Vm): void {
  if (digest !== undefined && digest !== vm.digest)
    throw died(`VM ${vmid}: detected modified configuration - file changed by other user? Try again.`);
}

async function reassign(call: Call, worker: Worker, targetId: number): Promise<void> {
  const { datacenter } = call;
  const { source, target, drive, volume } = checked(call, targetId);
  const { disk, targetDisk } = slotsOf(call);
  worker.say(`reassign disk '${disk}' from VM '${source.vmid}' as '${targetDisk}' to VM '${targetId}'`);
  const file = datacenter.storages.idOf(datacenter.storages.reassign(volume, targetId));
  const from = readConfig(source);
  const order = orderOf(from.config.get('boot'));
  if (order.includes(disk)) {
    worker.say(`removing disk '${disk}' from boot order config`);
    from.config.set('boot', printOrder(order.filter((device) => device !== disk)));
  }
  from.config.delete(disk);
  worker.say(`removing disk '${disk}' from VM '${source.vmid}' config`);
  writeConfig(datacenter, source, from);
  const into = readConfig(target);
  into.config.set(
    targetDisk,
    targetDisk.startsWith('unused') ? file : printDrive({ ...drive, slot: targetDisk, file }),
  );
  writeConfig(datacenter, target, into);
}
