import { createHash } from 'node:crypto';
import { answer, type Call, type Routes } from '../call.ts';
import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import { died } from '../refusal.ts';
import type { SdnOptions } from '../twin.ts';

type Zone = {
  readonly zone: string;
  readonly type: string;
  /** Undefined: all hosts. */
  readonly hosts: readonly string[] | undefined;
};
type VirtualNetwork = { readonly vnet: string; readonly zone: string; readonly tag: number | undefined };

/** Virtual networks as they were applied; nothing changes them. */
export type Sdn = {
  readonly zones: ReadonlyMap<string, Zone>;
  readonly vnets: ReadonlyMap<string, VirtualNetwork>;
};

export function createSdn({ zones = [], vnets = [] }: SdnOptions = {}): Sdn {
  return {
    zones: new Map(zones.map(({ zone, type = 'simple', hosts }) => [zone, { zone, type, hosts }])),
    vnets: new Map(vnets.map(({ vnet, zone, tag }) => [vnet, { vnet, zone, tag }])),
  };
}

/** Bridges that virtual networks make on a host. */
export const vnetsOn = ({ sdn }: Datacenter, host: Host): readonly string[] =>
  [...sdn.vnets.values()]
    .filter(({ zone }) => sdn.zones.get(zone)?.hosts?.includes(host.name) ?? true)
    .map(({ vnet }) => vnet);

/** Where rights on a bridge are given: bridges of hosts lie in a zone that nobody made. */
export const bridgePath = ({ sdn }: Datacenter, bridge: string): string =>
  `/sdn/zones/${sdn.vnets.get(bridge)?.zone ?? 'localnetwork'}/${bridge}`;

const digestOf = (rows: Iterable<unknown>): string =>
  createHash('sha1')
    .update(JSON.stringify([...rows]))
    .digest('hex');

const zoneRow = ({ zones }: Sdn, { zone, type, hosts }: Zone) => ({
  zone,
  type,
  ...(hosts === undefined ? {} : { nodes: hosts.join(',') }),
  digest: digestOf(zones.values()),
});

const vnetRow = ({ vnets }: Sdn, { vnet, zone, tag }: VirtualNetwork) => ({
  vnet,
  type: 'vnet',
  zone,
  ...(tag === undefined ? {} : { tag }),
  digest: digestOf(vnets.values()),
});

const listing = ['SDN.Audit', 'SDN.Allocate'];

const readVnet = (call: Call) => {
  const { sdn } = call.datacenter;
  const id = call.text('vnet') ?? '';
  const found = sdn.vnets.get(id);
  if (found === undefined) throw died(`sdn '${id}' does not exist`);
  call.require(`/sdn/zones/${found.zone}/${id}`, listing, 'any');
  return answer(vnetRow(sdn, found));
};

const readZone = (call: Call) => {
  const { sdn } = call.datacenter;
  const id = call.text('zone') ?? '';
  const found = sdn.zones.get(id);
  if (found === undefined) throw died(`sdn '${id}' does not exist`);
  return answer(zoneRow(sdn, found));
};

export const sdnRoutes: Routes = {
  'GET /cluster/sdn/zones': (call) => {
    const { sdn } = call.datacenter;
    const type = call.text('type');
    return answer(
      [...sdn.zones.values()]
        .filter((each) => type === undefined || each.type === type)
        .filter(({ zone }) => call.may(`/sdn/zones/${zone}`, listing, 'any'))
        .map((zone) => zoneRow(sdn, zone)),
    );
  },
  'GET /cluster/sdn/zones/{zone}': readZone,
  'GET /cluster/sdn/vnets': (call) => {
    const { sdn } = call.datacenter;
    return answer(
      [...sdn.vnets.values()]
        .filter(({ zone, vnet }) => call.may(`/sdn/zones/${zone}/${vnet}`, listing, 'any'))
        .map((vnet) => vnetRow(sdn, vnet)),
    );
  },
  'GET /cluster/sdn/vnets/{vnet}': readVnet,
};
