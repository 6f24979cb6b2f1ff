import type { Call } from '../../call.ts';
import { died, wrongParameters } from '../../refusal.ts';
import { bridgePath } from '../../sdn/sdn.ts';
import { isDriveSlot } from '../config/drive.ts';
import { parseNet } from '../config/net.ts';
import { parseProperties, splitList } from '../config/property-string.ts';

/** The real one: a token of root is somebody else. */
export const isRoot = ({ who }: Call): boolean => who.user === 'root@pam' && who.token === undefined;

/** `skiplock`, `keepActive` … */
export function onlyRoot(call: Call, ...options: readonly string[]): void {
  for (const option of options)
    if (call.params[option] !== undefined && call.text(option) !== '0' && !isRoot(call))
      throw wrongParameters({ [option]: 'Only root may use this option.' });
}

/** At creation the pool’s rights count too; a refusal speaks of the VM’s path all the same. */
export function requireOnVm(
  call: Call,
  vmid: number,
  pool: string | undefined,
  privileges: readonly string[],
  how: 'all' | 'any' = 'all',
): void {
  if (pool !== undefined && call.may(`/pool/${pool}`, privileges, how)) return;
  call.require(`/vms/${vmid}`, privileges, how);
}

const byPrivilege: Readonly<Record<string, string>> = {
  'VM.Config.CPU': 'cores cpu runningcpu cpulimit cpuunits numa smp sockets vcpus',
  'VM.Config.Memory': 'memory balloon shares allow-ksm',
  'VM.Config.HWType': 'acpi hotplug kvm machine runningmachine scsihw smbios1 tablet vga watchdog audio0 rng0',
  'VM.Config.Options':
    'agent autostart bios description keyboard localtime migrate_downtime migrate_speed name onboot ostype protection reboot startdate startup tdf template',
  'VM.PowerMgmt': 'freeze',
  'VM.Config.Disk': 'boot bootdisk vmstatestorage',
  'VM.Config.Network': 'running-nets-host-mtu',
  'VM.Config.Cloudinit': 'cicustom cipassword citype ciuser ciupgrade nameserver searchdomain sshkeys',
};
const privilegeOf: ReadonlyMap<string, string> = new Map(
  Object.entries(byPrivilege).flatMap(([privilege, keys]) => keys.split(' ').map((key) => [key, privilege] as const)),
);

function neededFor(key: string): string | undefined {
  if (/^numa\d+$/.test(key)) return 'VM.Config.CPU';
  if (/^net\d+$/.test(key)) return 'VM.Config.Network';
  if (/^ipconfig\d+$/.test(key)) return 'VM.Config.Cloudinit';
  return privilegeOf.get(key);
}

/** Values of these decide what is needed; they are looked at elsewhere. */
const dependsOnValue = (key: string): boolean =>
  isDriveSlot(key) || key === 'cdrom' || key === 'tags' || /^(unused|serial|usb|hostpci|virtiofs)\d+$/.test(key);

/** What may be written or deleted, key by key. */
export function requireForKeys(call: Call, vmid: number, pool: string | undefined, keys: Iterable<string>): void {
  if (isRoot(call)) return;
  for (const key of keys) {
    if (dependsOnValue(key)) continue;
    const privilege = neededFor(key);
    if (key === 'vmstate') requireOnVm(call, vmid, pool, ['VM.Config.Disk', 'VM.PowerMgmt']);
    else if (privilege === undefined) throw died(`only root can set '${key}' config`);
    else if (privilege === 'VM.Config.Cloudinit')
      requireOnVm(call, vmid, pool, ['VM.Config.Cloudinit', 'VM.Config.Network'], 'any');
    else requireOnVm(call, vmid, pool, [privilege]);
    // It changes how the host behaves.
    if (key === 'startup') call.require('/', ['Sys.Modify']);
  }
}

/** Devices of the host itself belong to root; what is mapped may be used by who has a right to the mapping. */
export function requireForDevice(call: Call, vmid: number, pool: string | undefined, key: string, value: string): void {
  if (isRoot(call)) return;
  const hardware = (): void => requireOnVm(call, vmid, pool, ['VM.Config.HWType']);
  if (/^serial\d+$/.test(key)) {
    if (value !== 'socket') throw died(`only root can set '${key}' config for real devices`);
    hardware();
  } else if (/^usb\d+$/.test(key)) {
    hardware();
    const device = parseProperties(value, 'host');
    const isSpice = /^spice$/i.test(device.get('host') ?? '');
    if (device.has('host') && !isSpice) throw died(`only root can set '${key}' config for real devices`);
    if (!isSpice) requireMapping(call, 'usb', device.get('mapping'));
  } else if (/^hostpci\d+$/.test(key)) {
    const device = parseProperties(value, 'host');
    if (device.has('host')) throw died(`only root can set '${key}' config for non-mapped devices`);
    requireMapping(call, 'pci', device.get('mapping'));
    hardware();
    if (device.has('romfile')) throw wrongParameters({ [key]: "only root@pam can set 'romfile' option" });
  } else if (/^rng\d+$/.test(key)) {
    hardware();
    if (parseProperties(value, 'source').get('source') === '/dev/hwrng')
      call.require('/mapping/hwrng', ['Mapping.Use']);
  } else if (/^virtiofs\d+$/.test(key)) {
    requireOnVm(call, vmid, pool, ['VM.Config.Disk']);
    requireMapping(call, 'dir', parseProperties(value, 'dirid').get('dirid'));
  }
}

function requireMapping(call: Call, kind: string, id: string | undefined): void {
  if (id === undefined) throw died("either 'host' or 'mapping' must be set.");
  call.require(`/mapping/${kind}/${id}`, ['Mapping.Use']);
}

/** A bridge, or only one VLAN of it. */
export function requireBridges(call: Call, config: Iterable<readonly [key: string, value: string]>): void {
  if (isRoot(call)) return;
  const nets = [...config].filter(([key]) => /^net\d+$/.test(key)).sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [, value] of nets) {
    const { bridge, tag, options } = parseNet(value);
    if (bridge === undefined) continue;
    const zone = bridgePath(call.datacenter, bridge);
    const trunks = vlansOf(options.get('trunks') ?? '');
    for (const vlan of [...(tag === undefined ? [] : [tag]), ...trunks]) call.require(`${zone}/${vlan}`, ['SDN.Use']);
    if (tag === undefined && trunks.length === 0) call.require(zone, ['SDN.Use']);
  }
}

/** `10;20-30` */
const vlansOf = (trunks: string): number[] =>
  splitList(trunks).flatMap((each) => {
    const [from = 0, to = from] = each.split('-').map(Number);
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  });
