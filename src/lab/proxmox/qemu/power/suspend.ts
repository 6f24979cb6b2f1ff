import { lockFile } from '../../file-lock.ts';
import { died } from '../../refusal.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Vm } from '../../vm.ts';
import { drivesOf, isCdrom, parseVolumeId } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { memoryMiB } from '../config/values.ts';
import { holding } from '../locking.ts';
import { isTemplate, mustBeUnlocked, vmOn } from '../lookup.ts';
import { askerOf } from '../site.ts';
import type { Site } from '../site.ts';
import { runningMachine } from '../status.ts';
import { lockWaitMs } from './start.ts';

/** The work of a `qmpause`: everything stands still. */
export async function pauseVm(site: Site, worker: Worker, vmid: number, skipLock: boolean): Promise<void> {
  await inPlace(site, worker, vmid, async (vm) => {
    if (!skipLock && vm.config.get('lock') !== 'backup') mustBeUnlocked(vm.config);
    if (vm.run !== undefined) vm.run.paused = true;
  });
}

/** The work of a `qmresume`. */
export async function resumeVm(site: Site, worker: Worker, vmid: number, skipLock: boolean): Promise<void> {
  await inPlace(site, worker, vmid, async (vm) => {
    if (isTemplate(vm.config)) throw died(`VM ${vmid} is a template and cannot be resumed!`);
    if (vm.run === undefined || !vm.run.paused) return;
    if (!skipLock && vm.config.get('lock') !== 'backup') mustBeUnlocked(vm.config);
    vm.run.paused = false;
  });
}

/** The work of a `qmreset`. */
export async function resetVm(site: Site, worker: Worker, vmid: number, skipLock: boolean): Promise<void> {
  await inPlace(site, worker, vmid, async (vm) => {
    if (!skipLock) mustBeUnlocked(vm.config);
    if (vm.run === undefined) throw died(`VM ${vmid} qmp command 'system_reset' failed - VM ${vmid} not running`);
    vm.run.guest?.reset();
  });
}

const inPlace = (site: Site, worker: Worker, vmid: number, work: (vm: Vm) => Promise<void>): Promise<void> =>
  holding(worker, lockFile(site.datacenter.clock, site.host, vmid), lockWaitMs(site), () =>
    work(vmOn(site.datacenter, site.host, vmid)),
  );

/** The work of a `qmsuspend`: memory goes to a disk, and the VM off. The next start takes it from there. */
export async function suspendToDisk(
  site: Site,
  worker: Worker,
  vmid: number,
  how: { readonly skipLock: boolean; readonly storage: string },
): Promise<void> {
  const { datacenter } = site;
  await inPlace(site, worker, vmid, async (vm) => {
    if (!how.skipLock && vm.config.get('lock') !== 'backup') mustBeUnlocked(vm.config);
    if (vm.config.get('lock') === 'backup') throw died('cannot suspend to disk during backup');
    askerOf(site).require(`/storage/${how.storage}`, ['Datastore.AllocateSpace']);
    const day = datacenter.clock.now().toISOString().slice(0, 10);
    const file = readConfig(vm);
    file.config.set('lock', 'suspending');
    file.config.set('vmstate', saveState(site, vm, `suspend-${day}`, how.storage));
    file.config.set('runningmachine', runningMachine(vm.config.get('machine')));
    writeConfig(datacenter, vm, file);
  });
  await worker.sleep(datacenter.durations.stop);
  await inPlace(site, worker, vmid, async (vm) => {
    worker.say('State saved, quitting');
    await vm.run?.end('quit');
    const file = readConfig(vm);
    file.config.set('lock', 'suspended');
    writeConfig(datacenter, vm, file);
  });
}

/** A volume with room for twice the memory, and its id. */
export function saveState({ datacenter: { storages }, host }: Site, vm: Vm, name: string, storage: string): string {
  const bytes = (memoryMiB(vm.config) * 2 + 500) * 1024 ** 2;
  const wanted = { vmid: vm.vmid, bytes, format: 'raw', purpose: 'disk', name: `vm-${vm.vmid}-state-${name}` } as const;
  return storages.idOf(storages.allocate(host, storage, wanted));
}

/** Where memory is kept when nobody says: with the first disk that is shared, or the first one at all. */
export function stateStorage({ datacenter: { storages } }: Site, { config }: Vm): string {
  const given = config.get('vmstatestorage');
  if (given !== undefined) return given;
  const used = drivesOf(config)
    .filter((drive) => !isCdrom(drive))
    .flatMap(({ file }) => parseVolumeId(file)?.storage ?? []);
  return used.find((storage) => storages.isShared(storage)) ?? used[0] ?? 'local';
}
