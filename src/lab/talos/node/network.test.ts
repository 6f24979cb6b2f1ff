import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { configuredNetwork } from './configured-network.ts';
import { networkOf, type Lease } from './network.ts';
import type { PlatformNetwork } from './platform.ts';

const cards = [
  { name: 'eth0', mac: 'bc:24:11:00:00:01' },
  { name: 'eth1', mac: 'bc:24:11:00:00:02' },
];
const lease = (mac: string): Lease => ({
  address: `10.9.0.${Number(mac.slice(-2))}`,
  prefix: 24,
  gateway: '10.9.0.254',
  nameservers: ['10.9.0.53'],
  hostname: `dhcp-${mac.slice(-1)}`,
});

const platform = (
  addresses: readonly string[],
  given: Partial<PlatformNetwork['links'][number]> = {},
): PlatformNetwork => ({
  hostname: 'platform',
  links: [{ name: 'eth9', mac: 'bc:24:11:00:00:01', addresses, gateway: '10.8.0.1', dhcp: false, ...given }],
  nameservers: ['10.8.0.53'],
});

const configured = (text: string) =>
  configuredNetwork(
    parseAllDocuments(text).map((document) => document.toJS() as Record<string, unknown>),
    cards,
  );

const shown = (from: { readonly platform?: PlatformNetwork; readonly config?: string }): readonly string[] =>
  networkOf({
    links: cards,
    platform: from.platform,
    config: from.config === undefined ? undefined : configured(from.config),
    lease,
  }).addresses.map(({ link, address, prefix }) => `${link} ${address}/${prefix}`);

const linkConfig = (name: string, address: string): string =>
  `{ apiVersion: v1alpha1, kind: LinkConfig, name: ${name}, addresses: [{ address: ${address} }], routes: [{ gateway: 10.7.0.1 }] }`;
const alias = (match: string): string =>
  `{ apiVersion: v1alpha1, kind: LinkAliasConfig, name: net0, selector: { match: '${match}' } }`;
const legacy = (device: string): string => `machine: { network: { interfaces: [${device}] } }`;

test.each<[string, Parameters<typeof shown>[0], readonly string[]]>([
  ['nobody says anything: DHCP on every card', {}, ['eth0 10.9.0.1/24', 'eth1 10.9.0.2/24']],
  [
    'the platform fixes one card, found by its MAC address',
    { platform: platform(['10.8.0.5/24']) },
    ['eth0 10.8.0.5/24', 'eth1 10.9.0.2/24'],
  ],
  [
    'the platform asks DHCP besides',
    { platform: platform(['10.8.0.5/24'], { dhcp: true }) },
    ['eth0 10.8.0.5/24', 'eth0 10.9.0.1/24', 'eth1 10.9.0.2/24'],
  ],
  ['a card that the platform names and gives nothing has nothing', { platform: platform([]) }, ['eth1 10.9.0.2/24']],
  [
    'the configuration fixes a card by its name',
    { config: linkConfig('eth1', '10.7.0.5/16') },
    ['eth0 10.9.0.1/24', 'eth1 10.7.0.5/16'],
  ],
  [
    'by an alias for its MAC address',
    {
      config: `${alias('mac(link.permanent_addr) == "BC:24:11:00:00:02"')}\n---\n${linkConfig('net0', '10.7.0.5/16')}`,
    },
    ['eth0 10.9.0.1/24', 'eth1 10.7.0.5/16'],
  ],
  [
    'by an alias for whatever is there',
    { config: `${alias('true')}\n---\n${linkConfig('net0', '10.7.0.5/16')}` },
    ['eth0 10.7.0.5/16', 'eth1 10.9.0.2/24'],
  ],
  [
    'what platform and configuration say adds up',
    { platform: platform(['10.8.0.5/24']), config: linkConfig('eth0', '10.7.0.5/16') },
    ['eth0 10.8.0.5/24', 'eth0 10.7.0.5/16', 'eth1 10.9.0.2/24'],
  ],
  [
    'and what both say is there once',
    { platform: platform(['10.8.0.5/24']), config: linkConfig('eth0', '10.8.0.5/24') },
    ['eth0 10.8.0.5/24', 'eth1 10.9.0.2/24'],
  ],
  [
    'DHCP that is asked for by name',
    {
      config:
        '{ apiVersion: v1alpha1, kind: LinkConfig, name: eth0, mtu: 1400 }\n---\n{ apiVersion: v1alpha1, kind: DHCPv4Config, name: eth0 }',
    },
    ['eth0 10.9.0.1/24', 'eth1 10.9.0.2/24'],
  ],
  [
    'a VLAN has its own address, and the card below it none',
    {
      config:
        '{ apiVersion: v1alpha1, kind: LinkConfig, name: eth0, up: true }\n---\n{ apiVersion: v1alpha1, kind: VLANConfig, name: vlan40, vlanID: 40, parent: eth0, addresses: [{ address: 10.40.0.5/24 }] }',
    },
    ['eth1 10.9.0.2/24', 'vlan40 10.40.0.5/24'],
  ],
  [
    'a bond takes its members’ place',
    {
      config:
        '{ apiVersion: v1alpha1, kind: BondConfig, name: bond0, links: [eth0, eth1], addresses: [{ address: 10.7.0.9/24 }] }',
    },
    ['bond0 10.7.0.9/24'],
  ],
  [
    'the way of old: an interface by name',
    {
      config: legacy(
        '{ interface: eth0, addresses: [10.7.0.5/16], routes: [{ network: 0.0.0.0/0, gateway: 10.7.0.1 }] }',
      ),
    },
    ['eth0 10.7.0.5/16', 'eth1 10.9.0.2/24'],
  ],
  [
    'the way of old: a device by its MAC address, and a VLAN on it that asks DHCP',
    {
      config: legacy('{ deviceSelector: { hardwareAddr: "*:02" }, dhcp: false, vlans: [{ vlanId: 40, dhcp: true }] }'),
    },
    ['eth0 10.9.0.1/24', 'eth1.40 10.9.0.2/24'],
  ],
  [
    'the way of old: ignored',
    { config: legacy('{ interface: eth0, ignore: true, dhcp: true }') },
    ['eth1 10.9.0.2/24'],
  ],
])('%s', (_, from, addresses) => {
  expect(shown(from)).toEqual(addresses);
});

test('the rest comes from whoever stands highest', () => {
  const all = networkOf({
    links: cards,
    platform: platform(['10.8.0.5/24']),
    config: configured(
      `${linkConfig('eth1', '10.7.0.5/16')}\n---\n{ apiVersion: v1alpha1, kind: ResolverConfig, nameservers: [{ address: 10.7.0.53 }] }`,
    ),
    lease,
  });
  expect(all).toMatchObject({
    gateway: '10.8.0.1',
    nameservers: ['10.7.0.53'],
    hostnames: { platform: 'platform', dhcp: undefined },
  });
  const bare = networkOf({ links: cards, platform: undefined, config: undefined, lease });
  expect(bare).toMatchObject({
    gateway: '10.9.0.254',
    nameservers: ['10.9.0.53', '10.9.0.53'],
    hostnames: { dhcp: 'dhcp-1' },
  });
  const silent = networkOf({
    links: cards,
    platform: undefined,
    config: configured('{ apiVersion: v1alpha1, kind: DHCPv4Config, name: eth0, ignoreHostname: true }'),
    lease,
  });
  expect(silent.hostnames.dhcp).toBeUndefined();
});
