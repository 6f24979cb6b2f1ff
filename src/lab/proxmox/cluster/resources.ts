import type { Call } from '../call.ts';
import { contentsOf, isDisabled, isShared, type StorageDefinition } from '../storage/definition.ts';
import { shuffled } from '../storage/shuffled.ts';
import { sees } from './membership.ts';
import type { TellTale, VmStatistics } from './statistics.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A guest as it was last told about; undefined: there is none of that VMID. */
export function guestRow({ datacenter, host }: Call, vmid: number): Row | undefined {
  const [guest, type] = datacenter.vms.has(vmid)
    ? [datacenter.vms.get(vmid), 'qemu']
    : [datacenter.containers.get(vmid), 'lxc'];
  if (guest === undefined) return undefined;
  const told = datacenter.statistics.toldTo(host).vm(vmid);
  return { id: `${type}/${vmid}`, vmid, node: guest.host, type, ...numbersOf(datacenter.version.major, told) };
}

function numbersOf(major: number, told: VmStatistics | undefined): Row {
  if (told === undefined) return { status: 'unknown' };
  const { template, ...numbers } = told;
  return { ...numbers, template: template ? 1 : 0, ...(major >= 9 ? { memhost: told.mem } : {}) };
}

/** Guests of all hosts: where they are, how they are tagged and locked is true now, the rest as it was last told. */
function guestRows(call: Call): Row[] {
  const { vms, containers, ha } = call.datacenter;
  return [...vms.keys(), ...containers.keys()]
    .toSorted((one, other) => (String(one) < String(other) ? -1 : 1))
    .filter((vmid) => call.may(`/vms/${vmid}`, ['VM.Audit']))
    .map((vmid) => ({
      ...guestRow(call, vmid),
      ...given('lock', vms.get(vmid)?.config.get('lock')),
      ...given('tags', vms.get(vmid)?.config.get('tags')),
      ...given('pool', poolOf(call, vmid)),
      ...given('hastate', ha.hastate(vmid)),
    }));
}

const given = (key: string, value: string | undefined): Row => (value === undefined ? {} : { [key]: value });

/** Only for whoever may see the pool. */
function poolOf(call: Call, vmid: number): string | undefined {
  const pool = [...call.datacenter.pools].find(([, { vms }]) => vms.has(vmid))?.[0];
  return pool !== undefined && call.may(`/pool/${pool}`, ['Pool.Audit']) ? pool : undefined;
}

/** A host as the one that was asked knows it; nothing about its load for whoever may not look. */
export function nodeRow(call: Call, name: string): Row {
  const { datacenter, host: asked } = call;
  const host = datacenter.hosts.get(name);
  const told = datacenter.statistics.toldTo(asked).host(name);
  const online = host !== undefined && sees(asked, host);
  const entry = { id: `node/${name}`, node: name, type: 'node' };
  const status = online ? (told === undefined ? 'unknown' : 'online') : 'offline';
  if (told === undefined) return { ...entry, status };
  const { maxcpu, maxmem, maxdisk, ...load } = told;
  const mayLook = call.may(`/nodes/${name}`, ['Sys.Audit']);
  return {
    ...entry,
    status,
    level: '',
    ...(mayLook ? { maxcpu, maxmem, maxdisk } : {}),
    ...(mayLook && online ? load : {}),
  };
}

const hostRows = (call: Call): Row[] =>
  [...call.datacenter.hosts.keys()].map((name) => ({
    ...nodeRow(call, name),
    'cgroup-mode': 2,
    ...given('hastate', call.datacenter.ha.hostState(name)),
  }));

/** A storage as one host told about it. */
export function storageRow({ datacenter, host }: Call, definition: StorageDefinition, node: string): Row {
  const numbers = datacenter.statistics.toldTo(host).storage(node, definition.id);
  return {
    id: `storage/${node}/${definition.id}`,
    storage: definition.id,
    node,
    type: 'storage',
    plugintype: definition.type,
    status: numbers === undefined ? 'unknown' : 'available',
    shared: isShared(definition) ? 1 : 0,
    content: shuffled(contentsOf(definition), datacenter.random).join(','),
    ...numbers,
  };
}

/** Each storage once for every host that has it, shared or not. */
const storageRows = (call: Call): Row[] =>
  [...call.datacenter.storages.definitions.values()]
    .filter((definition) => !isDisabled(definition) && call.may(`/storage/${definition.id}`, ['Datastore.Audit']))
    .flatMap((definition) =>
      call.datacenter.storages.hostsOf(definition.id).map((node) => storageRow(call, definition, node)),
    );

/** With its rights alone a pool is seen; its numbers are sums over guests that run, seen or not. */
function poolRows(call: Call, told: TellTale): Row[] {
  return [...call.datacenter.pools]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .filter(([pool]) => call.may(`/pool/${pool}`, ['Pool.Audit']))
    .map(([pool, { vms }]) => {
      const running = [...vms].flatMap((vmid) => told.vm(vmid) ?? []).filter(({ uptime }) => uptime > 0);
      const sum = (value: (guest: VmStatistics) => number): number =>
        running.reduce((all, guest) => all + value(guest), 0);
      const maxcpu = sum((guest) => guest.maxcpu);
      return {
        id: `/pool/${pool}`,
        pool,
        type: 'pool',
        ...(running.length === 0
          ? {}
          : {
              uptime: Math.max(...running.map(({ uptime }) => uptime)),
              mem: sum((guest) => guest.mem),
              maxmem: sum((guest) => guest.maxmem),
              cpu: sum((guest) => guest.cpu * guest.maxcpu) / maxcpu,
              maxcpu,
            }),
      };
    });
}

/** The network that every host has without anybody setting one up; before 9 it went by another name. */
function networkRows(call: Call, wanted: string | undefined): Row[] {
  const { datacenter } = call;
  if (!call.may('/sdn/zones/localnetwork', ['SDN.Audit'])) return [];
  const hosts = [...datacenter.hosts.keys()];
  const common = (node: string) => ({ node, status: 'ok' });
  if (datacenter.version.major >= 9) {
    if (wanted !== undefined) return [];
    return hosts.map((node) => ({
      ...common(node),
      id: `network/${node}/zone/localnetwork`,
      type: 'network',
      'network-type': 'zone',
      network: 'localnetwork',
    }));
  }
  return hosts.map((node) => ({ ...common(node), id: `sdn/${node}/localnetwork`, sdn: 'localnetwork', type: 'sdn' }));
}

/** Everything there is, or one kind of it. */
export function resourceRows(call: Call): Row[] {
  const wanted = call.text('type');
  const told = call.datacenter.statistics.toldTo(call.host);
  const asks = (type: string): boolean => wanted === undefined || wanted === type;
  return [
    ...(wanted === undefined ? poolRows(call, told) : []),
    ...(asks('vm') ? guestRows(call) : []),
    ...(asks('node') ? hostRows(call) : []),
    ...(asks('storage') ? storageRows(call) : []),
    ...(asks('sdn') ? networkRows(call, wanted) : []),
  ];
}
