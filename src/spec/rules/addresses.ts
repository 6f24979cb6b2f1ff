import {
  canonical,
  contains,
  formatAddress,
  isHostAddress,
  overlaps,
  parseAddress,
  parseCidr,
  parseRange,
  type AddressRange,
  type Cidr,
} from '../../model/ip.ts';
import { isGiven } from '../check.ts';
import type { PlatformDraft } from '../expand.ts';
import type { Path } from '../tree.ts';
import { addressesOf } from '../machine-addresses.ts';
import type { Said } from './rule.ts';

const at = (...steps: (string | number)[]) => ['spec', 'cluster', ...steps];

type Named<T> = { readonly path: Path; readonly what: string; readonly written: string; readonly range: T };

const network = (path: Path, what: string, written: string | undefined): readonly Named<Cidr>[] => {
  const range = written === undefined ? undefined : parseCidr(written);
  return range === undefined || written === undefined ? [] : [{ path, what, written, range }];
};

const range = (path: Path, what: string, written: string | undefined): readonly Named<AddressRange>[] => {
  const parsed = written === undefined ? undefined : parseRange(written);
  return parsed === undefined || written === undefined ? [] : [{ path, what, written, range: parsed }];
};

function nodeNetwork({
  spec,
}: PlatformDraft): { readonly path: Path; readonly cidr: Cidr; readonly written: string } | undefined {
  const places: readonly (readonly [Path, string | undefined])[] = [
    [at('network', 'nodes'), spec.cluster?.network?.nodes],
    [['spec', 'machines', 'libvirt', 'network', 'cidr'], spec.machines?.libvirt?.network?.cidr],
    [['spec', 'machines', 'openstack', 'network', 'cidr'], spec.machines?.openstack?.network?.cidr],
  ];
  for (const [path, written] of places) {
    const cidr = written === undefined ? undefined : parseCidr(written);
    if (cidr && written !== undefined) return { path, cidr, written };
  }
  return undefined;
}

/** Pools of LoadBalancer addresses, wherever they are declared. */
function loadBalancerPools({ spec }: PlatformDraft): readonly Named<AddressRange>[] {
  const { metallb } = spec.services?.catalog ?? {};
  const cilium = spec.cluster?.cni?.cilium;
  const metallbAt = (...steps: (string | number)[]) => ['spec', 'services', 'catalog', 'metallb', ...steps];
  return [
    ...range(metallbAt('pool'), 'MetalLB’s pool', metallb?.pool),
    ...Object.entries(metallb?.pools ?? {}).flatMap(([name, ranges]) =>
      (ranges ?? []).flatMap((written, index) =>
        range(metallbAt('pools', name, index), `MetalLB’s pool ${name}`, written),
      ),
    ),
    ...range(at('cni', 'cilium', 'l2', 'pool'), 'Cilium’s pool', cilium?.l2?.pool),
    ...range(at('cni', 'cilium', 'bgp', 'pool'), 'Cilium’s pool', cilium?.bgp?.pool),
  ];
}

export function* networksApart(platform: PlatformDraft): Iterable<Said> {
  const { spec } = platform;
  const nodes = nodeNetwork(platform);
  const networks: readonly Named<AddressRange>[] = [
    ...(nodes ? network(nodes.path, 'the machines’ network', nodes.written) : []),
    ...network(at('network', 'services'), 'services', spec.cluster?.network?.services),
    ...network(at('network', 'pods'), 'pods', spec.cluster?.network?.pods),
  ];
  for (const [index, one] of networks.entries()) {
    const other = networks.slice(0, index).find((earlier) => overlaps(earlier.range, one.range));
    if (other === undefined) continue;
    yield {
      path: one.path,
      code: 'overlapping-networks',
      message: `${capital(one.what)} (${one.written}) and ${other.what} (${other.written}) overlap.`,
      remedy: 'Give them networks that share no address.',
    };
  }
  const inside = networks.filter(({ path }) => path.at(-1) === 'pods' || path.at(-1) === 'services');
  for (const pool of loadBalancerPools(platform)) {
    const other = inside.find((candidate) => overlaps(candidate.range, pool.range));
    if (other === undefined) continue;
    yield {
      path: pool.path,
      code: 'overlapping-networks',
      message: `${capital(pool.what)} (${pool.written}) and ${other.what} (${other.written}) overlap.`,
      remedy: 'Use addresses that your routers know.',
    };
  }
}

export function* vip(platform: PlatformDraft): Iterable<Said> {
  const { spec } = platform;
  const written = spec.cluster?.endpoint?.vip;
  const address = written === undefined ? undefined : parseAddress(written);
  if (address === undefined) return;
  const path = at('endpoint', 'vip');
  const nodes = nodeNetwork(platform);
  if (nodes && !isHostAddress(nodes.cidr, address)) {
    yield {
      path,
      code: 'vip-outside',
      message: `The VIP ${written} is not an address for a machine in ${nodes.written}.`,
      remedy: `Choose a free address of ${nodes.written}.`,
    };
    return;
  }
  const same = formatAddress(address);
  if (same === canonical(spec.cluster?.network?.gateway ?? '')) {
    yield {
      path,
      code: 'vip-taken',
      message: `The VIP ${written} is the gateway’s address.`,
      remedy: 'Choose a free address.',
    };
    return;
  }
  const owner = addressesOf(platform).find((machine) => machine.address === same);
  if (owner) {
    yield {
      path,
      code: 'vip-taken',
      message: `The VIP ${written} is the address of "${owner.name}".`,
      remedy: 'Choose an address that no machine has.',
    };
    return;
  }
  const pool = loadBalancerPools(platform).find((candidate) => contains(candidate.range, address));
  if (pool)
    yield {
      path,
      code: 'vip-taken',
      message: `The VIP ${written} is inside ${pool.what} (${pool.written}).`,
      remedy: 'Choose an address outside of it.',
    };
}

