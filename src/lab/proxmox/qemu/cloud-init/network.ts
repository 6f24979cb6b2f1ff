import { isNetSlot, parseNet } from '../config/net.ts';
import { parseProperties } from '../config/property-string.ts';

type Config = ReadonlyMap<string, string>;
type Addressing = {
  readonly index: string;
  readonly mac: string;
  readonly ip: string | undefined;
  readonly gw: string | undefined;
  readonly ip6: string | undefined;
  readonly gw6: string | undefined;
};

/** Network data in the dialect of the drive: version 1 for nocloud, a file of interfaces otherwise. */
export const networkConfig = (config: Config, dialect: string): string =>
  dialect === 'nocloud' ? nocloud(config) : interfaces(config);

/** Cards that have an `ipconfig`; by name, so that net10 stands before net2. */
const addressings = (config: Config): Addressing[] =>
  [...config.keys()]
    .filter(isNetSlot)
    .sort()
    .flatMap((slot) => {
      const index = slot.slice(3);
      const ipconfig = config.get(`ipconfig${index}`);
      if (ipconfig === undefined || ipconfig.trim() === '') return [];
      return [{ index, mac: (parseNet(config.get(slot) ?? '').mac ?? '').toLowerCase(), ...sensible(ipconfig) }];
    });

/** A gateway beside DHCP makes the whole value worthless; a value without addresses means DHCP. */
function sensible(ipconfig: string): Pick<Addressing, 'ip' | 'gw' | 'ip6' | 'gw6'> {
  const nothing = { ip: undefined, gw: undefined, ip6: undefined, gw6: undefined };
  const parsed = { ...nothing, ...(Object.fromEntries(parseProperties(ipconfig)) as Record<string, string>) };
  const { ip, gw, ip6, gw6 } = parsed;
  if (gw !== undefined && ip === 'dhcp') return nothing;
  if (gw6 !== undefined && (ip6 === 'dhcp' || ip6 === 'auto')) return nothing;
  return ip === undefined && ip6 === undefined ? { ...nothing, ip: 'dhcp', ip6: 'dhcp' } : { ip, gw, ip6, gw6 };
}

function nocloud(config: Config): string {
  const { search, servers } = dns(config);
  return [
    'version: 1',
    'config:',
    ...addressings(config).flatMap(({ index, mac, ip, gw, ip6, gw6 }) => [
      '    - type: physical',
      `      name: eth${index}`,
      `      mac_address: '${mac}'`,
      '      subnets:',
      ...(ip === undefined ? [] : ip === 'dhcp' ? ['      - type: dhcp4'] : staticIpv4(ip, gw)),
      ...(ip6 === undefined ? [] : ipv6(ip6, gw6)),
    ]),
    '    - type: nameserver',
    ...(servers.length === 0 ? [] : ['      address:', ...servers.map((server) => `      - '${server}'`)]),
    ...(search.length === 0 ? [] : ['      search:', ...search.map((domain) => `      - '${domain}'`)]),
    '',
  ].join('\n');
}

function staticIpv4(ip: string, gw: string | undefined): string[] {
  const [address = '', bits = '0'] = ip.split('/');
  return [
    '      - type: static',
    `        address: '${address}'`,
    `        netmask: '${netmask(Number(bits))}'`,
    ...(gw === undefined ? [] : [`        gateway: '${gw}'`]),
  ];
}

function ipv6(ip6: string, gw6: string | undefined): string[] {
  if (ip6 === 'dhcp') return ['      - type: dhcp6'];
  if (ip6 === 'auto') return ['      - type: ipv6_slaac'];
  return [
    '      - type: static6',
    `        address: '${ip6}'`,
    ...(gw6 === undefined ? [] : [`        gateway: '${gw6}'`]),
  ];
}

const netmask = (bits: number): string =>
  Array.from({ length: 4 }, (_, index) => 256 - 2 ** (8 - Math.min(8, Math.max(0, bits - index * 8)))).join('.');

/** The host’s own resolver stands in where nothing is given; hosts of the lab have none. */
const dns = (config: Config): { readonly search: string[]; readonly servers: string[] } => ({
  search: words(config.get('searchdomain')),
  servers: words(config.get('nameserver')),
});

const words = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter((each) => each !== '');

function interfaces(config: Config): string {
  const { search, servers } = dns(config);
  return [
    'auto lo',
    'iface lo inet loopback',
    '',
    ...(servers.length === 0 ? [] : [`        dns_nameservers ${servers.join(' ')}`]),
    ...(search.length === 0 ? [] : [`        dns_search ${search.join(' ')}`]),
    ...addressings(config).flatMap(({ index, ip, gw, ip6, gw6 }) => [
      `auto eth${index}`,
      ...(ip === undefined ? [] : family('inet', index, ip, gw)),
      ...(ip6 === undefined ? [] : family('inet6', index, ip6, gw6)),
    ]),
    '',
  ].join('\n');
}

function family(name: 'inet' | 'inet6', index: string, ip: string, gw: string | undefined): string[] {
  if (ip === 'dhcp' || ip === 'auto') return [`iface eth${index} ${name} ${ip}`];
  const [address = '', bits = '0'] = ip.split('/');
  return [
    `iface eth${index} ${name} static`,
    `        address ${address}`,
    `        netmask ${name === 'inet' ? netmask(Number(bits)) : bits}`,
    ...(gw === undefined ? [] : [`        gateway ${gw}`]),
  ];
}
