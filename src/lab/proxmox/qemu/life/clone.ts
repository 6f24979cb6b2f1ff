import { answer } from '../../call.ts';
import type { Answer, Call } from '../../call.ts';
import { lockFile } from '../../file-lock.ts';
import { died, forbidden, quoted, wrongParameters } from '../../refusal.ts';
import type { Volume } from '../../storage.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Vm } from '../../vm.ts';
import { isCdrom, isCloudInit, isDriveSlot, isMedium, parseDrive, parseVolumeId, printDrive } from '../config/drive.ts';
import type { Drive } from '../config/drive.ts';
import { newVm, writeConfig } from '../config/file.ts';
import { isNetSlot, newMac, parseNet, printNet } from '../config/net.ts';
import { parseProperties, printProperties } from '../config/property-string.ts';
import { emptyFile } from '../config/text.ts';
import { copyVolume } from '../disks/copy.ts';
import { newUuid } from '../identity.ts';
import { holding, sharing } from '../locking.ts';
import { isTemplate, mustBeHere, mustBeUnlocked, vmOf } from '../lookup.ts';
import { mustBeQuorate } from '../quorum.ts';
import { requireBridges } from '../rights/vm.ts';

/** Clones wait only a moment for the locks of both VMs. */
const patienceMs = 1000;

/** Where snapshots, states and running things are noted; a clone begins without them. */
const notCopied = new Set([
  'parent',
  'snaptime',
  'vmstate',
  'snapstate',
  'runningcpu',
  'runningmachine',
  'running-nets-host-mtu',
]);

type Plan = {
  readonly source: Vm;
  readonly config: Map<string, string>;
  readonly drives: readonly { readonly drive: Drive; readonly full: boolean }[];
};

/** `POST clone`: checked at once, and once more by the worker. */
export function cloneVm(call: Call): Answer {
  planned(call);
  const { datacenter, host, who } = call;
  const source = vmOf(call);
  const newid = call.number('newid') ?? 0;
  const lock = lockFile(datacenter.clock, host, newid);
  const upid = datacenter.startTask({
    host,
    who,
    type: 'qmclone',
    id: String(source.vmid),
    work: (worker) => {
      const both = (): Promise<void> => holding(worker, lock, patienceMs, () => clone(call, worker, newid));
      // What stands still may be cloned by several at once.
      return source.run === undefined
        ? sharing(worker, source.lock, patienceMs, both)
        : holding(worker, source.lock, patienceMs, both);
    },
  });
  return answer(upid);
}

function planned(call: Call): Plan {
  const { datacenter, host } = call;
  const [pool, storage, snapname] = ['pool', 'storage', 'snapname'].map((name) => call.text(name));
  const target = targetOf(call);
  mustBeHere(datacenter, host, vmOf(call).vmid);
  if (pool !== undefined && !datacenter.pools.has(pool)) throw forbidden(`pool '${pool}' does not exist`);
  if (target !== undefined && !datacenter.hosts.has(target)) throw died(`no such cluster node '${target}'`);
  if (storage !== undefined) mustTake(call, storage, target);
  mustBeQuorate(datacenter, host);
  const source = vmOf(call);
  mustBeUnlocked(source.config);
  const section = snapname === undefined ? source.config : source.snapshots.get(snapname);
  if (section === undefined) throw died(`snapshot '${snapname}' does not exist`);
  const full = call.text('full') === undefined ? !isTemplate(source.config) : call.flag('full');
  for (const name of ['storage', 'format'])
    if (!full && call.text(name) !== undefined) throw died(`parameter '${name}' not allowed for linked clones`);
  const shared = requireDisks(call, section, storage);
  requireBridges(call, section);
  if (target !== undefined && !shared) throw died(`can't clone VM to node '${target}' (VM uses local storage)`);
  const newid = call.number('newid') ?? 0;
  if (datacenter.vms.has(newid) || datacenter.containers.has(newid))
    throw died(`unable to create VM ${newid}: config file already exists`);
  return { source, ...copied(call, section, full) };
}

const targetOf = (call: Call): string | undefined => {
  const target = call.text('target');
  return target === call.host.name || target === 'localhost' ? undefined : target;
};

function mustTake(call: Call, storage: string, target: string | undefined): void {
  const { storages } = call.datacenter;
  if (!storages.exists(storage)) throw died(`storage '${storage}' does not exist`);
  if (!storages.holds(storage, 'images'))
    throw wrongParameters({ storage: `storage '${storage}' does not support vm images` });
  storages.mustServe(call.host, storage, 'images');
  if (target !== undefined && !storages.isShared(storage)) throw died(`can't clone to non-shared storage '${storage}'`);
}

