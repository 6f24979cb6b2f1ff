import type { Boot } from '../node/boot.ts';
import { transportOf } from '../node/hardware.ts';
import type { Machine } from '../node/machine.ts';
import { publish } from '../state/publish.ts';

const mebibyte = 1024n ** 2n;

/** What a machine is made of, and what is on its disks. */
export function publishMachine(machine: Machine, { state, version }: Boot): void {
  const { hardware, options, disk } = machine;
  const platform = options.platform ?? 'metal';
  publish.version(state, { name: 'Talos', version });
  publish.securityState(
    state,
    platform === 'container' ? {} : { selinuxState: 'enabled, permissive', bootedWithUKI: true },
  );
  publish.platformMetadata(state, {
    platform,
    ...(options.dhcpHostname === undefined || platform === 'metal' || platform === 'container'
      ? {}
      : { hostname: options.dhcpHostname }),
  });
  publish.timeStatus(state, { synced: true, epoch: 1 });
  if (platform === 'container') return;
  publish.kernelCmdline(state, {
    cmdline: `talos.platform=${platform} console=tty0 init_on_alloc=1 slab_nomerge pti=on`,
  });
  publish.systemInformation(state, {
    manufacturer: 'QEMU',
    productName: 'Standard PC (Q35 + ICH9, 2009)',
    version: 'pc-q35-9.2',
    uuid: hardware.uuid,
    wakeUpType: 'Power Switch',
  });
  for (let cpu = 0; cpu < hardware.cpus; cpu++)
    publish.processor(state, `CPU-${cpu}`, {
      socket: `CPU ${cpu}`,
      manufacturer: 'QEMU',
      productName: 'pc-q35-9.2',
      maxSpeedMhz: 2000,
      bootSpeedMhz: 2000,
      status: 65,
      coreCount: 1,
      coreEnabled: 1,
      threadCount: 1,
    });
  publish.memoryModule(state, 'DIMM-0', { sizeMiB: hardware.memoryMiB, deviceLocator: 'DIMM 0', manufacturer: 'QEMU' });
  publish.metaLoaded(state, { done: true });
  for (const [key, value] of disk.meta) publishMeta(state, key, value);
  publishDisks(machine, state);
}

export const publishMeta = (state: Boot['state'], key: number, value: Uint8Array): void =>
  publish.metaKey(state, metaId(key), { value: Buffer.from(value).toString('utf8') });

export const metaId = (key: number): string => `0x${key.toString(16).padStart(2, '0')}`;

/** As people read sizes: powers of a thousand. */
function prettySize(bytes: bigint): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let value = Number(bytes);
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const shown =
    value < 10 && unit > 0 ? (Math.floor(value * 10 + 0.5) / 10).toFixed(1) : String(Math.floor(value + 0.5));
  return `${shown} ${units[unit] ?? ''}`;
}

function publishDisks({ hardware, disk: installed }: Machine, state: Boot['state']): void {
  for (const [index, { name, sizeBytes, model, serial }] of hardware.disks.entries()) {
    const path = `/dev/${name}`;
    const nvme = name.startsWith('nvme');
    publish.disk(state, name, {
      dev_path: path,
      size: sizeBytes,
      pretty_size: prettySize(sizeBytes),
      io_size: 512,
      sector_size: 512,
      model,
      serial,
      wwid: nvme ? `nvme.1b36-${Buffer.from(serial).toString('hex')}-00000001` : '',
      bus_path: `/pci0000:00/0000:00:05.0/virtio${index + 1}/host2/target2:0:${index}/2:0:${index}:0`,
      sub_system: '/sys/class/block',
      transport: transportOf(name),
      rotational: !nvme,
    });
    publish.discoveredVolume(state, name, {
      dev_path: path,
      type: 'disk',
      device_path: `/sys/class/block/${name}`,
      size: sizeBytes,
      pretty_size: prettySize(sizeBytes),
      sector_size: 512,
      io_size: 512,
      ...(installed.system === path ? { name: 'gpt' } : {}),
    });
  }
  const { system } = installed;
  if (system === undefined) return;
  const device = system.replace('/dev/', '');
  publish.systemDisk(state, { diskID: device, devPath: system });
  const whole = hardware.disks.find(({ name }) => name === device)?.sizeBytes ?? 0n;
  for (const [index, [label, size]] of partitionsOf(whole).entries())
    publish.volumeStatus(state, label, {
      phase: 'ready',
      type: 'partition',
      location: `${system}${index + 1}`,
      parentLocation: system,
      parentID: device,
      partitionIndex: index + 1,
      size,
      prettySize: prettySize(size),
      filesystem: label === 'META' ? 'none' : 'xfs',
    });
}

const partitionsOf = (whole: bigint): readonly (readonly [string, bigint])[] => [
  ['META', mebibyte],
  ['STATE', 100n * mebibyte],
  ['EPHEMERAL', whole - 2300n * mebibyte],
];
