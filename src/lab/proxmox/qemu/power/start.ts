import { died } from '../../refusal.ts';
import { vnetsOn } from '../../sdn/sdn.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Vm } from '../../vm.ts';
import { applyPending } from '../change/apply.ts';
import { writeDrive } from '../cloud-init/drive.ts';
import { drivesOf, isCdrom, parseVolumeId } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { isNetSlot, parseNet } from '../config/net.ts';
import { parseProperties } from '../config/property-string.ts';
import { coresOf, memoryMiB } from '../config/values.ts';
import { holding } from '../locking.ts';
import { isTemplate, mustBeUnlocked, vmOn } from '../lookup.ts';
import { askerOf } from '../site.ts';
import type { Site } from '../site.ts';
import { qemuVersion } from '../status.ts';
import { bringUp } from './cleanup.ts';
import type { Restart } from './cleanup.ts';
import { lockFile } from '../../file-lock.ts';

export const lockWaitMs = ({ datacenter }: Site): number => datacenter.durations.lockWait;

/** The work of a `qmstart`. */
export async function startVm(
  site: Site,
  worker: Worker,
  vmid: number,
  how: { readonly skipLock: boolean; readonly restart: Restart },
): Promise<void> {
  const { datacenter, host } = site;
  await holding(worker, lockFile(datacenter.clock, host, vmid), lockWaitMs(site), async () => {
    const vm = vmOn(datacenter, host, vmid);
    if (isTemplate(vm.config)) throw died("you can't start a vm if it's a template");
    const lock = vm.config.get('lock');
    if (lock === 'backup' && vm.run !== undefined) {
      vm.run.paused = false;
      return;
    }
    if (!how.skipLock && lock !== 'suspended') mustBeUnlocked(vm.config);
    if (vm.run !== undefined) throw died(`VM ${vmid} already running`);
    await startUnlocked(site, worker, vm, how.restart);
  });
}

/** The same, for whoever has the lock. */
export async function startUnlocked(site: Site, worker: Worker, vm: Vm, restart: Restart): Promise<void> {
  const { datacenter, host } = site;
  const resumes = vm.config.get('lock') === 'suspended' || vm.config.has('vmstate');
  vm.rebootRequested = false;
  if (!resumes) applyPending(askerOf(site), vm, worker.say);
  writeDrive(datacenter, vm, worker.say);
  if (resumes) worker.say('Resuming suspended VM');
  mustHaveVolumes(site, vm);
  mustFit(site, worker, vm);
  await worker.sleep(datacenter.durations.start);
  if (memoryMiB(vm.config) * 1024 ** 2 > host.memoryBytes) {
    worker.say("qemu-system-x86_64: cannot set up guest memory 'pc.ram': Cannot allocate memory");
    throw died('start failed: QEMU exited with code 1');
  }
  bringUp(site, vm, restart);
  if (resumes) forgetState(site, worker, vm);
}

function mustHaveVolumes({ datacenter: { storages }, host }: Site, { config }: Vm): void {
  for (const { file } of drivesOf(config)) {
    const parsed = parseVolumeId(file);
    if (parsed === undefined) continue;
    storages.mustServe(host, parsed.storage, storages.contentOf(file));
    if (storages.find(host, file) === undefined) throw died(`volume '${file}' does not exist`);
  }
}

/** What QEMU’s command line would not take, in the order in which it is put together. */
function mustFit({ host, datacenter }: Site, worker: Worker, { config }: Vm): void {
  const machine = parseProperties(config.get('machine') ?? '', 'type').get('type') ?? 'pc';
  const [, major, minor, rest = ''] = /-(\d+)\.(\d+)(.*)$/.exec(machine) ?? [];
  const [qemuMajor = 0, qemuMinor = 0] = qemuVersion.split('.').map(Number);
  if (major !== undefined && (Number(major) > qemuMajor || (Number(major) === qemuMajor && Number(minor) > qemuMinor)))
    throw died(
      `Installed QEMU version '${qemuVersion}' is too old to run machine type '${machine}${rest.includes('+pve') ? '' : '+pve0'}', please upgrade node '${host.name}'`,
    );
  if (config.get('bios') === 'ovmf' && !config.has('efidisk0'))
    worker.warn('no efidisk configured! Using temporary efivars disk.');
  if (coresOf(config) > host.cpus) throw died(`MAX ${host.cpus} vcpus allowed per VM on this node`);
  for (const drive of drivesOf(config))
    if (drive.options.get('iothread') === '1' && !takesIoThread(drive.slot, config.get('scsihw')) && !isCdrom(drive))
      worker.warn('iothread is only valid with virtio disk or virtio-scsi-single controller, ignoring');
  for (const [key, value] of config) {
    const bridge = isNetSlot(key) ? parseNet(value).bridge : undefined;
    if (bridge !== undefined && !host.bridges.has(bridge) && !vnetsOn(datacenter, host).includes(bridge))
      throw died(`bridge '${bridge}' does not exist`);
  }
}

const takesIoThread = (slot: string, controller: string | undefined): boolean =>
  slot.startsWith('virtio') || (slot.startsWith('scsi') && controller === 'virtio-scsi-single');

/** The memory that was kept on disk is back in place. */
function forgetState({ datacenter, host }: Site, worker: Worker, vm: Vm): void {
  worker.say('Resumed VM, removing state');
  const file = readConfig(vm);
  const state = file.config.get('vmstate');
  const volume = state === undefined ? undefined : datacenter.storages.find(host, state);
  if (volume !== undefined) datacenter.storages.free(volume);
  for (const key of ['lock', 'vmstate', 'runningmachine', 'runningcpu', 'running-nets-host-mtu'])
    file.config.delete(key);
  writeConfig(datacenter, vm, file);
}
