import type { TwinHardware } from '../twin.ts';
import type { ConfiguredNetwork } from './configured-network.ts';
import type { PlatformNetwork } from './platform.ts';

export type LinkAddress = { readonly link: string; readonly address: string; readonly prefix: number };

/** Where a node is on the network, and who would give it which name. */
export type NodeNetwork = {
  /** The node’s own address is the first. */
  readonly addresses: readonly LinkAddress[];
  readonly gateway: string | undefined;
  readonly nameservers: readonly string[];
  readonly hostnames: { readonly platform: string | undefined; readonly dhcp: string | undefined };
  /** Links that only the configuration knows: VLANs, bonds. */
  readonly logical: readonly { readonly name: string; readonly mac: string }[];
};

/** Before anybody was asked. */
export const noNetwork: NodeNetwork = {
  addresses: [],
  gateway: undefined,
  nameservers: [],
  hostnames: { platform: undefined, dhcp: undefined },
  logical: [],
};

/** What a DHCP server answers. */
export type Lease = {
  readonly address: string;
  readonly prefix: number;
  readonly gateway: string | undefined;
  readonly nameservers: readonly string[];
  readonly hostname: string | undefined;
};

type Link = TwinHardware['links'][number];

export type NetworkSources = {
  readonly links: readonly Link[];
  readonly platform: PlatformNetwork | undefined;
  readonly config: ConfiguredNetwork | undefined;
  readonly lease: (mac: string) => Lease | undefined;
};

const usualNameservers = ['1.1.1.1', '8.8.8.8'];

/**
 * Addresses add up: those of the platform, those of the configuration, and one by DHCP where somebody asks for it, or where
 * neither says anything about the link.
 */
export function networkOf(sources: NetworkSources): NodeNetwork {
  const { links, platform, config, lease } = sources;
  const logical = logicalLinks(links, config);
  const found = [...links, ...logical].map((link) => {
    const said = saidOf(link, sources);
    const physical = links.includes(link);
    const asksDhcp = said.dhcp || (physical && !said.configured);
    return { link, said, leased: asksDhcp ? lease(link.mac) : undefined };
  });
  const leases = found.flatMap(({ leased }) => leased ?? []);
  return {
    addresses: found.flatMap(({ link, said, leased }) => [
      ...said.addresses.map((cidr) => addressOf(link.name, cidr)),
      ...(leased === undefined ? [] : [{ link: link.name, address: leased.address, prefix: leased.prefix }]),
    ]),
    gateway: [...found.flatMap(({ said }) => said.gateways), ...leases.flatMap(({ gateway }) => gateway ?? [])][0],
    nameservers: firstFilled(
      config?.nameservers,
      leases.flatMap(({ nameservers }) => nameservers),
      platform?.nameservers,
    ),
    hostnames: {
      platform: platform?.hostname,
      dhcp: config?.ignoresDhcpHostname === true ? undefined : leases.flatMap(({ hostname }) => hostname ?? [])[0],
    },
    logical,
  };
}

const firstFilled = (...lists: readonly (readonly string[] | undefined)[]): readonly string[] =>
  lists.find((list) => list !== undefined && list.length > 0) ?? usualNameservers;

function addressOf(link: string, cidr: string): LinkAddress {
  const [address = '', prefix] = cidr.split('/');
  return { link, address, prefix: Number(prefix ?? (address.includes(':') ? 128 : 32)) };
}

/** They have the MAC address of the card below them. */
function logicalLinks(links: readonly Link[], config: ConfiguredNetwork | undefined): readonly Link[] {
  return (config?.links ?? []).flatMap(({ name, over }) => {
    const below = over === undefined ? undefined : (links.find((link) => link.name === over) ?? links[0]);
    return below === undefined ? [] : [{ name, mac: below.mac }];
  });
}

type Said = {
  readonly addresses: readonly string[];
  readonly gateways: readonly string[];
  readonly dhcp: boolean;
  readonly configured: boolean;
};

function saidOf(link: Link, { links, platform, config }: NetworkSources): Said {
  const has = (mac: string | undefined): boolean => links.some((each) => each.mac.toLowerCase() === mac);
  const ofPlatform = (platform?.links ?? []).filter(({ mac, name }) =>
    has(mac) ? links.includes(link) && link.mac.toLowerCase() === mac : link.name === name,
  );
  const ofConfig = (config?.links ?? []).filter(({ name }) => name === link.name);
  return {
    // The platform’s come first: they were there first.
    addresses: [...new Set([...ofPlatform, ...ofConfig].flatMap(({ addresses }) => addresses))],
    gateways: [...ofConfig, ...ofPlatform].flatMap(({ gateway }) => gateway ?? []),
    dhcp: [...ofPlatform, ...ofConfig].some(({ dhcp }) => dhcp),
    configured: ofPlatform.length > 0 || ofConfig.some(({ configures }) => configures),
  };
}