export function* machineAddresses(platform: PlatformDraft): Iterable<Said> {
  const { spec } = platform;
  const nodes = nodeNetwork(platform);
  const gateway = canonical(spec.cluster?.network?.gateway ?? '');
  const pools = loadBalancerPools(platform);
  const owners = new Map<string, { readonly name: string; readonly fromRange: boolean }>();
  for (const { name, address: written, path } of addressesOf(platform)) {
    const address = written === undefined ? undefined : parseAddress(written);
    if (written === undefined || address === undefined) continue;
    const fromRange = path.at(-1) === 'addresses';
    const owner = owners.get(written);
    owners.set(written, { name, fromRange });
    // Ranges that overlap or lie outside are a matter of addressRanges: one complaint, not one per machine.
    if (fromRange && (owner?.fromRange || (nodes && !contains(nodes.cidr, address)))) continue;
    const pool = pools.find((candidate) => contains(candidate.range, address));
    if (owner !== undefined)
      yield {
        path,
        code: 'same-address',
        message: `"${name}" and "${owner.name}" have one address, ${written}.`,
        remedy: 'Give each its own.',
      };
    else if (nodes && !isHostAddress(nodes.cidr, address))
      yield {
        path,
        code: 'address-outside',
        message: `${written} of "${name}" is not an address for a machine in ${nodes.written}.`,
        remedy: `Choose an address of ${nodes.written}.`,
      };
    else if (written === gateway)
      yield {
        path,
        code: 'same-address',
        message: `${written} of "${name}" is the gateway’s address.`,
        remedy: 'Choose another address.',
      };
    else if (pool)
      yield {
        path,
        code: 'same-address',
        message: `${written} of "${name}" is inside ${pool.what} (${pool.written}).`,
        remedy: 'Choose an address outside of it.',
      };
  }
}

export function* staticAddresses(platform: PlatformDraft): Iterable<Said> {
  const { spec } = platform;
  const net = spec.cluster?.network;
  if (net?.addresses !== 'static') return;
  const path = at('network', 'addresses');
  const networkGiven = isGiven(net, 'nodes') || isGiven(spec.machines?.libvirt?.network, 'cidr');
  if (!nodeNetwork(platform) && !networkGiven && !isGiven(spec.machines?.openstack?.network, 'cidr'))
    yield {
      path,
      code: 'static-needs',
      message: 'Static addresses need cluster.network.nodes.',
      remedy: 'Add for example "nodes: 10.10.0.0/24".',
    };
  if (!isGiven(net, 'gateway'))
    yield {
      path,
      code: 'static-needs',
      message: 'Static addresses need cluster.network.gateway.',
      remedy: 'Add for example "gateway: 10.10.0.1".',
    };
  const without = addressesOf(platform).filter(({ address, broken }) => address === undefined && !broken);
  if (without.length === 0) return;
  const [first] = without;
  yield {
    path,
    code: 'no-address',
    message: `${without.length === 1 ? `"${first?.name}" has` : `${without.length} machines have`} no address${without.length === 1 ? '' : `, "${first?.name}" first`}.`,
    remedy: `Give its group "addresses: 10.10.0.20-39", or the machine "address:" under cluster.nodes.`,
  };
}

/** Ranges of groups: apart from each other, inside the network, and long enough. */
export function* addressRanges(platform: PlatformDraft): Iterable<Said> {
  const { spec } = platform;
  const nodes = nodeNetwork(platform);
  const groups = [
    { path: at('controlPlane', 'addresses'), what: 'controlPlane', group: spec.cluster?.controlPlane },
    ...Object.entries(spec.cluster?.workers ?? {}).map(([pool, group]) => ({
      path: at('workers', pool, 'addresses'),
      what: `workers.${pool}`,
      group,
    })),
  ];
  const earlier: { readonly what: string; readonly range: AddressRange }[] = [];
  for (const { path, what, group } of groups) {
    const given = group?.addresses === undefined ? undefined : parseRange(group.addresses);
    if (given === undefined) continue;
    const other = earlier.find((candidate) => overlaps(candidate.range, given));
    const room = given.last - given.first + 1n;
    if (other)
      yield {
        path,
        code: 'overlapping-ranges',
        message: `The addresses of ${what} and ${other.what} overlap.`,
        remedy: 'Give each group its own.',
      };
    else if (
      nodes &&
      (!contains(nodes.cidr, { family: given.family, value: given.first }) ||
        !contains(nodes.cidr, { family: given.family, value: given.last }))
    ) {
      yield {
        path,
        code: 'address-outside',
        message: `The addresses of ${what} are not all in ${nodes.written}.`,
        remedy: `Choose addresses of ${nodes.written}.`,
      };
    } else if (group?.replicas !== undefined && BigInt(group.replicas) > room) {
      yield {
        path,
        code: 'range-too-small',
        message: `${group.replicas} machines need more than the ${room} addresses of ${what}.`,
        remedy: `End it at ${formatAddress({ family: given.family, value: given.first + BigInt(group.replicas) - 1n })} or later.`,
      };
    }
    earlier.push({ what, range: given });
  }
  const gateway = spec.cluster?.network?.gateway;
  const address = gateway === undefined ? undefined : parseAddress(gateway);
  if (nodes && address && !isHostAddress(nodes.cidr, address)) {
    yield {
      path: at('network', 'gateway'),
      code: 'address-outside',
      message: `The gateway ${gateway} is not an address of ${nodes.written}.`,
      remedy: `Choose an address of ${nodes.written}.`,
    };
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
