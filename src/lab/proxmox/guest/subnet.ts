/** An IPv4 network as numbers. */
export type Subnet = { readonly first: number; readonly size: number; readonly prefix: number };

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

export const addressOf = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');

export function subnetOf(cidr: string): Subnet {
  const [address = '', length = ''] = cidr.split('/');
  const prefix = Number(length);
  const size = 2 ** (32 - prefix);
  return { first: Math.floor(numberOf(address) / size) * size, size, prefix };
}

export const cidrOf = ({ first, prefix }: Subnet): string => `${addressOf(first)}/${prefix}`;

/** Hosts live in the first half of a lab’s network, what runs in their VMs in the second. */
export const guestsOf = ({ first, size, prefix }: Subnet): Subnet => ({
  first: first + size / 2,
  size: size / 2,
  prefix: prefix + 1,
});
