import { expect, test } from 'vitest';
import { dnsmasqLines, keaJson } from './reservations.ts';

const machines = [
  { hostname: 'cp-0', mac: 'BC:24:11:00:00:10', address: '10.10.0.10' },
  { hostname: 'cp-1', mac: 'BC:24:11:00:00:11', address: '2001:db8::11' },
  { hostname: 'cp-2', mac: 'BC:24:11:00:00:12', address: null },
];

test('dnsmasq knows an IPv6 address by its brackets', () => {
  expect(dnsmasqLines(machines).trimEnd().split('\n')).toEqual([
    'dhcp-host=BC:24:11:00:00:10,10.10.0.10,cp-0',
    'dhcp-host=BC:24:11:00:00:11,[2001:db8::11],cp-1',
    'dhcp-host=BC:24:11:00:00:12,cp-2',
  ]);
});

test('Kea takes one address in Dhcp4, and a list of them in Dhcp6', () => {
  expect(JSON.parse(keaJson(machines))).toEqual([
    { 'hw-address': 'bc:24:11:00:00:10', 'ip-address': '10.10.0.10', hostname: 'cp-0' },
    { 'hw-address': 'bc:24:11:00:00:11', 'ip-addresses': ['2001:db8::11'], hostname: 'cp-1' },
    { 'hw-address': 'bc:24:11:00:00:12', hostname: 'cp-2' },
  ]);
});
