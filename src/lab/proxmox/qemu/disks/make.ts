import type { Call } from '../../call.ts';
import { died, quoted } from '../../refusal.ts';
import type { NewDisk, Volume } from '../../storage.ts';
import type { Worker } from '../../tasks/task.ts';
import { drivesOf, isCloudInit, newDisk, parseVolumeId, printDrive } from '../config/drive.ts';
import type { Drive } from '../config/drive.ts';
import { isTemplate } from '../lookup.ts';
import { requireVolume } from '../rights/storage.ts';
import { copyVolume } from './copy.ts';
import { allocating } from './allocate.ts';

const tpmBytes = 4 * 1024 ** 2;
const efiBytes: Readonly<Record<string, number>> = { '4m': 528 * 1024, '2m': 128 * 1024 };
const cloudInitBytes = 4 * 1024 ** 2;

/** Where drives are made: a VM that is there, or one that is being created. */
export type Maker = {
  readonly call: Call;
  readonly worker: Worker;
  readonly vmid: number;
  /** What else the VM has: there is one cloud-init drive, and disks of templates are bases. */
  readonly beside: readonly ReadonlyMap<string, string>[];
};

/**
 * Drives as a configuration names them, key by key: what is new is allocated, what is there is measured. When one of them
 * fails, what was made before it is freed.
 */
export async function makeDrives(
  maker: Maker,
  settings: ReadonlyMap<string, string>,
  defaultStorage: string | undefined,
): Promise<{ readonly printed: Map<string, string>; readonly made: readonly Volume[] }> {
  const printed = new Map<string, string>();
  const made: Volume[] = [];
  try {
    for (const drive of drivesOf(settings).sort((one, other) => (one.slot < other.slot ? -1 : 1)))
      printed.set(drive.slot, printDrive(await makeDrive(maker, drive, defaultStorage, printed, made)));
  } catch (error) {
    for (const volume of made) maker.call.datacenter.storages.free(volume);
    throw error;
  }
  return { printed, made };
}

async function makeDrive(
  maker: Maker,
  drive: Drive,
  defaultStorage: string | undefined,
  printed: ReadonlyMap<string, string>,
  made: Volume[],
): Promise<Drive> {
  const { file, importFrom } = drive;
  if (file === 'none' || file === 'cdrom') return { ...drive, bytes: undefined };
  const parsed = parseVolumeId(file);
  const disk = newDisk(file);
  if (parsed?.name !== 'cloudinit' && disk === undefined) return attach(maker, drive, printed);
  const storage = disk === undefined ? (parsed?.storage ?? defaultStorage) : (disk.storage ?? defaultStorage);
  if (storage === undefined) throw died('no storage ID specified (and no default storage)');
  if (parsed?.name === 'cloudinit') oneCloudInit(maker, drive, printed);
  const volume =
    importFrom === undefined
      ? await allocate(maker, drive, storage, made)
      : await importDisk(maker, drive, storage, importFrom, made);
  const { storages } = maker.call.datacenter;
  const isCi = parsed?.name === 'cloudinit';
  const result: Drive = {
    ...drive,
    file: storages.idOf(volume),
    media: isCi ? 'cdrom' : drive.media,
    bytes: isCi ? drive.bytes : volume.bytes,
    format: undefined,
    importFrom: undefined,
  };
  maker.worker.say(`${drive.slot}: successfully created disk '${printDrive(result)}'`);
  return result;
}

function oneCloudInit({ beside }: Maker, { slot }: Drive, printed: ReadonlyMap<string, string>): void {
  for (const section of [...beside, printed])
    for (const other of drivesOf(section))
      if (other.slot !== slot && isCloudInit(other))
        throw died(`${slot} - cloud-init drive is already attached at '${other.slot}'`);
}

