import type { Boot } from '../node/boot.ts';
import { busPathOf, transportOf } from '../node/hardware.ts';
import type { Machine } from '../node/machine.ts';
import { publish } from '../state/publish.ts';
import type { SystemImage, TwinHardware } from '../twin.ts';

const mebibyte = 1024n ** 2n;

/** What a machine is made of, and what is on its disks. */
export function publishMachine(machine: Machine, { state, version, image }: Boot): void {
  const { hardware, disk } = machine;
  const { platform } = image;
  publish.version(state, { name: 'Talos', version });
  publish.securityState(
    state,
    platform === 'container' ? {} : { selinuxState: 'enabled, permissive', bootedWithUKI: true },
  );
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
  publishExtensions(image, state);
}

/** What the platform says about the machine, as far as it is known by now. */
export function publishPlatform({ network, platform: data }: Machine, { state, image }: Boot): void {
  const { platform: hostname } = network.hostnames;
  publish.platformMetadata(state, {
    platform: image.platform,
    ...(hostname === undefined ? {} : { hostname }),
    ...(data.instanceId === undefined ? {} : { instanceId: data.instanceId }),
  });
}

/** The schematic is listed among the extensions that it asked for. */
function publishExtensions({ extensions, schematic }: SystemImage, state: Boot['state']): void {
  const all = [
    ...extensions.map((name) => ({ name: name.replace(/^siderolabs\//, ''), version: '' })),
    ...(schematic === undefined ? [] : [{ name: 'schematic', version: schematic }]),
  ];
  for (const [index, metadata] of all.entries())
    publish.extensionStatus(state, String(index), { image: `${index}.sqsh`, metadata });
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

/** Disks as they are now; one that was there `before` and went is no longer there. */
export function publishDisks(
  { hardware, disk: installed }: Machine,
  state: Boot['state'],
  before?: TwinHardware,
): void {
  for (const { name } of before?.disks ?? [])
    if (!hardware.disks.some((disk) => disk.name === name))
      for (const type of [publish.disk.type, publish.discoveredVolume.type]) state.destroy(type, name);
  for (const [index, disk] of hardware.disks.entries()) {
    const { name, sizeBytes, model, serial, symlinks = [], cdrom = false } = disk;
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
      bus_path: busPathOf(index),
      sub_system: '/sys/class/block',
      transport: transportOf(disk),
      rotational: !nvme,
      readonly: cdrom,
      cdrom,
      symlinks,
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
