import { Problem } from '../../../model/problem.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
import { flagOf, rowsOf, textOf } from '../api/row.ts';
import type { Checked } from './cluster.ts';

/** Bridges of hosts lie in a zone that nobody made. */
const hostsOwn = 'localnetwork';

/** Where rights on a bridge are given. Networks of Proxmox’s SDN are bridges too, in zones of their own. */
export async function bridgePath(api: ProxmoxApi, bridge: string, signal: AbortSignal): Promise<string> {
  return `/sdn/zones/${(await zoneOf(api, bridge, signal)) ?? hostsOwn}/${bridge}`;
}

/** Undefined: no network of the SDN has that name, or none that we may see. */
async function zoneOf(api: ProxmoxApi, bridge: string, signal: AbortSignal): Promise<string | undefined> {
  const rows = rowsOf(await api.get({ path: '/cluster/sdn/vnets', doing: 'list the virtual networks' }, signal));
  const vnet = rows.find((row) => textOf(row, 'vnet') === bridge);
  return vnet === undefined ? undefined : textOf(vnet, 'zone');
}

export async function bridgeProblem(
  { api, facts, settings: { bridge, vlan } }: Checked,
  host: string,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const request = {
    path: path`/nodes/${host}/network`,
    doing: `list the bridges of ${host}`,
    params: { type: 'any_bridge' },
  };
  const rows = rowsOf(await api.get(request, signal));
  const found = rows.find((row) => textOf(row, 'iface') === bridge);
  if (found !== undefined) {
    const carries = vlan === undefined || textOf(found, 'type') !== 'bridge' || flagOf(found, 'bridge_vlan_aware');
    return carries ? undefined : notAware(host, bridge, vlan);
  }
  const zone = await zoneOf(api, bridge, signal);
  if (zone !== undefined) return notHere(host, bridge, zone);
  const right = `/sdn/zones/${hostsOwn}/${bridge}`;
  if (!(await facts.permissions(signal)).may(right, 'SDN.Use')) return hidden(host, bridge, right, api.who);
  return noBridge(
    host,
    bridge,
    rows.flatMap((row) => textOf(row, 'iface') ?? []),
  );
}

const notAware = (host: string, bridge: string, vlan: number): Problem =>
  new Problem(
    'proxmox-bridge-vlan',
    `${bridge} on ${host} is not VLAN-aware: Proxmox makes a second bridge ${bridge}v${vlan} for the machines, which needs a physical port in ${bridge}.`,
    {
      severity: 'warning',
      remedy: `Make it VLAN-aware, unless that is what you want:\n    ssh root@${host} 'pvesh set /nodes/${host}/network/${bridge} --type bridge --bridge_vlan_aware 1 && pvesh set /nodes/${host}/network'`,
    },
  );

const notHere = (host: string, bridge: string, zone: string): Problem =>
  new Problem(
    'proxmox-no-bridge',
    `The virtual network ${bridge} is not there on ${host}: its zone ${zone} leaves that host out, or was not applied.`,
    {
      remedy: `Let the zone reach all hosts of the file, and apply it:\n    ssh root@${host} 'pvesh set /cluster/sdn/zones/${zone} --delete nodes && pvesh set /cluster/sdn'`,
    },
  );

/** Bridges that somebody may not use are in no list. */
const hidden = (host: string, bridge: string, right: string, who: string): Problem =>
  new Problem(
    'proxmox-no-bridge',
    `Whether ${bridge} is there on ${host} cannot be seen: ${who} lacks SDN.Use on ${right}.`,
    { remedy: 'Give it the roles that are printed under “permissions”.' },
  );

const noBridge = (host: string, bridge: string, known: readonly string[]): Problem =>
  new Problem(
    'proxmox-no-bridge',
    `There is no bridge “${bridge}” on ${host}; there is ${known.length === 0 ? 'none' : known.toSorted().join(', ')}.`,
    {
      remedy: `Correct machines.proxmox.bridge, or make it, with the port of the host that it is to use instead of PORT:\n    ssh root@${host} 'pvesh create /nodes/${host}/network --iface ${bridge} --type bridge --bridge_ports PORT --bridge_vlan_aware 1 --autostart 1 && pvesh set /nodes/${host}/network'`,
    },
  );
