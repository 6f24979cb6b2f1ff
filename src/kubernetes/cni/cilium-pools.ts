import { canonical, formatAddress, parseRange } from '../../model/ip.ts';
import type { Manifest } from '../../model/manifest.ts';
import type { CiliumSpec } from './cilium.ts';
import { ciliumFacts } from './cilium-versions.ts';

/** Where addresses of LoadBalancer services come from and how others learn of them; what the chart has no values for. */
export function ciliumPools(cilium: CiliumSpec): readonly Manifest[] {
  const { api } = ciliumFacts(cilium.version);
  const { l2, bgp } = cilium;
  return [
    ...(l2 === undefined ? [] : [poolOf(api, 'ichor-l2', l2.pool), announcements(l2)]),
    ...(bgp === undefined ? [] : [poolOf(api, 'ichor-bgp', bgp.pool), ...routing(api, bgp)]),
  ];
}

const poolOf = (apiVersion: string, name: string, written: string): Manifest => ({
  apiVersion,
  kind: 'CiliumLoadBalancerIPPool',
  metadata: { name },
  spec: { blocks: [written.includes('/') ? { cidr: written } : ends(written)] },
});

function ends(written: string): { readonly start: string; readonly stop: string } {
  const range = parseRange(written);
  if (range === undefined) throw new Error(`A settled platform has a pool of addresses, and ${written} is none.`);
  const { family, first, last } = range;
  return { start: formatAddress({ family, value: first }), stop: formatAddress({ family, value: last }) };
}

const announcements = ({ interfaces }: NonNullable<CiliumSpec['l2']>): Manifest => ({
  apiVersion: 'cilium.io/v2alpha1',
  kind: 'CiliumL2AnnouncementPolicy',
  metadata: { name: 'ichor' },
  spec: { loadBalancerIPs: true, ...(interfaces.length === 0 ? {} : { interfaces }) },
});

/** Advertisements are found by this. */
const advertised = { 'ichor.dev/advertise': 'bgp' };

/** Without a selector nothing is advertised; an empty one means every service. */
const everyService = {};

function routing(apiVersion: string, { pool, asn, peers }: NonNullable<CiliumSpec['bgp']>): readonly Manifest[] {
  const family = parseRange(pool)?.family ?? 4;
  return [
    {
      apiVersion,
      kind: 'CiliumBGPAdvertisement',
      metadata: { name: 'ichor', labels: advertised },
      spec: {
        advertisements: [
          { advertisementType: 'Service', service: { addresses: ['LoadBalancerIP'] }, selector: everyService },
        ],
      },
    },
    {
      apiVersion,
      kind: 'CiliumBGPPeerConfig',
      metadata: { name: 'ichor' },
      spec: {
        gracefulRestart: { enabled: true },
        families: [{ afi: `ipv${family}`, safi: 'unicast', advertisements: { matchLabels: advertised } }],
      },
    },
    {
      apiVersion,
      kind: 'CiliumBGPClusterConfig',
      metadata: { name: 'ichor' },
      spec: {
        bgpInstances: [
          {
            name: `as-${asn}`,
            localASN: asn,
            peers: peers.map((peer) => ({
              name: `router-${nameOf(peer.address)}`,
              peerASN: peer.asn,
              peerAddress: peer.address,
              peerConfigRef: { name: 'ichor' },
            })),
          },
        ],
      },
    },
  ];
}

/** An address as part of a name: by what it is and not by how it was written. */
const nameOf = (address: string): string => canonical(address).replaceAll(/[.:]+/g, '-');
