import { answer } from '../../call.ts';
import type { Answer, Call } from '../../call.ts';
import { lockFile } from '../../file-lock.ts';
import { died, forbidden, quoted } from '../../refusal.ts';
import type { Volume } from '../../storage.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Vm } from '../../vm.ts';
import { defaultOrder, printOrder } from '../config/boot-order.ts';
import { drivesOf } from '../config/drive.ts';
import { newVm, readConfig, writeConfig } from '../config/file.ts';
import { uniqueTags } from '../config/tags.ts';
import { emptyFile } from '../config/text.ts';
import { makeDrives } from '../disks/make.ts';
import { checkDrives, resolveCdrom } from '../disks/parameters.ts';
import { newMeta, newUuid } from '../identity.ts';
import { holding } from '../locking.ts';
import { mustBeUnlocked, vmidOf } from '../lookup.ts';
import { requireStorages } from '../rights/storage.ts';
import { requireTags } from '../rights/tags.ts';
import { requireBridges, requireForDevice, requireForKeys, requireOnVm } from '../rights/vm.ts';
import { checkKeys, fillMacs, settingsOf } from '../settings.ts';
import { runningMachine } from '../status.ts';
import { mustBeQuorate } from '../quorum.ts';
import { haCommandMs, orderStart } from '../power/order.ts';

/** How long the name of a new VM, and its creation, wait for the lock of its VMID. */
const reservationMs = 5000;
const creationMs = 1000;

/** `POST /nodes/{node}/qemu`: everything that can be refused at once, then a worker. */
export async function createVm(call: Call): Promise<Answer> {
  const { datacenter, host, who } = call;
  const vmid = vmidOf(call);
  checkKeys(call.text('sshkeys'));
  mustBeQuorate(datacenter, host);
  requireRights(call, vmid);
  if (call.text('archive') !== undefined) throw died('restoring backups is not part of the lab');
  const settings = settingsOf(call);
  checkSettings(call, vmid, settings);
  const vm = await reserve(call, vmid);
  const upid = datacenter.startTask({
    host,
    who,
    type: 'qmcreate',
    id: String(vmid),
    work: (worker) => create(call, worker, vm, settings),
  });
  return answer(upid);
}

function requireRights(call: Call, vmid: number): void {
  const pool = call.text('pool');
  const storage = call.text('storage');
  if (pool !== undefined && !call.datacenter.pools.has(pool)) throw forbidden(`pool '${pool}' does not exist`);
  if (storage !== undefined) call.require(`/storage/${storage}`, ['Datastore.AllocateSpace']);
  if (call.flag('ha-managed')) call.require('/', ['Sys.Console']);
  if (call.flag('start') && call.datacenter.version.major >= 9) requireOnVm(call, vmid, pool, ['VM.PowerMgmt']);
  const allowed =
    call.may(`/vms/${vmid}`, ['VM.Allocate']) || (pool !== undefined && call.may(`/pool/${pool}`, ['VM.Allocate']));
  if (!allowed) throw forbidden();
}

function checkSettings(call: Call, vmid: number, settings: Map<string, string>): void {
  if (settings.size === 0) return;
  const pool = call.text('pool');
  resolveCdrom(settings);
  requireStorages(call, vmid, settings, call.text('storage'));
  requireForKeys(call, vmid, pool, settings.keys());
  for (const [key, value] of settings) requireForDevice(call, vmid, pool, key, value);
  requireBridges(call, settings);
  checkDrives(call, settings);
  fillMacs(call, settings);
}

/** The one moment that decides whose a VMID is: a file with nothing but `lock: create`. */
async function reserve(call: Call, vmid: number): Promise<Vm> {
  const { datacenter, host } = call;
  try {
    return await lockFile(datacenter.clock, host, vmid).take(reservationMs, async () => {
      const taken = datacenter.vms.get(vmid);
      if (taken !== undefined) throw died(`VM ${vmid} already exists on node '${taken.host}'`);
      const container = datacenter.containers.get(vmid);
      if (container !== undefined) throw died(`CT ${vmid} already exists on node '${container.host}'`);
      const vm = newVm(datacenter, host, vmid);
      mustBeUnlocked(vm.config);
      const file = readConfig(vm);
      file.config.set('lock', 'create');
      writeConfig(datacenter, vm, file);
      datacenter.vms.set(vmid, vm);
      return vm;
    });
  } catch (error) {
    throw died(`unable to create VM ${vmid} - ${quoted(error)}`);
  }
}

/** A creation that fails leaves nothing; one that is killed leaves the lock, and what it made. */
async function create(call: Call, worker: Worker, vm: Vm, settings: Map<string, string>): Promise<void> {
  const { datacenter, host } = call;
  try {
    await holding(worker, vm.lock, creationMs, () => build(call, worker, vm, settings));
  } catch (error) {
    if (datacenter.vms.get(vm.vmid) === vm) datacenter.vms.delete(vm.vmid);
    throw error;
  }
  if (call.flag('ha-managed')) {
    worker.say('Add as HA resource');
    await worker.sleep(haCommandMs);
    datacenter.ha.add(vm.vmid, call.flag('start') ? 'started' : 'stopped');
  }
  if (!call.flag('start')) return;
  worker.say('Execute autostart');
  // A start that fails is only told: the VM is made.
  try {
    orderStart({ datacenter, host, who: call.who }, vm.vmid);
  } catch (error) {
    worker.say(quoted(error));
  }
}

async function build(call: Call, worker: Worker, vm: Vm, settings: Map<string, string>): Promise<void> {
  const { datacenter } = call;
  const { vmid } = vm;
  let made: readonly Volume[] = [];
  const config = new Map([...settings, ['meta', newMeta(datacenter)]]);
  try {
    const drives = await makeDrives({ call, worker, vmid, beside: [config] }, settings, call.text('storage'));
    made = drives.made;
    // Images that are imported were looked at first, which took as long.
    if (!drivesOf(settings).some(({ importFrom }) => importFrom !== undefined))
      await worker.sleep(datacenter.durations.create);
    for (const [slot, value] of drives.printed) config.set(slot, value);
    finish(call, vmid, config);
    writeConfig(datacenter, vm, { ...emptyFile(), config });
  } catch (error) {
    for (const volume of made) datacenter.storages.free(volume);
    throw died(`unable to create VM ${vmid} - ${quoted(error)}`);
  }
  const pool = call.text('pool');
  if (pool !== undefined) datacenter.pools.get(pool)?.vms.add(vmid);
}

/** What is written where the request leaves it open. */
function finish(call: Call, vmid: number, config: Map<string, string>): void {
  const { random, options } = call.datacenter;
  if ((config.get('boot') ?? '') === '') config.set('boot', printOrder(defaultOrder(config)));
  if ((config.get('smbios1') ?? '') === '') config.set('smbios1', `uuid=${newUuid(random)}`);
  if ((config.get('vmgenid') ?? '1') === '1' && config.get('arch') !== 'aarch64')
    config.set('vmgenid', newUuid(random));
  const { ostype = '', machine } = Object.fromEntries(config);
  // Windows is easily confused by new hardware.
  if (ostype.startsWith('w')) config.set('machine', runningMachine(machine));
  const tags = config.get('tags');
  if (tags === undefined) return;
  if (call.datacenter.version.major >= 9) requireTags(call, vmid, '', tags);
  config.set('tags', uniqueTags(tags, options.get('tag-style')));
}
