import * as z from 'zod';
import { cel } from './notes.ts';
import {
  address,
  addressRange,
  anything,
  cidr,
  foreignName,
  free,
  hostname,
  integer,
  oneOf,
  port,
  version,
} from './values.ts';

const fields = z.strictObject({
  nodes: cidr().describe('Network of the machines.').optional(),
  gateway: address().describe('Default gateway of the machines; needed for static addresses.').optional(),
  addresses: z
    .enum(['dhcp', 'static'])
    .default('dhcp')
    .describe(
      'dhcp: your DHCP server gives addresses; static: every machine has one here, under nodes or from its group’s addresses.',
    ),
  nameservers: z.array(address()).max(8).default([]).describe('Name servers of the machines; empty: those of DHCP.'),
  timeServers: z
    .array(free('time.example.org', 253))
    .max(8)
    .default([])
    .describe('NTP servers of the machines; empty: Talos’ own.'),
  mtu: integer(576, 9216).describe('MTU of the machines’ network card.').optional(),
  vlan: integer(1, 4094)
    .describe('VLAN that the machines themselves tag; absent: none. One that Proxmox tags stands under machines.')
    .optional(),
  pods: cidr().default('10.244.0.0/16').describe('Addresses of pods.'),
  services: cidr().default('10.96.0.0/12').describe('Addresses of services.'),
  domain: hostname('cluster.local').default('cluster.local').describe('DNS domain of services.'),
});

const noOverlap = (one: string, other: string) =>
  `!cidr(self.${one}).containsIP(cidr(self.${other}).ip()) && !cidr(self.${other}).containsIP(cidr(self.${one}).ip())`;

export const network = cel(
  cel(
    cel(
      fields,
      noOverlap('pods', 'services'),
      'pods and services must not overlap: give them networks that share no address',
      '.pods',
    ),
    `!has(self.nodes) || (${noOverlap('nodes', 'pods')} && ${noOverlap('nodes', 'services')})`,
    'the machines’ network must overlap neither pods nor services: give them networks that share no address',
    '.nodes',
  ),
  "self.addresses != 'static' || has(self.gateway)",
  'static addresses need a gateway, such as 10.10.0.1',
  '.gateway',
)
  .prefault({})
  .describe('Networks and addresses.');

const cilium = z
  .strictObject({
    version: version('1.19.0').default('1.19.0').describe('Version of the Cilium chart.'),
    kubeProxyReplacement: z.boolean().default(true).describe('Cilium takes the place of kube-proxy.'),
    hubble: z
      .strictObject({
        enabled: z.boolean().default(true).describe('Flow visibility.'),
        relay: z.boolean().default(false).describe('Cluster-wide API of the flows.'),
        ui: z.boolean().default(false).describe('Web interface; needs relay.'),
      })
      .prefault({})
      .describe('Hubble.'),
    encryption: z.enum(['none', 'wireguard', 'ipsec']).default('none').describe('Encryption of traffic between nodes.'),
    l2: z
      .strictObject({
        pool: addressRange().describe('Addresses of LoadBalancer services.'),
        interfaces: z
          .array(free('^eth0$', 64))
          .max(16)
          .default([])
          .describe('Interfaces that announce them, as regular expressions; empty: all.'),
      })
      .describe('LoadBalancer services by L2 announcements.')
      .optional(),
    bgp: z
      .strictObject({
        pool: addressRange().describe('Addresses of LoadBalancer services.'),
        asn: integer(1, 4294967294).describe('Own autonomous system.'),
        peers: z
          .array(
            z.strictObject({
              address: address().describe('Router.'),
              asn: integer(1, 4294967294).describe('Its autonomous system.'),
            }),
          )
          .min(1)
          .max(16)
          .describe('Routers that routes are announced to.'),
      })
      .describe('LoadBalancer services by BGP.')
      .optional(),
    values: anything().default({}).describe('Values of the chart, over those that ichor sets.'),
  })
  .describe('Cilium, set up for Talos.');

export const cni = oneOf(
  {
    cilium: cilium.optional(),
    flannel: z.strictObject({}).describe('Flannel, as Talos ships it.').optional(),
    none: z.strictObject({}).describe('No network: nodes stay NotReady until you install one.').optional(),
  },
  ['cilium', 'flannel', 'none'],
)
  .prefault({ cilium: {} })
  .describe('The pod network; one of cilium, flannel, none.');

export const endpoint = oneOf(
  {
    vip: address()
      .describe('Virtual address that control planes share. Inside their network, and nobody’s own address.')
      .optional(),
    host: free('k8s.example.org', 253).describe('Name or address of your own load balancer.').optional(),
    port: port().default(6443).describe('Port of the Kubernetes API.'),
    link: foreignName('eth0')
      .describe('Link that carries the VIP; absent: the one with an address of the machines’ network.')
      .optional(),
  },
  ['vip', 'host'],
  'at most one',
)
  .prefault({})
  .describe('Where the Kubernetes API is reached; absent: the first control plane.');
