import { isIPv6 } from 'node:net';
import type { Listed } from '../machines.ts';

type Reserved = Pick<Listed, 'hostname' | 'mac' | 'address'>;

/** Lines for dnsmasq, which knows an IPv6 address by its brackets and takes it for a second MAC without them. */
export const dnsmasqLines = (found: readonly Reserved[]): string =>
  found
    .map(({ hostname, mac, address }) => {
      const written = address !== null && isIPv6(address) ? `[${address}]` : address;
      return `dhcp-host=${[mac, written, hostname].filter(Boolean).join(',')}\n`;
    })
    .join('');

/** Reservations for a subnet of Kea: one address in Dhcp4, a list of them in Dhcp6. */
export const keaJson = (found: readonly Reserved[]): string =>
  `${JSON.stringify(
    found.map(({ hostname, mac, address }) => ({
      'hw-address': mac.toLowerCase(),
      ...addressOf(address),
      hostname,
    })),
    null,
    2,
  )}\n`;

function addressOf(address: string | null): Readonly<Record<string, unknown>> {
  if (address === null) return {};
  return isIPv6(address) ? { 'ip-addresses': [address] } : { 'ip-address': address };
}
