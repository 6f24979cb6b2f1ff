import type { Datacenter } from '../../datacenter.ts';
import type { Host } from '../../host.ts';
import { died } from '../../refusal.ts';
import type { ConfigFile } from '../../vm.ts';
import { drivesOf, isCdrom, isCloudInit, isMedium, parseVolumeId } from '../config/drive.ts';
import type { Drive } from '../config/drive.ts';
import type { Asker } from '../site.ts';

/** A disk that is taken out stays with the VM as `unusedN`; a cloud-init drive is not worth keeping, a medium is not ours. */
export function keepUnused(
  site: { datacenter: Datacenter; host: Host },
  vmid: number,
  file: ConfigFile,
  drive: Drive,
): void {
  const { storages } = site.datacenter;
  if (isCloudInit(drive)) {
    const volume = storages.find(site.host, drive.file);
    if (volume !== undefined) storages.free(volume);
    file.cloudInitDrift.clear();
    return;
  }
  if (isCdrom(drive) || parseVolumeId(drive.file) === undefined) return;
  if (storages.ownerOf(drive.file) === vmid) addUnused(file.config, drive.file);
}

/** The first number that is free; undefined: it is there already. */
export function addUnused(config: Map<string, string>, volid: string): string | undefined {
  let free: string | undefined;
  for (let index = 255; index >= 0; index--) {
    const value = config.get(`unused${index}`);
    if (value === volid) return undefined;
    if (value === undefined) free = `unused${index}`;
  }
  if (free === undefined) throw died('Too many unused volumes - please delete them first.');
  config.set(free, volid);
  return free;
}

/** Frees a disk for good, unless something else still has it. One that belongs to another VM is only let go. */
export function freeDisk(call: Asker, vmid: number, file: ConfigFile, key: string, volid: string): void {
  const { storages } = call.datacenter;
  if (storages.ownerOf(volid) !== vmid) return;
  call.require(`/storage/${parseVolumeId(volid)?.storage ?? ''}`, ['Datastore.AllocateSpace']);
  if (isInUse(file, key, volid)) throw died(`unable to delete '${volid}' - volume is still in use (snapshot?)`);
  const volume = storages.find(call.host, volid);
  if (volume !== undefined) storages.free(volume);
}

/** By another key of the VM, or by a snapshot. */
export function isInUse({ config, snapshots }: ConfigFile, but: string, volid: string): boolean {
  const uses = (section: ReadonlyMap<string, string>, skip?: string): boolean =>
    drivesOf(section).some((drive) => drive.slot !== skip && !isCdrom(drive) && drive.file === volid);
  return uses(config, but) || [...snapshots.values()].some((section) => uses(section));
}

/** A disk that a request takes away, kept or freed as it wishes. */
export function takeOut(call: Asker, vmid: number, file: ConfigFile, drive: Drive, how: 'detach' | 'destroy'): void {
  if (how === 'detach') {
    keepUnused(call, vmid, file, drive);
    return;
  }
  call.require(`/vms/${vmid}`, ['VM.Config.Disk']);
  if (!isMedium(drive)) freeDisk(call, vmid, file, drive.slot, drive.file);
}
