import type { VmStatistics } from '../cluster/statistics.ts';
import type { Datacenter } from '../datacenter.ts';
import type { Vm } from '../vm.ts';
import { agentEnabled } from './config/agent-option.ts';
import { bootDiskBytes } from './config/boot-order.ts';
import { drivesOf, isCdrom } from './config/drive.ts';
import type { Drive } from './config/drive.ts';
import { isNetSlot } from './config/net.ts';
import { parseProperties } from './config/property-string.ts';
import { coresOf, memoryMiB } from './config/values.ts';
import { isTemplate } from './lookup.ts';

/** A row of `GET /nodes/{node}/qemu`, and most of `status/current`: read where the VM is, at this moment. */
export function vmStatus(datacenter: Datacenter, vm: Vm, full: boolean): Record<string, unknown> {
  const { config, run } = vm;
  const now = measured(datacenter, vm);
  const nine = datacenter.version.major === 9;
  const balloon = Number(config.get('balloon') ?? 0);
  return {
    vmid: vm.vmid,
    name: now.name,
    status: now.status,
    cpus: now.maxcpu,
    cpu: now.cpu,
    maxmem: now.maxmem,
    mem: now.mem,
    ...(nine ? { memhost: now.mem } : {}),
    maxdisk: now.maxdisk,
    disk: 0,
    netin: now.netin,
    netout: now.netout,
    uptime: now.uptime,
    ...(balloon > 0 ? { balloon_min: balloon * 1024 ** 2, shares: Number(config.get('shares') ?? 1000) } : {}),
    ...(now.template ? { template: 1 } : {}),
    ...([...config.keys()].some((key) => /^serial\d$/.test(key)) ? { serial: 1 } : {}),
    ...(config.has('lock') ? { lock: config.get('lock') } : {}),
    ...(config.has('tags') ? { tags: config.get('tags') } : {}),
    ...(run === undefined ? {} : { pid: run.pid, ...(nine ? pressure : {}) }),
    ...(full ? { qmpstatus: processStatus(vm) } : {}),
    ...(full && run !== undefined ? fullStatus(vm, now) : {}),
  };
}

/** What QEMU itself says. */
export function processStatus({ run }: Vm): string {
  if (run === undefined) return 'stopped';
  if (run.shutDown) return 'shutdown';
  return run.paused ? 'paused' : 'running';
}

const pressure = {
  pressurecpusome: 0,
  pressurecpufull: 0,
  pressureiosome: 0,
  pressureiofull: 0,
  pressurememorysome: 0,
  pressurememoryfull: 0,
};

function fullStatus({ vmid, config }: Vm, now: VmStatistics): Record<string, unknown> {
  const nets = [...config.keys()].filter(isNetSlot);
  const drives = drivesOf(config).filter(({ slot }) => slot !== 'tpmstate0' && slot !== 'efidisk0');
  const nics = nets.map((slot) => [`tap${vmid}i${slot.slice(3)}`, { netin: now.netin, netout: now.netout }]);
  return {
    ...(nics.length === 0 ? {} : { nics: Object.fromEntries(nics) as unknown }),
    ...(drives.length === 0
      ? {}
      : {
          blockstat: Object.fromEntries(drives.map((drive) => [drive.slot, blockStatistics(readOf(drive, now))])),
        }),
    diskread: now.diskread,
    diskwrite: now.diskwrite,
    'running-qemu': qemuVersion,
    'running-machine': runningMachine(config.get('machine')),
    'proxmox-support': proxmoxSupport,
  };
}

/** The QEMU that every host of the lab has. */
export const qemuVersion = '10.0.13';

/** A machine without a version becomes the newest there is. */
export function runningMachine(machine: string | undefined): string {
  const type = parseProperties(machine ?? '', 'type').get('type') ?? 'pc';
  if (/\d/.test(type.replace('q35', ''))) return type;
  return type === 'q35' ? 'pc-q35-10.0+pve1' : 'pc-i440fx-10.0+pve1';
}

