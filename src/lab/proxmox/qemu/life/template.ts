import { answer } from '../../call.ts';
import type { Answer, Call } from '../../call.ts';
import { died } from '../../refusal.ts';
import type { ConfigFile } from '../../vm.ts';
import { drivesOf, isCdrom, printDrive } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { holding } from '../locking.ts';
import { isTemplate, mustBeUnlocked, vmidOf, vmOf } from '../lookup.ts';

/** `POST template`: there is no way back. */
export function makeTemplate(call: Call): Answer {
  checked(call);
  const { datacenter, host, who } = call;
  const upid = datacenter.startTask({
    host,
    who,
    type: 'qmtemplate',
    id: String(vmidOf(call)),
    work: (worker) =>
      holding(worker, vmOf(call).lock, datacenter.durations.lockWait, async () => {
        checked(call);
        const vm = vmOf(call);
        const file = readConfig(vm);
        file.config.set('template', '1');
        toBases(call, file, call.text('disk'));
        writeConfig(datacenter, vm, file);
      }),
  });
  return answer(upid);
}

function checked(call: Call): void {
  const vm = vmOf(call);
  mustBeUnlocked(vm.config);
  if (vm.snapshots.size > 0) throw died('unable to create template, because VM contains snapshots');
  if (isTemplate(vm.config) && call.text('disk') === undefined)
    throw died("you can't convert a template to a template");
  if (vm.run !== undefined) throw died("you can't convert a VM to template if VM is running");
}

/** Disks become what linked clones are made of, where their storage can do that. */
export function toBases(call: Call, { config }: ConfigFile, only: string | undefined): void {
  const { storages } = call.datacenter;
  for (const drive of drivesOf(config)) {
    const volume = storages.find(call.host, drive.file);
    if (isCdrom(drive) || volume === undefined || (only !== undefined && only !== drive.slot)) continue;
    if (!storages.can(volume, 'template')) continue;
    config.set(drive.slot, printDrive({ ...drive, file: storages.idOf(storages.toBase(volume)) }));
  }
}
