import { died } from '../../refusal.ts';
import type { ConfigFile } from '../../vm.ts';
import { bootDisks } from '../config/boot-order.ts';
import { isCdrom, isCloudInit, parseDrive } from '../config/drive.ts';
import type { Drive } from '../config/drive.ts';
import { parseNet } from '../config/net.ts';
import { keepUnused, takeOut } from '../disks/unused.ts';
import { Waits } from './live.ts';
import type { Change } from './change.ts';

/** How long a running guest takes to let go of a device. */
const diskLeavesMs = 2000;
const netLeavesMs = 1000;

type Features = ReadonlySet<string>;

/** IDE and SATA are soldered in; the disk that the VM boots from is not pulled out. */
export async function unplugDrive(change: Change, file: ConfigFile, slot: string, features: Features): Promise<void> {
  if (!features.has('disk') || /^(efidisk|ide|sata|tpmstate)\d+$/.test(slot)) throw new Waits();
  mustNotBoot(file, slot);
  await change.worker.sleep(diskLeavesMs);
  const drive = parseDrive(slot, file.config.get(slot) ?? '');
  if (drive !== undefined) takeOut(change.call, change.vm.vmid, file, drive, file.toDelete.get(slot) ?? 'detach');
}

function mustNotBoot({ config }: ConfigFile, slot: string): void {
  if (bootDisks(config).includes(slot)) throw died(`can't unplug bootdisk '${slot}'`);
}

export async function unplugNet(change: Change, _file: ConfigFile, _slot: string, features: Features): Promise<void> {
  if (!features.has('network')) throw new Waits();
  await change.worker.sleep(netLeavesMs);
}

export async function plugDrive(
  change: Change,
  file: ConfigFile,
  slot: string,
  value: string,
  features: Features,
): Promise<void> {
  if (slot === 'efidisk0' || slot === 'tpmstate0') throw new Waits();
  const drive = parseDrive(slot, value);
  if (drive === undefined) return;
  const old = file.config.has(slot) ? parseDrive(slot, file.config.get(slot) ?? '') : undefined;
  if (old !== undefined) {
    if ((drive.media ?? 'disk') !== (old.media ?? 'disk')) throw died('unable to change media type');
    if (isCdrom(old)) return changeMedium(change, file, old, drive);
    if (drive.file === old.file) return changeOptions(old, drive);
    if (!features.has('disk')) throw new Waits();
    mustNotBoot(file, slot);
    await change.worker.sleep(diskLeavesMs);
    keepUnused(change.call, change.vm.vmid, file, old);
  }
  if (!features.has('disk') || /^(ide|sata)\d+$/.test(slot)) throw new Waits();
}

/** Hosts of the lab have no drive of their own that could be passed through. */
function changeMedium(change: Change, file: ConfigFile, old: Drive, drive: Drive): void {
  const { vmid } = change.vm;
  if (drive.file === 'cdrom') {
    change.worker.warn('no physical CD-ROM drive found');
    throw died(
      `adding blockdev 'drive-${drive.slot}' failed : VM ${vmid} qmp command 'blockdev-add' failed - The 'host_cdrom' block driver requires a file name\n`,
    );
  }
  if (drive.file === 'none' && isCloudInit(old)) keepUnused(change.call, vmid, file, old);
}

const fixedOptions = ['aio', 'discard', 'iothread', 'queues', 'product', 'cache', 'ssd', 'vendor', 'ro'];

/** Limits change at once, the way a disk is opened does not. */
function changeOptions(old: Drive, drive: Drive): void {
  if (fixedOptions.some((option) => old.options.get(option) !== drive.options.get(option))) throw new Waits();
}

/** Another bridge or VLAN is a matter of the host; another card, or another address, is another device. */
export async function plugNet(
  change: Change,
  file: ConfigFile,
  slot: string,
  value: string,
  features: Features,
): Promise<void> {
  const { call, vm, worker } = change;
  const { bridges } = call.host;
  const now = parseNet(value);
  const old = file.config.has(slot) ? parseNet(file.config.get(slot) ?? '') : undefined;
  const isThere = now.bridge === undefined || bridges.has(now.bridge);
  const same = (option: string): boolean => old?.options.get(option) === now.options.get(option);
  if (old !== undefined) {
    const sameCard = old.model === now.model && old.mac === now.mac && same('queues') && same('mtu');
    if (sameCard && now.bridge !== undefined && old.bridge !== undefined) {
      const moves = !same('bridge') || !same('tag') || !same('trunks') || !same('firewall');
      if (moves && !isThere) throw died(`interface ${now.bridge} does not exist`);
      return;
    }
    if (!features.has('network')) throw new Waits();
    await worker.sleep(netLeavesMs);
  }
  if (!features.has('network')) throw new Waits();
  if (!isThere)
    throw died(
      `VM ${vm.vmid} qmp command 'netdev_add' failed - network script /usr/libexec/qemu-server/pve-bridge-hotplug failed with status 512`,
    );
}
