import { answer, type Call, type Routes } from '../call.ts';
import { died, Refusal, wrongParameters } from '../refusal.ts';
import type { Volume } from '../storage.ts';
import { contentsOf, type StorageDefinition } from './definition.ts';
import { storageKinds } from './kinds.ts';
import { inBlocks } from './new-volume.ts';
import { parseVolumeId, parseVolumeName, volumePath, type VolumeName } from './volume-name.ts';

/** A volume as lists show it. */
function rowOf(volid: string, volume: Volume, files: boolean): Readonly<Record<string, unknown>> {
  const { content, vmid, ctime, bytes, fileBytes } = volume;
  const common = { volid, content, ctime, format: listedFormat(volume) };
  if (content === 'images') {
    const disk = { ...common, size: bytes, vmid };
    return files ? { ...disk, used: inBlocks(fileBytes), parent: null } : disk;
  }
  return { ...common, size: fileBytes, ...(vmid === undefined ? {} : { vmid, subtype: 'qemu' }) };
}

/** The list goes by the name of a file, the single answer by what is in it. */
function listedFormat({ content, format, name }: Volume): string {
  if (content === 'iso') return 'iso';
  if (content === 'snippets') return 'snippet';
  if (content === 'vztmpl') return /\.tar\.(\w+)$/i.exec(name)?.[1]?.replace(/^/, 't') ?? 'tar';
  if (content === 'backup') return /\.((?:tgz|tar|vma)(?:\.\w+)?)$/.exec(name)?.[1] ?? format;
  return format;
}

/** Refuses whoever may not see what is on a volume. */
function checkAccess(call: Call, storage: string, { content, vmid }: VolumeName, volid: string): void {
  const path = `/storage/${storage}`;
  if (call.may(path, ['Datastore.Allocate'])) return;
  if (content === 'iso' || content === 'vztmpl' || content === 'import')
    return call.require(path, ['Datastore.AllocateSpace', 'Datastore.Audit'], 'any');
  if (vmid === undefined) throw died(`missing privileges to access ${volid}`);
  const [ofStorage, ofVm] =
    content === 'backup' ? ['Datastore.AllocateSpace', 'VM.Backup'] : ['Datastore.Audit', 'VM.Config.Disk'];
  call.require(path, [ofStorage ?? '']);
  call.require(`/vms/${vmid}`, [ofVm ?? '']);
}

