import { died, quoted } from '../../refusal.ts';
import type { Host } from '../../host.ts';
import type { Volume } from '../../storage.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Vm } from '../../vm.ts';
import { isDriveSlot, parseDrive, parseVolumeId, printDrive } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { holding } from '../locking.ts';
import { mustBeUnlocked, vmOn } from '../lookup.ts';
import { lookAfter } from '../power/cleanup.ts';
import { startAgain } from '../power/order.ts';
import type { Site } from '../site.ts';
import { localDisks } from './local-disks.ts';
import type { LocalDisk } from './local-disks.ts';

export type Journey = {
  readonly target: string;
  readonly withLocalDisks: boolean;
  readonly storageFor: (storage: string) => string;
};

/** The work of a `qmigrate`: whatever goes wrong stands in its log, and its end says only that it was aborted. */
export async function migrateVm(site: Site, worker: Worker, vmid: number, journey: Journey): Promise<void> {
  const { datacenter, host } = site;
  const { clock } = datacenter;
  const target = datacenter.hosts.get(journey.target);
  if (target === undefined) throw died(`no such cluster node '${journey.target}'`);
  const began = clock.now().getTime();
  const took = (): string => new Date(clock.now().getTime() - began).toISOString().slice(11, 19);
  const log = (line: string): void => worker.say(`${clock.now().toISOString().slice(0, 19).replace('T', ' ')} ${line}`);
  const vm = vmOn(datacenter, host, vmid);
  try {
    await holding(worker, vm.lock, datacenter.durations.lockWait, () =>
      move({ site, worker, vm, target, journey, log }),
    );
  } catch (error) {
    log(`ERROR: migration aborted (duration ${took()}): ${quoted(error)}`);
    throw died('migration aborted');
  }
  log(`migration finished successfully (duration ${took()})`);
}

type Move = {
  readonly site: Site;
  readonly worker: Worker;
  readonly vm: Vm;
  readonly target: Host;
  readonly journey: Journey;
  readonly log: (line: string) => void;
};

async function move(going: Move): Promise<void> {
  const { site, vm, target, log } = going;
  const { datacenter } = site;
  mustBeUnlocked(vm.config);
  if (target.state !== 'up') throw died("Can't connect to destination address using public key");
  lockAs(going, 'migrate');
  const before = readConfig(vm);
  const made: Volume[] = [];
  try {
    log(`starting migration of VM ${vm.vmid} to node '${target.name}' (${target.address})`);
    const disks = mustTravel(going);
    const names = await copyDisks(going, disks, made);
    rename(going, names);
    if (vm.run !== undefined) await handOver(going);
    const old = disks.map(({ volid }) => datacenter.storages.find(site.host, volid));
    vm.host = target.name;
    for (const volume of old) if (volume !== undefined) datacenter.storages.free(volume);
  } catch (error) {
    log(`ERROR: ${quoted(error)}`);
    log('aborting phase 1 - cleanup resources');
    for (const volume of made) datacenter.storages.free(volume);
    writeConfig(datacenter, vm, before);
    lockAs(going, undefined);
    throw error;
  }
  lockAs(going, undefined);
  if (vm.run !== undefined) lookAfter({ ...site, host: target }, vm, vm.run, startAgain);
}

function lockAs({ site, vm }: Move, lock: string | undefined): void {
  const file = readConfig(vm);
  if (lock === undefined) file.config.delete('lock');
  else file.config.set('lock', lock);
  writeConfig(site.datacenter, vm, file);
}

/** A medium in a local storage keeps a VM where it is; a disk goes along, of a running VM only if that was said. */
function mustTravel({ site, vm, journey, log }: Move): LocalDisk[] {
  const disks = localDisks(site.datacenter, vm);
  const problems: string[] = [];
  const words = {
    attached: ' (attached)',
    unused: ' (unused)',
    pending: ' (pending change)',
    snapshot: ' (referenced by snapshot(s))',
  };
  for (const { volid, cdrom, cloudInit, reference } of disks.toSorted((one, other) =>
    one.volid < other.volid ? -1 : 1,
  )) {
    if (cdrom && !cloudInit) problems.push(`can't migrate local disk '${volid}': local cdrom image`);
    else if (vm.run !== undefined && reference === 'attached' && !journey.withLocalDisks)
      problems.push(
        `can't migrate local disk '${volid}': can't live migrate attached local disks without with-local-disks option`,
      );
    log(
      reference === 'generated'
        ? `found generated disk '${volid}' (in current VM config)`
        : `found local disk '${volid}'${words[reference]}`,
    );
  }
  for (const problem of problems) log(problem);
  if (problems.length > 0) throw died("Problem found while scanning volumes - can't migrate VM - check log");
  return disks;
}

async function copyDisks(
  going: Move,
  disks: readonly LocalDisk[],
  made: Volume[],
): Promise<ReadonlyMap<string, string>> {
  const { site, worker, vm, target, journey, log } = going;
  const { storages, durations } = site.datacenter;
  const names = new Map<string, string>();
  if (disks.length > 0) log('copying local disk images');
  for (const { volid, cloudInit } of disks) {
    const source = storages.find(site.host, volid);
    const storage = parseVolumeId(volid)?.storage;
    if (source === undefined || storage === undefined) throw died(`volume '${volid}' does not exist`);
    const copy = storages.copy(target, source, journey.storageFor(storage), {
      vmid: vm.vmid,
      purpose: cloudInit ? 'cloudinit' : 'disk',
      format: source.format,
      name: source.name.slice(source.name.lastIndexOf('/') + 1).replace(/\.(raw|qcow2|vmdk)$/, ''),
    });
    made.push(copy);
    await worker.sleep((durations.clonePerGiB * source.bytes) / 1024 ** 3);
    names.set(volid, storages.idOf(copy));
    log(`volume '${volid}' is '${storages.idOf(copy)}' on the target`);
  }
  return names;
}

/** What disks are called on the other host, wherever the configuration names them. */
function rename({ site, vm }: Move, names: ReadonlyMap<string, string>): void {
  const file = readConfig(vm);
  for (const section of [file.config, file.pending, ...file.snapshots.values()])
    for (const [key, value] of section) {
      const drive = isDriveSlot(key) ? parseDrive(key, value) : undefined;
      const name = names.get(drive?.file ?? value);
      if (name === undefined) continue;
      if (drive !== undefined) section.set(key, printDrive({ ...drive, file: name }));
      else if (key.startsWith('unused')) section.set(key, name);
    }
  writeConfig(site.datacenter, vm, file);
}

/** The running guest goes over; it does not notice. */
async function handOver({ site, worker, vm, target, log }: Move): Promise<void> {
  const { vmid } = vm;
  const uri = `unix:/run/qemu-server/${vmid}.migrate`;
  log(`starting VM ${vmid} on remote node '${target.name}'`);
  log('start remote tunnel');
  log(`starting online/live migration on ${uri}`);
  await worker.sleep(site.datacenter.durations.start);
  log('migration completed');
}
