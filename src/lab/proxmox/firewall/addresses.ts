import { isIPv4, isIPv6 } from 'node:net';

export type IpVersion = 4 | 6;

/** Of an address, a network, a range or a list of them; undefined: it is a name. */
export function ipVersionOf(text: string): IpVersion | undefined {
  const [first = ''] = text.split(/[,/-]/);
  if (isIPv4(first)) return 4;
  return isIPv6(first) ? 6 : undefined;
}

/** A network without the bits of a host in it, and a single address without its length. */
export function normalNetwork(text: string): string {
  const [address = '', length] = text.split('/');
  if (length === undefined || length === (isIPv4(address) ? '32' : '128')) return address;
  if (!isIPv4(address)) return text;
  const bits = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(length));
  const network = Math.floor(bits / size) * size;
  return `${[24, 16, 8, 0].map((shift) => Math.floor(network / 2 ** shift) % 256).join('.')}/${length}`;
}

/** Names begin with a letter; a scope may stand before them. */
export const aliasIn = (text: string): { readonly scope: string; readonly name: string } | undefined => {
  const parts = /^(guest\/|dc\/)?([A-Za-z][A-Za-z0-9\-_]+)$/.exec(text);
  return parts === null ? undefined : { scope: parts[1] ?? '', name: (parts[2] ?? '').toLowerCase() };
};