const proxmoxSupport = {
  'backup-fleecing': true,
  'backup-max-workers': true,
  'pbs-dirty-bitmap': true,
  'pbs-dirty-bitmap-migration': true,
  'pbs-dirty-bitmap-savevm': true,
  'pbs-library-version': '1.5.1',
  'pbs-masterkey': true,
  'query-bitmap-info': true,
};

/** A medium is read at once; disks are looked at when the guest is up. */
const readOf = (drive: Drive, now: VmStatistics): Pick<VmStatistics, 'diskread' | 'diskwrite'> =>
  isCdrom(drive)
    ? { diskread: drive.file === 'none' ? 0 : 4096, diskwrite: 0 }
    : { diskread: now.uptime < 10 ? 0 : now.diskread, diskwrite: now.diskwrite };

function blockStatistics({
  diskread,
  diskwrite,
}: Pick<VmStatistics, 'diskread' | 'diskwrite'>): Record<string, unknown> {
  const kinds = ['rd', 'wr', 'flush', 'unmap', 'zone_append'] as const;
  const counts = kinds.flatMap((kind) => [
    [`${kind}_operations`, 0],
    [`${kind}_total_time_ns`, 0],
    [`failed_${kind}_operations`, 0],
    [`invalid_${kind}_operations`, 0],
    ...(kind === 'flush'
      ? []
      : [
          [`${kind}_bytes`, 0],
          [`${kind}_merged`, 0],
        ]),
  ]);
  return {
    ...(Object.fromEntries(counts) as Record<string, number>),
    account_failed: true,
    account_invalid: true,
    ...(diskread > 0 ? { idle_time_ns: 0 } : {}),
    rd_bytes: diskread,
    rd_operations: Math.ceil(diskread / 65_536),
    timed_stats: [],
    wr_bytes: diskwrite,
    wr_highest_offset: diskwrite,
    wr_operations: Math.ceil(diskwrite / 65_536),
  };
}

/** Numbers of a VM at this moment, as the statistics daemon of its host takes them. */
export function measured(datacenter: Datacenter, vm: Vm): VmStatistics {
  const { config, run, vmid } = vm;
  const cpus = datacenter.hosts.get(vm.host)?.cpus ?? 1;
  const maxmem = memoryMiB(config) * 1024 ** 2;
  const uptime = run === undefined ? 0 : Math.floor((datacenter.clock.now().getTime() - run.since.getTime()) / 1000);
  // Nobody can look into a guest of the lab: numbers that stay the same for a VM, and grow as it runs.
  const busy = run === undefined ? 0 : 1 + (vmid % 7);
  return {
    status: run === undefined ? 'stopped' : 'running',
    name: config.get('name') ?? `VM ${vmid}`,
    template: isTemplate(config),
    maxcpu: Number(config.get('vcpus') ?? Math.min(cpus, coresOf(config))),
    cpu: busy / 100,
    maxmem,
    mem: Math.floor((maxmem * busy) / 10),
    maxdisk: bootDiskBytes(config),
    disk: 0,
    uptime,
    netin: uptime * busy * 1000,
    netout: uptime * busy * 800,
    diskread: run === undefined ? 0 : 16_000_000 * busy,
    diskwrite: uptime * busy * 4096,
  };
}

/** What `status/current` has beside it. */
export const shownBeside = (datacenter: Datacenter, { vmid, config }: Vm): Record<string, unknown> => ({
  ha: datacenter.ha.isManaged(vmid) ? { managed: 1, state: datacenter.ha.stateOf(vmid) ?? null } : { managed: 0 },
  ...(config.has('vga') ? displayStatus(config.get('vga') ?? '') : {}),
  ...(agentEnabled(config) ? { agent: 1 } : {}),
});

function displayStatus(vga: string): Record<string, unknown> {
  const parsed = parseProperties(vga, 'type');
  const spice = /^(qxl|virtio)/.test(parsed.get('type') ?? '');
  return { ...(spice ? { spice: 1 } : {}), clipboard: parsed.get('clipboard') ?? null };
}
