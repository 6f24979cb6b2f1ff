import { expect, test } from 'vitest';
import { ownAddress } from './address.ts';

const mac = 'BC:24:11:00:00:10';

/** What an agent reports: cards with their addresses, as `address/prefix`. */
const report = (cards: Readonly<Record<string, readonly string[]>>, own = mac.toLowerCase()): unknown => ({
  result: Object.entries(cards).map(([name, addresses]) => ({
    name,
    'hardware-address': name === 'eth0' ? own : '00:00:00:00:00:00',
    ...(addresses.length === 0
      ? {}
      : {
          'ip-addresses': addresses.map((text) => ({
            'ip-address': text.split('/')[0],
            'ip-address-type': text.includes(':') ? 'ipv6' : 'ipv4',
            prefix: Number(text.split('/')[1]),
          })),
        }),
  })),
});

const rule = { mac, network: undefined, not: [] };

test.each<
  [
    what: string,
    cards: Readonly<Record<string, readonly string[]>>,
    network: string | undefined,
    not: readonly string[],
    found: string | undefined,
  ]
>([
  ['the one address of our card', { lo: ['127.0.0.1/8'], eth0: ['10.10.0.11/24'] }, undefined, [], '10.10.0.11'],
  ['none of another card', { cni0: ['10.244.0.1/24'], eth0: [] }, undefined, [], undefined],
  [
    'no VIP: it is there for its whole prefix',
    { eth0: ['10.10.0.5/32', '10.10.0.11/24'] },
    undefined,
    [],
    '10.10.0.11',
  ],
  [
    'no VIP that is a /24 but known',
    { eth0: ['10.10.0.5/24', '10.10.0.11/24'] },
    undefined,
    ['10.10.0.5'],
    '10.10.0.11',
  ],
  [
    'nothing of networks that are nobody’s own',
    { eth0: ['10.96.0.10/24', '10.10.0.11/24'] },
    undefined,
    ['10.96.0.0/12'],
    '10.10.0.11',
  ],
  ['one of loopback never, unless the nodes live there', { eth0: ['127.0.64.140/25'] }, undefined, [], undefined],
  ['one of a lab on loopback', { eth0: ['127.0.64.140/25'] }, '127.0.64.128/25', [], '127.0.64.140'],
  ['nothing link-local', { eth0: ['169.254.116.108/16', 'fe80::1/64'] }, undefined, [], undefined],
  [
    'Talos’ own networks are not it',
    { eth0: ['fd54:616c:6f73::1/64', 'fdae:41e4:649b:9303::2/64'] },
    undefined,
    [],
    undefined,
  ],
  ['the one in the node network', { eth0: ['192.168.1.7/24', '10.10.0.11/24'] }, '10.10.0.0/24', [], '10.10.0.11'],
  ['none outside of it', { eth0: ['192.168.1.7/24'] }, '10.10.0.0/24', [], undefined],
  ['IPv4 before IPv6', { eth0: ['2001:db8::11/64', '10.10.0.11/24'] }, undefined, [], '10.10.0.11'],
  ['IPv6 when that is what there is', { eth0: ['fe80::1/64', '2001:db8::11/64'] }, undefined, [], '2001:db8::11'],
])('%s', (_, cards, network, not, found) => {
  expect(ownAddress(report(cards), { mac, network, not })).toBe(found);
});

test('an agent that answers with an error, or not at all, tells nothing', () => {
  expect(ownAddress({ result: { error: { class: 'GenericError', desc: 'no' } } }, rule)).toBeUndefined();
  expect(ownAddress(undefined, rule)).toBeUndefined();
  expect(ownAddress(report({ eth0: ['10.10.0.11/24'] }, 'bc:24:11:00:00:99'), rule)).toBeUndefined();
});
