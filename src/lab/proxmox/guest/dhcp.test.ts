import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Dhcp } from './dhcp.ts';
import { guestsOf, subnetOf } from './subnet.ts';

const pool = (cidr: string, taken: readonly string[] = []): Dhcp =>
  new Dhcp(guestsOf(subnetOf(cidr)), (address) => taken.includes(address));
const macs = fc.uniqueArray(
  fc
    .integer({ min: 0, max: 0xff_ff_ff })
    .map((n) => `bc:24:11:${n.toString(16).padStart(6, '0').match(/../g)?.join(':')}`),
  { maxLength: 60 },
);

test('everybody gets an address of his own, in the upper half of the guests’ network, and the same again', () => {
  fc.assert(
    fc.property(macs, (all) => {
      const dhcp = pool('127.0.64.0/24');
      const given = all.map((mac) => dhcp.lease(mac)?.address ?? '');
      expect(new Set(given).size).toBe(all.length);
      expect(
        given.every((address) => Number(address.split('.')[3]) >= 192 && Number(address.split('.')[3]) < 255),
      ).toBe(true);
      expect(all.map((mac) => dhcp.lease(mac.toUpperCase())?.address)).toEqual(given);
      // Another server of the same network answers the same to the first who asks.
      expect(all.slice(0, 1).map((mac) => pool('127.0.64.0/24').lease(mac)?.address)).toEqual(given.slice(0, 1));
    }),
    { numRuns: 50 },
  );
});

test('reserved addresses and names are kept for their cards, and what is in use is not given out', () => {
  const dhcp = pool('127.0.64.0/28', ['127.0.64.12', '127.0.64.13']);
  dhcp.reserve('BC:24:11:00:00:01', { address: '127.0.64.14', hostname: 'first' });
  dhcp.reserve('bc:24:11:00:00:02', { hostname: 'second' });
  expect(dhcp.lease('bc:24:11:00:00:01')).toEqual({
    address: '127.0.64.14',
    prefix: 29,
    gateway: '127.0.64.9',
    nameservers: ['127.0.64.9'],
    hostname: 'first',
  });
  expect(dhcp.lease('bc:24:11:00:00:02')).toMatchObject({ hostname: 'second' });
  const others = ['03', '04', '05', '06'].map((last) => dhcp.lease(`bc:24:11:00:00:${last}`)?.address);
  expect([...dhcp.leases().values()].toSorted()).toEqual(['127.0.64.10', '127.0.64.11', '127.0.64.14']);
  expect(others.filter((address) => address === undefined)).toHaveLength(3);
});
