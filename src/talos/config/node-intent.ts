import { parseCidr } from '../../model/ip.ts';
import type { Machine, Role } from '../../model/machine.ts';
import { Problem } from '../../model/problem.ts';
import type { Platform } from '../../spec/platform.ts';
import { talosVersionOf } from './cluster-intent.ts';
import { isWithin, knowsOffAlone } from './contract.ts';
import { dataDisksOf } from './disks.ts';
import { firewallOf } from './firewall.ts';
import { installOf } from './install.ts';
import type { ClusterIntent, Hostname, LinkSelector, NodeIntent, NodeNetwork, Taint } from './intent.ts';
import { addressOf, groupOf, nodesNetwork, roleGroup, type ConfigRequest, type NodeSettings } from './request.ts';

/** What every machine of a role shares: nothing that only one machine or one of several pools has. */
export function roleIntent(request: ConfigRequest, cluster: ClusterIntent, role: Role): NodeIntent {
  const { platform } = request;
  const group = roleGroup(platform, role);
  return {
    ...cluster,
    role,
    schedulable: role === 'worker' || platform.cluster.controlPlane.schedulable,
    labels: group?.labels ?? {},
    annotations: group?.annotations ?? {},
    taints: taintsOf(group?.taints ?? []),
    hostname: namelessHostname(platform, cluster),
    network: { ...sharedNetwork(request, role), link: sharedLink(platform, role) },
    install: installOf(request, talosVersionOf(platform.cluster), group, undefined),
    dataDisks: [],
    firewall: firewallOf(request, role),
  };
}

/** What one machine's configuration says. */
export function nodeIntent(
  request: ConfigRequest,
  shared: NodeIntent,
  machine: Machine,
  node: NodeSettings | undefined,
): NodeIntent {
  const { platform } = request;
  const group = groupOf(platform, machine);
  return {
    ...shared,
    labels: { ...group.labels, ...node?.labels },
    annotations: { ...group.annotations, ...node?.annotations },
    taints: taintsOf(group.taints, node?.taints),
    hostname: platform.cluster.hostnames === 'talos' ? { kind: 'fixed', name: machine.hostname } : shared.hostname,
    network: nodeNetwork(request, shared.network, machine),
    install: installOf(request, talosVersionOf(platform.cluster), group, node),
    dataDisks: dataDisksOf(platform.provider, machine),
  };
}

/** A name that no file gives: Talos' own, or none where a DHCP server names machines. */
function namelessHostname({ cluster }: Platform, { contract }: ClusterIntent): Hostname {
  if (cluster.hostnames === 'talos') return { kind: 'stable' };
  if (isWithin(contract, { until: '1.11' })) return { kind: 'unsaid' };
  return { kind: knowsOffAlone(talosVersionOf(cluster)) ? 'given' : 'unsaid' };
}

function sharedNetwork({ platform }: ConfigRequest, role: Role): Omit<NodeNetwork, 'link'> {
  const { network, endpoint } = platform.cluster;
  return {
    address: undefined,
    gateway: undefined,
    mtu: network.mtu,
    vlan: network.vlan,
    vip: role === 'control-plane' ? endpoint.vip : undefined,
  };
}

const sharedLink = ({ cluster }: Platform, role: Role): LinkSelector =>
  role === 'control-plane' && cluster.endpoint.link !== undefined
    ? { kind: 'name', name: cluster.endpoint.link }
    : { kind: 'only' };

function nodeNetwork(request: ConfigRequest, shared: NodeNetwork, machine: Machine): NodeNetwork {
  const { platform } = request;
  const { network } = platform.cluster;
  const address = network.addresses === 'static' ? addressOf(request, machine) : undefined;
  const prefix = parseCidr(nodesNetwork(platform) ?? '')?.prefix;
  const link = shared.link.kind === 'name' ? shared.link : linkOf(request, machine);
  if (address === undefined || prefix === undefined) return { ...shared, link };
  return { ...shared, link, address: `${address}/${prefix}`, gateway: network.gateway };
}

/** ichor chooses the MAC addresses of machines that it makes; others are known only when the file tells. */
function linkOf({ platform, identities }: ConfigRequest, { name, fixed }: Machine): LinkSelector {
  const chosen = platform.provider.kind === 'proxmox' || platform.provider.kind === 'libvirt';
  const mac = fixed.mac ?? (chosen ? identities.get(name)?.mac : undefined);
  return mac === undefined ? { kind: 'only' } : { kind: 'mac', mac: mac.toLowerCase() };
}

const taintForm = /^(?<key>[^=:]+)(?:=(?<value>[^:]*))?:(?<effect>.+)$/;

function taintsOf(group: readonly string[], node: readonly string[] = []): readonly Taint[] {
  return [...oneEach(group.map(taintOf)), ...oneEach(node.map(taintOf))];
}

function taintOf(written: string): Taint {
  const { key = '', value = '', effect = '' } = taintForm.exec(written)?.groups ?? {};
  return { key, value, effect };
}

/** Talos holds one taint per key; a machine's own may take the place of its group's, but two of one list exclude each other. */
function oneEach(taints: readonly Taint[]): readonly Taint[] {
  const twice = taints.find(({ key }, index) => taints.findIndex((other) => other.key === key) !== index);
  if (twice === undefined) return taints;
  throw new Problem('taint-twice', `A node of Talos can have one taint called ${twice.key}, and here are several.`, {
    path: 'cluster.controlPlane.taints, cluster.workers, cluster.nodes',
    remedy: 'Keep one of them, or give them different keys.',
  });
}
