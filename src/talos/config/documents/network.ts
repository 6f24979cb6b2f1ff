import { talosDefault } from '../because.ts';
import type { Fields } from '../document.ts';
import type { LinkSelector, NodeNetwork } from '../intent.ts';
import { present, unlessEmpty, type DocumentRow } from '../table.ts';

/** What the link of a machine is called in its own documents: its MAC address finds it, whatever the kernel calls it. */
const alias = 'net0';

const carrier = (link: LinkSelector): string => (link.kind === 'name' ? link.name : alias);
const taggedLink = (vlan: number): string => `vlan${vlan}`;

/** The link that addresses, routes and the VIP belong to. */
const addressed = ({ link, vlan }: NodeNetwork): string => (vlan === undefined ? carrier(link) : taggedLink(vlan));

const speaksOfLink = ({ address, mtu, vlan, vip }: NodeNetwork): boolean =>
  (address ?? mtu ?? vlan ?? vip) !== undefined;
/** A link document, and with it the end of DHCP that nobody asked for. */
const configuresLink = ({ address, mtu, vlan }: NodeNetwork): boolean => (address ?? mtu ?? vlan) !== undefined;

const match = (link: LinkSelector): string =>
  link.kind === 'mac' ? `mac(link.permanent_addr) == "${link.mac}"` : 'true';

const addressing = ({ mtu, address, gateway }: NodeNetwork): Fields =>
  present({
    mtu,
    addresses: address === undefined ? undefined : [{ address }],
    routes: address === undefined || gateway === undefined ? undefined : [{ gateway }],
  });

export const resolverRows: readonly DocumentRow[] = [
  {
    kind: 'ResolverConfig',
    since: '1.12',
    until: '1.13',
    because: 'cluster.network.nameservers',
    documents: ({ nameservers }) =>
      nameservers.length === 0 ? [] : [{ nameservers: nameservers.map((address) => ({ address })) }],
  },
  {
    kind: 'ResolverConfig',
    since: '1.14',
    because: 'cluster.network.nameservers, cluster.hostDNS',
    documents: ({ nameservers, hostDNS: { enabled, forwardKubeDNSToHost } }) => [
      present({
        nameservers: unlessEmpty(nameservers.map((address) => ({ address }))),
        hostDNS: present({ enabled, forwardKubeDNSToHost: forwardKubeDNSToHost || undefined }),
      }),
    ],
  },
];

export const hostnameRows: readonly DocumentRow[] = [
  {
    kind: 'HostnameConfig',
    since: '1.12',
    because: ({ hostname }) => (hostname.kind === 'stable' ? talosDefault : 'cluster.hostnames'),
    documents: ({ hostname }) => {
      switch (hostname.kind) {
        case 'fixed':
          return [{ auto: 'off', hostname: hostname.name }];
        case 'stable':
          return [{ auto: 'stable' }];
        case 'given':
          return [{ auto: 'off' }];
        case 'unsaid':
          return [];
      }
    },
  },
];

export const networkRows: readonly DocumentRow[] = [
  {
    kind: 'KubeSpanConfig',
    since: '1.13',
    because: 'cluster.kubeSpan',
    documents: ({ kubeSpan }) => (kubeSpan === undefined ? [] : [present({ enabled: true, mtu: kubeSpan.mtu })]),
  },
  {
    kind: 'LinkAliasConfig',
    since: '1.12',
    because: 'the MAC address of the machine, else its only network card',
    documents: ({ network }) =>
      speaksOfLink(network) && network.link.kind !== 'name'
        ? [{ name: alias, selector: { match: match(network.link) } }]
        : [],
  },
  {
    kind: 'LinkConfig',
    since: '1.12',
    because: 'cluster.network',
    documents: ({ network }) => {
      if (!configuresLink(network)) return [];
      const { link, vlan, mtu } = network;
      return [{ name: carrier(link), ...(vlan === undefined ? addressing(network) : present({ up: true, mtu })) }];
    },
  },
  {
    kind: 'VLANConfig',
    since: '1.12',
    because: 'cluster.network.vlan',
    documents: ({ network }) =>
      network.vlan === undefined
        ? []
        : [
            {
              name: taggedLink(network.vlan),
              vlanID: network.vlan,
              parent: carrier(network.link),
              ...addressing(network),
            },
          ],
  },
  {
    kind: 'DHCPv4Config',
    since: '1.12',
    because: 'cluster.network.addresses',
    documents: ({ network }) =>
      configuresLink(network) && network.address === undefined ? [{ name: addressed(network) }] : [],
  },
  {
    kind: 'Layer2VIPConfig',
    since: '1.12',
    because: 'cluster.endpoint.vip',
    documents: ({ network }) => (network.vip === undefined ? [] : [{ name: network.vip, link: addressed(network) }]),
  },
  {
    kind: 'TimeSyncConfig',
    since: '1.12',
    because: 'cluster.network.timeServers',
    documents: ({ timeServers }) => (timeServers.length === 0 ? [] : [{ ntp: { servers: timeServers } }]),
  },
  {
    kind: 'NetworkDefaultActionConfig',
    because: 'cluster.firewall',
    documents: ({ firewall }) => (firewall === undefined ? [] : [{ ingress: 'block' }]),
  },
  {
    kind: 'NetworkRuleConfig',
    because: 'cluster.firewall, and what the role is reached by',
    documents: ({ firewall = [] }) =>
      firewall.map(({ name, protocol, ports, subnets }) => ({
        name,
        portSelector: { ports, protocol },
        ingress: subnets.map((subnet) => ({ subnet })),
      })),
  },
];
