import { parse } from 'yaml';
import type { PlatformData, PlatformLink, PlatformNetwork } from './node/platform.ts';

/** What lies on a medium with the label cidata; undefined: there is no such file. */
export type NoCloudFiles = {
  readonly metaData: string | undefined;
  readonly userData: string | undefined;
  readonly networkConfig: string | undefined;
};

type Tree = Readonly<Record<string, unknown>>;

const tree = (value: unknown): Tree => (typeof value === 'object' && value !== null ? (value as Tree) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function read(yaml: string | undefined): Tree {
  try {
    return tree(parse(yaml ?? '', { logLevel: 'silent' }));
  } catch {
    return {};
  }
}

/** As Talos reads it: a name and a network from the platform, and user data that is a machine configuration or nothing. */
export function noCloudData({ metaData, userData, networkConfig }: NoCloudFiles): PlatformData {
  const metadata = read(metaData);
  const named = (of: Tree): string | undefined => text(of['hostname']) || text(of['local-hostname']) || undefined;
  // Proxmox writes the name into the user data.
  const hostname = named(metadata) ?? named(read(userData));
  const network = networkConfig === undefined ? undefined : networkFrom(networkConfig);
  const instanceId = text(metadata['instance-id']);
  return {
    // Without a network configuration Talos takes nothing from the platform, not even the name.
    network: network && { ...network, hostname: shortName(hostname) },
    config: configFrom(userData),
    ...(instanceId === '' || network === undefined ? {} : { instanceId }),
  };
}

const shortName = (name: string | undefined): string | undefined => name?.split('.')[0];

function configFrom(userData: string | undefined): string | undefined {
  if (userData === undefined || userData.trim() === '') return undefined;
  const [first = ''] = userData.split('\n', 1);
  return ['#cloud-config', '#include'].includes(first.trim()) ? undefined : userData;
}

function networkFrom(yaml: string): Omit<PlatformNetwork, 'hostname'> | undefined {
  const whole = read(yaml);
  const network = whole['network'] === undefined ? whole : tree(whole['network']);
  if (network['version'] === 1) return versionOne(list(network['config']).map(tree));
  return network['version'] === 2 ? versionTwo(network) : undefined;
}

function versionOne(entries: readonly Tree[]): Omit<PlatformNetwork, 'hostname'> {
  return {
    links: entries.flatMap((entry) =>
      ['physical', 'vlan', 'bond'].includes(text(entry['type']))
        ? [fromSubnets(text(entry['name']), text(entry['mac_address']), list(entry['subnets']).map(tree))]
        : [],
    ),
    nameservers: entries
      .filter(({ type }) => type === 'nameserver')
      .flatMap(({ address }) => (typeof address === 'string' ? [address] : list(address).map(text))),
  };
}

function fromSubnets(name: string, mac: string, subnets: readonly Tree[]): PlatformLink {
  const ofType = (...types: readonly string[]): readonly Tree[] =>
    subnets.filter(({ type }) => types.includes(text(type)));
  const fixed = ofType('static', 'static6');
  return {
    name,
    mac: mac === '' ? undefined : mac.toLowerCase(),
    addresses: fixed.map(({ address, netmask }) => withPrefix(text(address), text(netmask))),
    gateway: fixed.flatMap(({ gateway }) => text(gateway) || [])[0],
    dhcp: ofType('dhcp', 'dhcp4').length > 0,
  };
}

function withPrefix(address: string, netmask: string): string {
  if (address.includes('/') || netmask === '') return address;
  const bits = netmask.split('.').map((part) => Number(part).toString(2).replaceAll('0', '').length);
  return `${address}/${bits.reduce((sum, count) => sum + count, 0)}`;
}

function versionTwo(network: Tree): Omit<PlatformNetwork, 'hostname'> {
  const kinds = ['ethernets', 'bonds', 'vlans'].map((kind) => Object.entries(tree(network[kind])));
  const all = kinds
    .flatMap((entries) => entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
    .map(([name, link]) => [name, tree(link)] as const);
  return {
    links: all.map(([name, link]) => ({
      name,
      mac: text(tree(link['match'])['macaddress']).toLowerCase() || undefined,
      addresses: list(link['addresses']).map(text),
      gateway: text(link['gateway4']) || text(link['gateway6']) || defaultRoute(list(link['routes']).map(tree)),
      dhcp: link['dhcp4'] === true,
    })),
    nameservers: all.flatMap(([, link]) => list(tree(link['nameservers'])['addresses']).map(text)),
  };
}

const defaultRoute = (routes: readonly Tree[]): string | undefined =>
  text(routes.find(({ to }) => ['default', '0.0.0.0/0', '::/0'].includes(text(to)))?.['via']) || undefined;