/** True: every host sees everything that the VM has. */
function requireDisks(call: Call, section: ReadonlyMap<string, string>, storage: string | undefined): boolean {
  const { storages } = call.datacenter;
  let shared = true;
  for (const [key, value] of section) {
    const drive = isDriveSlot(key) ? parseDrive(key, value) : undefined;
    const parsed = drive === undefined ? undefined : parseVolumeId(drive.file);
    if (drive?.file === 'cdrom') call.require('/', ['Sys.Console']);
    if (drive === undefined || parsed === undefined) continue;
    shared &&= storages.isShared(parsed.storage);
    if (!isCdrom(drive)) call.require(`/storage/${storage ?? parsed.storage}`, ['Datastore.AllocateSpace']);
  }
  return shared;
}

function copied(call: Call, section: ReadonlyMap<string, string>, full: boolean): Omit<Plan, 'source'> {
  const { storages, random, options } = call.datacenter;
  const config = new Map([['lock', 'clone']]);
  const drives: { drive: Drive; full: boolean }[] = [];
  for (const [key, value] of section) {
    const drive = isDriveSlot(key) ? parseDrive(key, value) : undefined;
    if (notCopied.has(key) || /^unused\d+$/.test(key)) continue;
    if (isNetSlot(key))
      config.set(key, printNet({ ...parseNet(value), mac: newMac(random, options.get('mac_prefix')) }));
    else if (drive === undefined || isMedium(drive)) config.set(key, value);
    else {
      const whole = full || isCloudInit(drive) || key === 'tpmstate0';
      const volume = storages.find(call.host, drive.file);
      if (volume !== undefined && !storages.can(volume, whole ? 'copy' : 'clone'))
        throw died(`${whole ? 'Full' : 'Linked'} clone feature is not supported for '${drive.file}' (${key})`);
      drives.push({ drive, full: whole });
    }
  }
  return { config, drives };
}

async function clone(call: Call, worker: Worker, newid: number): Promise<void> {
  const { datacenter, host } = call;
  const plan = planned(call);
  const { source, config } = plan;
  worker.say(`creating a clone of VM ${source.vmid} with ID ${newid}`);
  renamed(call, plan);
  const vm = newVm(datacenter, host, newid);
  const temporary = new Map([
    ['description', ' qmclone temporary file'],
    ['lock', 'clone'],
  ]);
  writeConfig(datacenter, vm, { ...emptyFile(), config: temporary });
  datacenter.vms.set(newid, vm);
  const made: Volume[] = [];
  try {
    for (const { drive, full } of plan.drives) {
      config.set(drive.slot, printDrive(await cloneDrive(call, worker, newid, drive, full, made)));
      writeConfig(datacenter, vm, { ...emptyFile(), config });
    }
    config.delete('lock');
    writeConfig(datacenter, vm, { ...emptyFile(), config });
  } catch (error) {
    for (const volume of made) datacenter.storages.free(volume);
    datacenter.firewall.forgetVm(newid);
    datacenter.vms.delete(newid);
    throw died(`clone failed: ${quoted(error)}`);
  }
  vm.host = targetOf(call) ?? vm.host;
  datacenter.pools.get(call.text('pool') ?? '')?.vms.add(newid);
}

/** A clone is somebody else: another uuid, another name. When it was made is its source’s all the same. */
function renamed(call: Call, { source, config }: Plan): void {
  const { random } = call.datacenter;
  const smbios = parseProperties(config.get('smbios1') ?? '');
  config.set('smbios1', printProperties(smbios.set('uuid', newUuid(random))));
  if (config.has('vmgenid')) config.set('vmgenid', newUuid(random));
  config.delete('template');
  config.set('name', call.text('name') ?? `Copy-of-VM-${source.config.get('name') ?? source.vmid}`);
  const description = call.text('description');
  if (description !== undefined) config.set('description', description);
}

async function cloneDrive(
  call: Call,
  worker: Worker,
  vmid: number,
  drive: Drive,
  full: boolean,
  made: Volume[],
): Promise<Drive> {
  const { datacenter, host } = call;
  const { storages, durations } = datacenter;
  const volume = storages.find(host, drive.file);
  if (volume === undefined) throw died(`volume '${drive.file}' does not exist`);
  const announce = `create ${full ? 'full' : 'linked'} clone of drive ${drive.slot} (${drive.file})`;
  let copy: Volume;
  if (full)
    copy = await copyVolume(
      { datacenter, host, worker, perGiB: durations.clonePerGiB, vmid, made },
      {
        source: volume,
        storage: call.text('storage') ?? volume.storage,
        format: call.text('format'),
        announce,
        purpose: isCloudInit(drive) ? 'cloudinit' : 'disk',
      },
    );
  else {
    worker.say(announce);
    copy = storages.link(host, volume, vmid);
    made.push(copy);
  }
  return {
    ...drive,
    file: storages.idOf(copy),
    bytes: isCloudInit(drive) ? drive.bytes : copy.bytes,
    format: undefined,
  };
}
