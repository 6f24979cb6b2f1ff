import { contains, parseAddress, parseCidr, parseRange, type Address } from '../../../model/ip.ts';
import type { AddressRule } from '../../provider.ts';
import { rowOf, rowsOf, numberOf, textOf } from '../api/row.ts';

/** Nobody’s own: loopback, link-local, multicast, and the networks that Talos has for itself. */
const never = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '::/127',
  'fe80::/10',
  'ff00::/8',
  // Talos’ host DNS, and SideroLink.
  'fd54:616c:6f73::/48',
  'fdae:41e4:649b:9303::/64',
].flatMap((text) => parseCidr(text) ?? []);

/**
 * The machine’s own address among all that it reports. Only the card with our MAC counts; bridges, tunnels and pods have others.
 * A VIP is an address for the whole prefix, /32 or /128, on the very same card.
 */
export function ownAddress(agent: unknown, rule: AddressRule): string | undefined {
  const network = rule.network === undefined ? undefined : parseRange(rule.network);
  const taken = rule.not.flatMap((text) => parseRange(text) ?? []);
  const found = rowsOf(rowOf(agent)['result'])
    .filter((card) => textOf(card, 'hardware-address')?.toUpperCase() === rule.mac.toUpperCase())
    .flatMap((card) => rowsOf(card['ip-addresses']))
    .flatMap((row) => {
      const text = textOf(row, 'ip-address')?.split('%')[0] ?? '';
      const address = parseAddress(text);
      return address === undefined || isWhole(address, numberOf(row, 'prefix')) ? [] : [{ text, address }];
    })
    .filter(({ address }) => !taken.some((range) => contains(range, address)))
    // Whoever says that the nodes’ network is one of these, as in a lab on loopback, means it.
    .filter(({ address }) =>
      network === undefined ? !never.some((range) => contains(range, address)) : contains(network, address),
    );
  return (found.find(({ address }) => address.family === 4) ?? found[0])?.text;
}

const isWhole = ({ family }: Address, prefix: number | undefined): boolean => prefix === (family === 4 ? 32 : 128);
