import { isIPv6 } from 'node:net';
import type { Boot } from '../node/boot.ts';
import type { Machine } from '../node/machine.ts';
import type { LinkAddress, NodeNetwork } from '../node/network.ts';
import { publish } from '../state/publish.ts';

const cidrOf = ({ address, prefix }: LinkAddress): string => `${address}/${prefix}`;
const idOf = (each: LinkAddress): string => `${each.link}/${cidrOf(each)}`;
const familyOf = (address: string): 'inet4' | 'inet6' => (isIPv6(address) ? 'inet6' : 'inet4');

/** Addresses, the way out, and name servers, as they are now; what was published `before` and is gone goes. */
export function publishAddresses(
  { addresses, network, hardware }: Machine,
  { state }: Boot,
  before?: NodeNetwork,
): void {
  const indexOf = (link: string): number =>
    [...hardware.links, ...network.logical].findIndex(({ name }) => name === link) + 2;
  const present = new Set(addresses.map(idOf));
  for (const each of before?.addresses ?? [])
    if (!present.has(idOf(each))) state.destroy(publish.addressStatus.type, idOf(each));
  for (const each of addresses)
    publish.addressStatus(state, idOf(each), {
      address: cidrOf(each),
      local: each.address,
      ...(isIPv6(each.address) ? {} : { broadcast: broadcastOf(each) }),
      linkIndex: indexOf(each.link),
      linkName: each.link,
      family: familyOf(each.address),
      scope: 'global',
      flags: ['permanent'],
    });
  if (before !== undefined && routeOf(before) !== undefined && routeOf(before) !== routeOf(network))
    state.destroy(publish.routeStatus.type, routeOf(before) ?? '');
  publishRoute(network, state);
  publish.resolverStatus(state, { dnsServers: network.nameservers });
  const all = addresses.map(cidrOf);
  publish.nodeAddress(state, 'default', { addresses: all.slice(0, 1) });
  for (const id of ['accumulative', 'current', 'routed']) {
    publish.nodeAddress(state, id, { addresses: all });
    publish.nodeAddress(state, `${id}-no-k8s`, { addresses: all });
    publish.nodeAddress(state, `${id}-only-k8s`, { addresses: [] });
  }
}

/** The way out, under the id that it is published with. */
function routeOf({ gateway, addresses: [own] }: NodeNetwork): string | undefined {
  return gateway === undefined || own === undefined ? undefined : `${own.link}/${familyOf(gateway)}/${gateway}//1024`;
}

function publishRoute(network: NodeNetwork, state: Boot['state']): void {
  const id = routeOf(network);
  if (id === undefined) return;
  publish.routeStatus(state, id, {
    family: familyOf(network.gateway ?? ''),
    gateway: network.gateway ?? '',
    outLinkIndex: 2,
    outLinkName: network.addresses[0]?.link ?? '',
    table: 'main',
    priority: 1024,
    type: 'unicast',
    protocol: 'static',
  });
}

/** The last address of the network. */
function broadcastOf({ address, prefix }: LinkAddress): string {
  const bits = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const hosts = 2 ** (32 - prefix);
  const last = Math.floor(bits / hosts) * hosts + hosts - 1;
  return [24, 16, 8, 0].map((shift) => Math.floor(last / 2 ** shift) % 256).join('.');
}
