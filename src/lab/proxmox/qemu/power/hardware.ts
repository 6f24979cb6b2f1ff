import type { Datacenter } from '../../datacenter.ts';
import type { VirtualDrive, VirtualHardware } from '../../guest.ts';
import type { Vm } from '../../vm.ts';
import { agentEnabled } from '../config/agent-option.ts';
import { bootDevices } from '../config/boot-order.ts';
import { drivesOf, isCdrom, isCloudInit } from '../config/drive.ts';
import { isNetSlot, parseNet } from '../config/net.ts';
import { parseProperties } from '../config/property-string.ts';
import { coresOf, memoryMiB } from '../config/values.ts';
import { cloudInitOf } from '../cloud-init/content.ts';

/** A VM’s configuration as what runs in it meets it. */
export function hardwareOf(datacenter: Datacenter, vm: Vm): VirtualHardware {
  const { config, vmid } = vm;
  return {
    vmid,
    name: config.get('name') ?? `VM ${vmid}`,
    host: vm.host,
    uuid: parseProperties(config.get('smbios1') ?? '').get('uuid') ?? '',
    cpus: Number(config.get('vcpus') ?? coresOf(config)),
    memoryMiB: memoryMiB(config),
    nics: nicsOf(config),
    drives: virtualDrives(datacenter, vm),
    cloudInit: drivesOf(config).some(isCloudInit) ? cloudInitOf(datacenter, vm) : undefined,
    agentChannel: agentEnabled(config),
  };
}

function nicsOf(config: ReadonlyMap<string, string>): VirtualHardware['nics'] {
  const slots = [...config.keys()]
    .filter(isNetSlot)
    .sort((one, other) => Number(one.slice(3)) - Number(other.slice(3)));
  return slots.map((slot) => {
    const { mac = '', bridge = '', tag } = parseNet(config.get(slot) ?? '');
    return { slot, mac, bridge, tag };
  });
}

/** Disks and media, what the firmware tries first in front. */
export function virtualDrives({ storages, hosts }: Datacenter, { config, host }: Vm): readonly VirtualDrive[] {
  const order = bootDevices(config);
  const rank = (slot: string): number => {
    const place = order.indexOf(slot);
    return place < 0 ? order.length : place;
  };
  const here = hosts.get(host);
  return drivesOf(config)
    .filter(({ slot }) => slot !== 'efidisk0' && slot !== 'tpmstate0')
    .map((drive): VirtualDrive => ({
      slot: drive.slot,
      kind: isCdrom(drive) ? 'cdrom' : 'disk',
      volume: here === undefined ? undefined : storages.find(here, drive.file),
      serial: drive.options.get('serial'),
      bootable: order.includes(drive.slot),
    }))
    .sort((one, other) => rank(one.slot) - rank(other.slot));
}
