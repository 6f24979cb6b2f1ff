import { fromBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { formatAddress } from '../../model/ip.ts';
import type { NetIPPrefix } from '../../wire/gen/talos/common_pb.ts';
import { DiskSpecSchema, SystemDiskSpecSchema } from '../../wire/gen/talos/resource/block_pb.ts';
import { MachineConfigSpecSchema } from '../../wire/gen/talos/resource/config_pb.ts';
import {
  NethelpersLinkType,
  NethelpersOperationalState,
  NethelpersScope,
  RuntimeMachineStage,
} from '../../wire/gen/talos/resource/enums_pb.ts';
import { SystemInformationSpecSchema } from '../../wire/gen/talos/resource/hardware_pb.ts';
import { AddressStatusSpecSchema, LinkStatusSpecSchema } from '../../wire/gen/talos/resource/network_pb.ts';
import { MachineStatusSpecSchema } from '../../wire/gen/talos/resource/runtime_pb.ts';
import type { Disk, Link, Resource, TalosReader } from '../talos.ts';
import { badData } from './problems.ts';
import { stageOf } from './stage.ts';
import { nameOf, plainWords } from './words.ts';

type Reads = Pick<TalosReader, 'machineStatus' | 'disks' | 'links' | 'addresses' | 'systemUuid' | 'machineConfig'>;

/** What the node’s resources say, in our words. Types and namespaces are spelled out: no lookup is needed. */
export function inventoryReads(host: string, { get, list }: Pick<TalosReader, 'get' | 'list'>): Reads {
  return {
    async machineStatus(signal) {
      const query = { type: 'MachineStatuses.runtime.talos.dev', namespace: 'runtime', id: 'machine' };
      const { stage, status } = specOf(MachineStatusSpecSchema, await get(query, signal));
      return {
        stage: stageOf(RuntimeMachineStage, stage),
        ready: status?.ready ?? false,
        unmet: (status?.unmetConditions ?? []).map(({ name, reason }) => ({ name, reason })),
      };
    },
    async disks(signal) {
      const disks = await list({ type: 'Disks.block.talos.dev', namespace: 'runtime' }, signal);
      const query = { type: 'SystemDisks.block.talos.dev', namespace: 'runtime', id: 'system-disk' };
      const { diskId } = specOf(SystemDiskSpecSchema, await get(query, signal));
      return disks.map((disk) => diskOf(disk, diskId));
    },
    links: async (signal) =>
      (await list({ type: 'LinkStatuses.net.talos.dev', namespace: 'network' }, signal)).map(linkOf),
    async addresses(signal) {
      const found = await list({ type: 'AddressStatuses.net.talos.dev', namespace: 'network' }, signal);
      return found.map((resource) => {
        const { address, linkName, scope } = specOf(AddressStatusSpecSchema, resource);
        const word = plainWords(nameOf(NethelpersScope, scope).replace('SCOPE_', ''));
        return { address: cidrOf(address), link: linkName, scope: word };
      });
    },
    async systemUuid(signal) {
      const query = { type: 'SystemInformations.hardware.talos.dev', namespace: 'hardware', id: 'systeminformation' };
      const { uuid } = specOf(SystemInformationSpecSchema, await get(query, signal));
      return uuid === '' ? undefined : uuid.toLowerCase();
    },
    async machineConfig(signal) {
      const query = { type: 'MachineConfigs.config.talos.dev', namespace: 'config', id: 'v1alpha1' };
      const resource = await get(query, signal);
      if (resource === undefined)
        throw badData('talos-no-config', `${host} has no configuration.`, {
          recovery: 'ask',
          remedy: `Give it one:\n    ichor talos apply --insecure -n ${host}`,
        });
      return new TextDecoder().decode(specOf(MachineConfigSpecSchema, resource).yamlMarshalled);
    },
  };
}

/** A resource that is not there reads as one with nothing in it. */
const specOf = <D extends DescMessage>(schema: D, resource: Resource | undefined): MessageShape<D> =>
  fromBinary(schema, resource?.proto ?? new Uint8Array());

function diskOf(resource: Resource, systemDisk: string): Disk {
  const disk = specOf(DiskSpecSchema, resource);
  return {
    name: resource.id,
    path: disk.devPath,
    sizeBytes: disk.size,
    model: disk.model,
    serial: disk.serial,
    wwid: disk.wwid,
    transport: disk.transport,
    busPath: disk.busPath,
    rotational: disk.rotational,
    readonly: disk.readonly,
    cdrom: disk.cdrom,
    system: resource.id === systemDisk,
  };
}

const flagUp = 1;

function linkOf(resource: Resource): Link {
  const link = specOf(LinkStatusSpecSchema, resource);
  const { operationalState: state } = link;
  const silent = state === NethelpersOperationalState.OPER_STATE_UNKNOWN;
  return {
    name: resource.id,
    kind: link.kind,
    mac: [...link.hardwareAddr].map((byte) => byte.toString(16).padStart(2, '0')).join(':'),
    // Loopbacks and tunnels have no carrier to tell of; for them it counts that they were switched on.
    up: state === NethelpersOperationalState.OPER_STATE_UP || (silent && (link.flags & flagUp) !== 0),
    mtu: link.mtu,
    physical: link.type === NethelpersLinkType.LINK_ETHER && link.kind === '',
  };
}

/** Four or sixteen bytes; a link-local address may carry its zone behind them. */
function cidrOf(prefix: NetIPPrefix | undefined): string {
  const bytes = prefix?.ip ?? new Uint8Array();
  const family = bytes.length === 4 ? 4 : 6;
  const length = family === 4 ? 4 : 16;
  let value = 0n;
  for (const byte of bytes.subarray(0, length)) value = (value << 8n) | BigInt(byte);
  return `${formatAddress({ family, value })}/${prefix?.prefixLength ?? 0}`;
}
