import { answer } from '../../call.ts';
import type { Answer, Call } from '../../call.ts';
import { lockFile } from '../../file-lock.ts';
import { died } from '../../refusal.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Vm } from '../../vm.ts';
import { drivesOf, isMedium } from '../config/drive.ts';
import { writeConfig } from '../config/file.ts';
import { emptyFile } from '../config/text.ts';
import { holding } from '../locking.ts';
import { mustBeUnlocked, mustNotBeProtected, vmidOf, vmOf } from '../lookup.ts';
import { onlyRoot } from '../rights/vm.ts';

/** `DELETE /nodes/{node}/qemu/{vmid}`. Nobody asks for a quorum here. */
export function destroyVm(call: Call): Answer {
  onlyRoot(call, 'skiplock');
  checked(call);
  const { datacenter, host, who } = call;
  const vmid = vmidOf(call);
  const upid = datacenter.startTask({
    host,
    who,
    type: 'qmdestroy',
    id: String(vmid),
    work: (worker) =>
      holding(worker, lockFile(datacenter.clock, host, vmid), datacenter.durations.lockWait, () =>
        destroy(call, worker),
      ),
  });
  return answer(upid);
}

/** Looked at before the task, and in it once more. */
function checked(call: Call): Vm {
  const vm = vmOf(call);
  const { vmid, config } = vm;
  mustNotBeProtected(config, `can't remove VM ${vmid}`);
  if (!call.flag('purge') && call.datacenter.ha.isManaged(vmid))
    throw died(`unable to remove VM ${vmid} - used in HA resources and purge parameter not set.`);
  if (vm.run !== undefined) throw died(`VM ${vmid} is running - destroy failed`);
  return vm;
}

async function destroy(call: Call, worker: Worker): Promise<void> {
  const { datacenter } = call;
  const vm = checked(call);
  const { vmid } = vm;
  const managed = datacenter.ha.isManaged(vmid);
  if (!call.flag('skiplock') && vm.config.get('lock') !== 'suspended') mustBeUnlocked(vm.config);
  await worker.sleep(datacenter.durations.destroy);
  freeDisks(call, worker, vm);
  // Disks are gone by now. Without a quorum this is as far as it comes.
  writeConfig(datacenter, vm, { ...emptyFile(), config: new Map([['lock', 'destroyed']]) });
  datacenter.access.forgetPath(`/vms/${vmid}`);
  for (const pool of datacenter.pools.values()) pool.vms.delete(vmid);
  datacenter.firewall.forgetVm(vmid);
  if (call.flag('purge')) {
    worker.say(`purging VM ${vmid} from related configurations..`);
    if (managed) {
      datacenter.ha.purge(vmid);
      worker.say(`NOTE: removed VM ${vmid} from HA resource configuration.`);
    }
  }
  // Last of all: nobody gets its VMID while anything of it is there.
  datacenter.vms.delete(vmid);
}

/** What the configuration names, and on request everything that bears the VM’s number. */
function freeDisks(call: Call, worker: Worker, vm: Vm): void {
  const { storages } = call.datacenter;
  const sections = [vm.config, vm.pending];
  const named = [
    ...sections.flatMap((section) => drivesOf(section).filter((drive) => !isMedium(drive))).map(({ file }) => file),
    ...sections.flatMap((section) => [...section].filter(([key]) => /^unused\d+$/.test(key)).map(([, volid]) => volid)),
    ...[...sections, ...vm.snapshots.values()].flatMap((section) => section.get('vmstate') ?? []),
  ];
  for (const volid of new Set(named)) {
    const owner = ownerOf(call, worker, volid);
    if (owner !== vm.vmid) continue;
    const volume = storages.find(call.host, volid);
    if (volume === undefined) worker.say(`disk image '${storages.pathOfId(volid)}' does not exist`);
    else storages.free(volume);
  }
  if (!call.flag('destroy-unreferenced-disks')) return;
  for (const volume of storages.ofVm(call.host, vm.vmid)) storages.free(volume);
}

/** A storage that is not there any more keeps nobody from being destroyed. */
function ownerOf(call: Call, worker: Worker, volid: string): number | undefined {
  try {
    return call.datacenter.storages.ownerOf(volid);
  } catch (error) {
    worker.warn(`failed to get path and owner of volume '${volid}': ${(error as Error).message}`);
    return undefined;
  }
}