function mayAccess(call: Call, volume: Volume, volid: string): boolean {
  try {
    checkAccess(call, volume.storage, volume as VolumeName & Volume, volid);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

type Named = { readonly definition: StorageDefinition; readonly volid: string; readonly name: string };

/** `{volume}` may have the storage before it, or leave it to the path. */
function namedVolume(call: Call): Named {
  const storage = call.text('storage');
  const volume = call.text('volume') ?? '';
  const parsed = volume.includes(':') ? parseVolumeId(volume) : { storage: storage ?? '', name: volume };
  if (parsed === undefined) throw wrongParameters({ volume: `unable to parse volume ID '${volume}'\n` });
  if (storage !== undefined && parsed.storage !== storage)
    throw wrongParameters({ volume: `storage ID mismatch (${parsed.storage} != ${storage})\n` });
  const definition = call.datacenter.storages.definition(parsed.storage);
  return { definition, volid: `${parsed.storage}:${parsed.name}`, name: parsed.name };
}

/** Asking for what belongs to a VM leaves out media, though nobody owns snippets and images for import either. */
const mayBeOf = (vmid: number, volume: Volume): boolean =>
  volume.vmid === vmid || volume.content === 'snippets' || volume.content === 'import';

const listContent = (call: Call) => {
  const { storages } = call.datacenter;
  const id = call.text('storage') ?? '';
  const definition = storages.enabled(call.host, id);
  const [content, vmid] = [call.text('content'), call.number('vmid')];
  const { files } = storageKinds[definition.type];
  const contents = contentsOf(definition).filter((each) => content === undefined || each === content);
  const rows = [...storages.spaceOf(call.host, definition).volumes.values()]
    .filter((volume) => contents.includes(volume.content))
    .filter((volume) => vmid === undefined || mayBeOf(vmid, volume))
    .map((volume) => ({ volume, volid: storages.idOf(volume) }))
    .filter(({ volume, volid }) => mayAccess(call, volume, volid))
    .toSorted((one, other) => (one.volid.toLowerCase() < other.volid.toLowerCase() ? -1 : 1));
  return answer(rows.map(({ volume, volid }) => rowOf(volid, volume, files)));
};

const readVolume = (call: Call) => {
  const { storages } = call.datacenter;
  const { definition, volid, name } = namedVolume(call);
  checkAccess(call, definition.id, parseVolumeName(definition.type, name), volid);
  const volume = storages.spaceOf(call.host, definition).volumes.get(name);
  if (volume === undefined) throw died(missing(definition, volid, name));
  if (volume.bytes === 0) throw died(`volume '${volid}' has size zero`);
  const used = storageKinds[definition.type].files ? inBlocks(volume.fileBytes) : volume.fileBytes;
  return answer({ path: storages.pathOf(volume), size: volume.bytes, used, format: volume.format });
};

function missing(definition: StorageDefinition, volid: string, name: string): string {
  const { type, properties } = definition;
  switch (type) {
    case 'dir':
    case 'nfs':
      return `volume_size_info on '${volid}' failed - no format`;
    case 'lvm':
    case 'lvmthin':
      return `can't get size of '${volumePath(definition, name)}':   Failed to find logical volume "${properties.get('vgname')}/${name}"`;
    case 'zfspool':
      return `zfs error: cannot open '${properties.get('pool')}/${name}': dataset does not exist`;
    case 'rbd':
      return `rbd error: rbd: error opening image ${name}: (2) No such file or directory`;
  }
}

const sizeUnits: Readonly<Record<string, number>> = { '': 1, M: 1024, G: 1024 * 1024 };

const allocateVolume = (call: Call) => {
  const { storages } = call.datacenter;
  const definition = storages.enabled(call.host, call.text('storage') ?? '');
  const [, amount = '0', unit = ''] = /^(\d+)([MG]?)$/.exec(call.text('size') ?? '') ?? [];
  const bytes = Number(amount) * (sizeUnits[unit] ?? 1) * 1024;
  const name = volumeNameFor(call, definition);
  if (storages.spaceOf(call.host, definition).volumes.has(name))
    throw died(`disk image '${volumePath(definition, name)}' already exists`);
  return answer(storages.idOf(storages.allocateNamed(call.host, definition, name, bytes)));
};

/** A name of the caller’s own; where the storage has files, it has to end as its format does. */
function volumeNameFor(call: Call, definition: StorageDefinition): string {
  const file = call.text('filename') ?? '';
  const vmid = call.number('vmid') ?? 0;
  const asked = call.text('format');
  const ending = /\.(raw|qcow2|vmdk)$/.exec(file)?.[1];
  if (ending !== undefined && asked !== undefined && asked !== ending)
    throw wrongParameters({ format: `different storage formats (${asked} != ${ending})` });
  const format = ending ?? asked ?? 'raw';
  if (!storageKinds[definition.type].files) {
    if (format !== 'raw') throw died(`unsupported format '${format}'`);
    if (!file.startsWith(`vm-${vmid}-`)) throw died(`illegal name '${file}' - should be 'vm-${vmid}-*'`);
    return file;
  }
  const { format: named } = parseVolumeName(definition.type, `${vmid}/${file}`);
  if (named !== format) throw died(`illegal name '${file}' - wrong extension for format ('${named} != '${format}')`);
  return `${vmid}/${file}`;
}

const deleteVolume = async (call: Call) => {
  const { datacenter, host } = call;
  const { definition, volid, name } = namedVolume(call);
  const { content, vmid } = parseVolumeName(definition.type, name);
  const path = `/storage/${definition.id}`;
  if (content === 'backup' && vmid !== undefined) {
    call.require(path, ['Datastore.AllocateSpace']);
    call.require(`/vms/${vmid}`, ['VM.Backup']);
  } else call.require(path, ['Datastore.Allocate']);
  const upid = datacenter.startTask({
    host,
    who: call.who,
    type: 'imgdel',
    id: definition.id,
    work: async ({ say }) => {
      datacenter.storages.enabled(host, definition.id);
      const volume = datacenter.storages.spaceOf(host, definition).volumes.get(name);
      if (volume === undefined) say(`disk image '${volumePath(definition, name)}' does not exist`);
      else datacenter.storages.free(volume);
      say(`Removed volume '${volid}'`);
    },
  });
  const delay = call.number('delay');
  return answer(delay !== undefined && (await endsWithin(call, upid, delay)) ? null : upid);
};

/** Whether the task that was just started ends well within that many seconds. */
async function endsWithin({ datacenter, host, signal }: Call, upid: string, seconds: number): Promise<boolean> {
  const task = host.tasks.find((each) => each.upid === upid);
  if (task === undefined) return false;
  const patience = new AbortController();
  const waited = datacenter.clock
    .sleep(seconds * 1000, AbortSignal.any([signal, patience.signal]))
    .catch(() => undefined);
  await Promise.race([task.ended, waited]);
  patience.abort();
  if (task.exit !== undefined && task.exit !== 'OK') throw died(task.exit);
  return task.exit === 'OK';
}

const updateVolume = (call: Call) => {
  const { definition, volid, name } = namedVolume(call);
  const parsed = parseVolumeName(definition.type, name);
  checkAccess(call, definition.id, parsed, volid);
  if (call.text('notes') !== undefined && parsed.content !== 'backup') throw died('only backups can have notes');
  if (call.text('protected') !== undefined && parsed.content !== 'backup')
    throw died("only backups support attribute 'protected'");
  return answer(null);
};

export const contentRoutes: Routes = {
  'GET /nodes/{node}/storage/{storage}/content': listContent,
  'POST /nodes/{node}/storage/{storage}/content': allocateVolume,
  'GET /nodes/{node}/storage/{storage}/content/{volume}': readVolume,
  'PUT /nodes/{node}/storage/{storage}/content/{volume}': updateVolume,
  'DELETE /nodes/{node}/storage/{storage}/content/{volume}': deleteVolume,
};
