import type { GuestInterface } from '../guest.ts';

type Address = GuestInterface['addresses'][number];

/**
 * Addresses that a kernel gives to a card by itself: one of the link, and one of the prefix that the lab’s router announces.
 * Programs that look for «any global address» find that second one; the card’s own IPv4 address is a loopback address to them.
 */
export const kernelAddresses = (mac: string): readonly Address[] => [within('fd6c:6162::', mac), linkLocal(mac)];

export const linkLocal = (mac: string): Address => within('fe80::', mac);

const within = (prefix: string, mac: string): Address => ({
  address: prefix + interfaceId(mac),
  prefix: 64,
  family: 'ipv6',
});

/** The last 64 bits, as the kernel makes them of a MAC address. */
function interfaceId(mac: string): string {
  const [first = 0, second = 0, third = 0, ...rest] = mac.split(':').map((part) => Number.parseInt(part, 16));
  const bytes = [first ^ 2, second, third, 0xff, 0xfe, ...rest];
  return [0, 2, 4, 6].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16)).join(':');
}
