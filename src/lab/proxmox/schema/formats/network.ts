import { isIPv4, isIPv6 } from 'node:net';
import { anyOf, matching } from './format.ts';
import type { Format, Formats } from './format.ts';

const looksLike = (what: string): string => `value does not look like a valid ${what}`;

const ipv4: Format = (value) => (isIPv4(value) ? undefined : looksLike('IPv4 address'));
const ipv6: Format = (value) => (isIPv6(value) && !value.includes('%') ? undefined : looksLike('IPv6 address'));
export const ip: Format = anyOf([ipv4, ipv6], looksLike('IP address'));

const cidrOf =
  (address: Format, longest: number, complaint: string): Format =>
  (value) => {
    const [host = '', prefix, ...rest] = value.split('/');
    const fits = prefix !== undefined && /^\d+$/.test(prefix) && Number(prefix) > 7 && Number(prefix) <= longest;
    return fits && rest.length === 0 && address(host) === undefined ? undefined : complaint;
  };
const cidr4 = cidrOf(ipv4, 32, looksLike('IPv4 CIDR network'));
const cidr6 = cidrOf(ipv6, 128, looksLike('IPv6 CIDR network'));

const label = '([a-zA-Z0-9]([a-zA-Z0-9\\-]*[a-zA-Z0-9])?)';
export const dnsName: Format = matching(new RegExp(`(${label}\\.)*${label}`), looksLike('DNS name'));
export const address: Format = anyOf([ip, dnsName], (value) => `${looksLike('address')}: ${value}`);
const iface = matching(/[a-zA-Z][a-zA-Z0-9_]{1,20}([:.]\d+)?/, (value) => `invalid network interface name '${value}'`);

const vlans: Format = (value) => {
  const [, from, to] = /^(\d+)(?:-(\d+))?$/.exec(value) ?? [];
  if (from === undefined) return `invalid VLAN configuration '${value}'`;
  const wrong = [from, ...(to === undefined ? [] : [to])].find((tag) => Number(tag) < 2 || Number(tag) > 4094);
  if (wrong !== undefined) return `invalid VLAN tag '${wrong}'`;
  return to !== undefined && Number(from) >= Number(to)
    ? `VLAN range must go from lower to higher tag '${value}'`
    : undefined;
};

/** Masks whose bits stand together. */
const mask: Format = (value) => {
  const bits = isIPv4(value)
    ? value
        .split('.')
        .map((part) => Number(part).toString(2).padStart(8, '0'))
        .join('')
    : '';
  return /^1*0*$/.test(bits) && bits !== '' ? undefined : looksLike('IP netmask');
};

const unicast = '[a-fA-F0-9][02468aceACE](?::[a-fA-F0-9]{2})';

export const networkFormats: Formats = {
  ipv4,
  ipv6,
  ip,
  ipv4mask: mask,
  CIDRv4: cidr4,
  CIDRv6: cidr6,
  CIDR: anyOf([cidr4, cidr6], looksLike('CIDR network')),
  'pve-ipv4-config': anyOf([matching(/(?:dhcp|manual)/, ''), cidr4], looksLike('ipv4 network configuration')),
  'pve-ipv6-config': anyOf([matching(/(?:auto|dhcp|manual)/, ''), cidr6], looksLike('ipv6 network configuration')),
  'dns-name': dnsName,
  address,
  'mac-addr': matching(new RegExp(`${unicast}{5}`), looksLike('unicast MAC address')),
  'mac-prefix': matching(
    new RegExp(`${unicast}{0,2}(?::[a-fA-F0-9]?)?`),
    'value is not a valid unicast MAC address prefix',
  ),
  'pve-iface': iface,
  'pve-sdn-zone-id': matching(
    /[A-Za-z][A-Za-z0-9]*[A-Za-z0-9]/,
    (value) => `zone ID '${value}' contains illegal characters`,
  ),
  'pve-sdn-vnet-id': matching(
    /[A-Za-z][A-Za-z0-9]*[A-Za-z0-9]/,
    (value) => `vnet ID '${value}' contains illegal characters`,
  ),
  'pve-bridge-id': matching(/[-_.\w]+/, (value) => `invalid bridge ID '${value}'`),
  'pve-vlan-id-or-range': vlans,
  'lxc-ip-with-ll-iface': (value) => {
    const [, local, name] = /^(fe80:[^%]+)%(.*)$/.exec(value) ?? [];
    if (local !== undefined && name !== undefined && ip(local) === undefined && iface(name) === undefined)
      return undefined;
    return ip(value);
  },
};