async function allocate(maker: Maker, drive: Drive, storage: string, made: Volume[]): Promise<Volume> {
  const { call, worker, vmid, beside } = maker;
  const { storages } = call.datacenter;
  const isCi = parseVolumeId(drive.file)?.name === 'cloudinit';
  const wanted: NewDisk = {
    vmid,
    bytes: bytesOf(drive),
    purpose: isCi ? 'cloudinit' : 'disk',
    ...(drive.format === undefined ? {} : { format: drive.format }),
  };
  const { datacenter, host } = call;
  const volume = await allocating({ datacenter, host, worker, made }, storage, () =>
    storages.allocate(host, storage, wanted),
  );
  if (drive.slot === 'efidisk0') for (const line of firmwareLines(drive)) worker.say(line);
  if (!isCi && beside.some(isTemplate)) return replaced(made, volume, storages.toBase(volume));
  return volume;
}

function replaced(made: Volume[], old: Volume, now: Volume): Volume {
  made.splice(made.indexOf(old), 1, now);
  return now;
}

function bytesOf({ slot, file, options }: Drive): number {
  if (parseVolumeId(file)?.name === 'cloudinit') return cloudInitBytes;
  if (slot === 'efidisk0') return efiBytes[options.get('efitype') ?? '2m'] ?? 0;
  return slot === 'tpmstate0' ? tpmBytes : Math.floor((newDisk(file)?.gib ?? 0) * 1024 ** 2) * 1024;
}

function firmwareLines(drive: Drive): string[] {
  const total = bytesOf(drive);
  const size = `${(total / 1024).toFixed(1)} KiB`;
  const copied = `transferred ${size} of ${size} (100.00%)`;
  const enrolled = drive.options.get('pre-enrolled-keys') === '1';
  return [
    `transferred 0.0 B of ${size} (0.00%)`,
    copied,
    copied,
    ...(enrolled
      ? [
          'INFO: reading raw edk2 varstore from /usr/share/pve-edk2-firmware//OVMF_VARS_4M.ms.fd',
          'INFO: var store range: 0x64 -> 0x40000',
        ]
      : []),
  ];
}

async function importDisk(
  maker: Maker,
  drive: Drive,
  storage: string,
  source: string,
  made: Volume[],
): Promise<Volume> {
  const { call, worker, vmid } = maker;
  const { datacenter, host } = call;
  const volume = datacenter.storages.find(host, source);
  if (volume === undefined) throw died(`failed to stat '${datacenter.storages.pathOfId(source)}'`);
  await probe(maker, volume);
  try {
    return await copyVolume(
      { datacenter, host, worker, perGiB: datacenter.durations.importPerGiB, vmid, made },
      { source: volume, storage, format: drive.format, announce: `create full clone of drive (${source})` },
    );
  } catch (error) {
    throw died(`cannot import from '${source}' - ${quoted(error)}`);
  }
}

/** What an image is, is asked of it before anything is copied. */
async function probe({ call, worker }: Maker, volume: Volume): Promise<void> {
  const { durations, storages } = call.datacenter;
  try {
    await worker.sleep(durations.create, 'early');
  } catch (error) {
    const { format } = volume;
    const path = storages.pathOf(volume);
    worker.say(`command '/usr/bin/qemu-img info '--output=json' ${path} -f ${format}' failed: ${quoted(error)}`);
    throw died('failed to query file information with qemu-img');
  }
}

/** A volume that is there already: a disk, or a medium. */
function attach(maker: Maker, drive: Drive, printed: ReadonlyMap<string, string>): Drive {
  const { call, vmid } = maker;
  const { storages } = call.datacenter;
  requireVolume(call, vmid, drive.file);
  const volume = storages.find(call.host, drive.file);
  if (isCloudInit(drive)) oneCloudInit(maker, drive, printed);
  if (volume === undefined) throw died(`volume '${drive.file}' does not exist`);
  if (drive.format !== undefined && drive.format !== volume.format)
    throw died(
      `drive '${drive.slot}' - volume '${drive.file}' - 'format=${drive.format}' option different from storage format '${volume.format}'`,
    );
  return { ...drive, bytes: Math.ceil(volume.bytes / 512) * 512 };
}
