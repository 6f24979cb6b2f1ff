import type { Call } from '../../call.ts';
import { died, wrongParameters } from '../../refusal.ts';
import { drivesOf, isCdrom, newDisk, parseDrive, parseVolumeId } from '../config/drive.ts';
import type { Drive } from '../config/drive.ts';
import type { ContentType } from '../../storage.ts';
import { isRoot } from './vm.ts';

/** Space for new disks, use of images and media: everything that drives of a request take from storages. */
export function requireStorages(
  call: Call,
  vmid: number,
  settings: ReadonlyMap<string, string>,
  defaultStorage: string | undefined,
): void {
  for (const drive of drivesOf(settings).sort(byKey)) requireForDrive(call, vmid, drive, defaultStorage);
  for (const [key, value] of settings) if (/^unused\d+$/.test(key)) requireUnused(call, vmid, key, value);
  const state = settings.get('vmstatestorage');
  if (state !== undefined) call.require(`/storage/${state}`, ['Datastore.AllocateSpace']);
}

const byKey = (one: Drive, other: Drive): number => (one.slot < other.slot ? -1 : 1);

function requireForDrive(call: Call, vmid: number, drive: Drive, defaultStorage: string | undefined): void {
  const { file, slot, importFrom } = drive;
  const disk = newDisk(file);
  if (file === 'none' || file === 'cloudinit' || parseVolumeId(file)?.name === 'cloudinit') {
    // Nothing is taken but what the drive itself needs.
  } else if (isCdrom(drive) && file === 'cdrom') call.require('/', ['Sys.Console']);
  else if (!isCdrom(drive) && disk !== undefined) requireSpace(call, disk.storage ?? defaultStorage);
  else {
    requireVolume(call, vmid, file);
    if (parseVolumeId(file) !== undefined) {
      const content = call.datacenter.storages.contentOf(file);
      if (content !== 'images' && content !== 'iso')
        throw wrongParameters({ [slot]: "content type needs to be 'images' or 'iso'" });
    }
  }
  if (importFrom !== undefined) requireSource(call, vmid, slot, importFrom);
}

function requireSpace(call: Call, storage: string | undefined): void {
  const { storages } = call.datacenter;
  if (storage === undefined) throw died('no storage ID specified (and no default storage)');
  call.require(`/storage/${storage}`, ['Datastore.AllocateSpace']);
  mustExist(call, storage);
  if (!storages.holds(storage, 'images'))
    throw wrongParameters({ storage: `storage '${storage}' does not support vm images` });
}

function mustExist(call: Call, storage: string): void {
  if (!call.datacenter.storages.exists(storage)) throw died(`storage '${storage}' does not exist`);
}

function requireSource(call: Call, vmid: number, slot: string, source: string): void {
  const { storages } = call.datacenter;
  if (parseVolumeId(source) !== undefined) {
    const content = storages.contentOf(source);
    if (content !== 'images' && content !== 'import')
      throw wrongParameters({ [slot]: `${source} has wrong type '${content}' - needs to be 'images' or 'import'` });
    const owner = content === 'images' ? storages.ownerOf(source) : undefined;
    if (owner !== undefined) {
      call.require(`/vms/${owner}`, ['VM.Clone']);
      return;
    }
  }
  requireVolume(call, vmid, source);
}

/** Media and images to import are for everybody who sees the storage; disks are for who may use their VM. */
export function requireVolume(call: Call, vmid: number, volid: string, wanted?: ContentType): void {
  const { storages } = call.datacenter;
  const parsed = parseVolumeId(volid);
  if (parsed === undefined) {
    if (isRoot(call)) return;
    throw died('Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line 651.');
  }
  const content = storages.contentOf(volid);
  const owner = storages.ownerOf(volid);
  const path = `/storage/${parsed.storage}`;
  if (wanted !== undefined && content !== wanted)
    throw died(`unable to use volume ${volid} - content type needs to be '${wanted}'`);
  if (call.may(path, ['Datastore.Allocate'])) return;
  if (content === 'iso' || content === 'vztmpl' || content === 'import')
    call.require(path, ['Datastore.AllocateSpace', 'Datastore.Audit'], 'any');
  else if (owner === undefined) throw died(`missing privileges to access ${volid}`);
  else if (owner !== vmid) {
    call.require(path, ['Datastore.Audit']);
    call.require(`/vms/${owner}`, ['VM.Config.Disk']);
  }
}

function requireUnused(call: Call, vmid: number, key: string, value: string): void {
  const file = parseDrive(key, value)?.file;
  if (file === undefined) throw wrongParameters({ [key]: `failed to parse value '${value}'` });
  if (parseVolumeId(file) === undefined) throw wrongParameters({ [key]: `not a valid volid: ${file}` });
  requireVolume(call, vmid, file, 'images');
}
