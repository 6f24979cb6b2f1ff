import { isIPv4, isIPv6 } from 'node:net';
import { splitList } from '../perl-text.ts';
import type { Format, Formats } from './format.ts';

const words = (text: string): ReadonlySet<string> => new Set(splitList(text));

/** A handful of /etc/services: those that people write into rules. */
const services = words(
  `ftp ssh telnet smtp domain bootps bootpc tftp http pop3 sunrpc ntp imap2 snmp bgp ldap https submission ldaps imaps pop3s
  microsoft-ds syslog ipp nfs mysql postgresql rdp ms-wbt-server http-alt iscsi-target`,
);
const protocols = words(
  `ip icmp igmp ggp ipencap st tcp egp igp pup udp hmp xns-idp rdp iso-tp4 dccp xtp ddp idpr-cmtp ipv6 ipv6-route ipv6-frag
  idrp rsvp gre esp ah skip ipv6-icmp ipv6-nonxt ipv6-opts rspf vmtp eigrp ospf ax.25 ipip etherip encap pim ipcomp vrrp l2tp
  isis sctp fc udplite mpls-in-ip hip shim6 wesp rohc icmpv6`,
);
const icmpTypes = words(
  `any echo-reply destination-unreachable network-unreachable host-unreachable protocol-unreachable port-unreachable
  fragmentation-needed source-route-failed network-unknown host-unknown network-prohibited host-prohibited
  TOS-network-unreachable TOS-host-unreachable communication-prohibited host-precedence-violation precedence-cutoff
  source-quench redirect network-redirect host-redirect TOS-network-redirect TOS-host-redirect echo-request
  router-advertisement router-solicitation time-exceeded ttl-zero-during-transit ttl-zero-during-reassembly
  parameter-problem ip-header-bad required-option-missing timestamp-request timestamp-reply address-mask-request
  address-mask-reply no-route beyond-scope address-unreachable failed-policy reject-route packet-too-big bad-header
  unknown-header-type unknown-option neighbour-solicitation neighbor-solicitation neighbour-advertisement
  neighbor-advertisement`,
);

const isAddress = (text: string): boolean => isIPv4(text) || isIPv6(text);

const ipOrCidr: Format = (value) => {
  const [, address, prefix] = /^([^/]+)(?:\/(\d+))?$/.exec(value) ?? [];
  if (address === undefined || !isAddress(address))
    return 'value does not look like a valid IP address or CIDR network';
  const longest = isIPv4(address) ? 32 : 128;
  return prefix !== undefined && Number(prefix) > longest ? `Invalid prefix length /${prefix}` : undefined;
};

const alias = /^(dc\/|guest\/)?[A-Za-z][A-Za-z0-9\-_]+$/;

const addresses: Format = (value) => {
  if (/^\+\S+$/.test(value)) return value.length > 65 ? 'ipset name too long' : undefined;
  if (alias.test(value)) return value.length > 64 ? 'alias name too long' : undefined;
  const elements = value.split(',');
  if (elements.at(-1) === '') return 'extraneous commas in list';
  const wrong = elements.find((element) => !isElement(element));
  if (wrong !== undefined) return `invalid IP address: Invalid chars in IP ${wrong}`;
  const families = new Set(elements.map((element) => (element.includes(':') ? 6 : 4)));
  if (families.size > 1) return `detected mixed ipv4/ipv6 addresses in address list '${value}'`;
  return elements.length > 1 && elements.some((element) => element.includes('-'))
    ? "you can't use a range in a list"
    : undefined;
};

const isElement = (element: string): boolean =>
  element.includes('-') ? element.split('-').every((end) => isAddress(end)) : ipOrCidr(element) === undefined;

const ports =
  (orIcmp: boolean): Format =>
  (value) => {
    const items = value.split(',');
    if (items.at(-1) === '') return 'extraneous commas in list';
    let count = 0;
    for (const item of items) {
      const [, from, to] = /^(\d+)(?::(\d+))?$/.exec(item) ?? [];
      const numbers = [from, to].flatMap((each) => (each === undefined ? [] : [each]));
      const tooBig = numbers.find((port) => Number(port) > 65_535);
      if (tooBig !== undefined) return `invalid port '${tooBig}'`;
      if (from !== undefined && to !== undefined && Number(from) > Number(to))
        return `backwards range '${from}:${to}' not allowed, did you mean '${to}:${from}'?`;
      if (from === undefined && !(services.has(item) || (orIcmp && icmpTypes.has(item))))
        return `invalid port '${item}'`;
      count += numbers.length;
    }
    return count > 15 ? 'too many entries in port list (> 15 numbers)' : undefined;
  };

export const firewallFormats: Formats = {
  IPorCIDR: ipOrCidr,
  IPorCIDRorAlias: (value) => (alias.test(value) ? undefined : ipOrCidr(value)),
  'pve-fw-addr-spec': addresses,
  'pve-fw-sport-spec': ports(false),
  'pve-fw-dport-spec': ports(true),
  'pve-fw-protocol-spec': (value) =>
    value === '' || value === '0' || protocols.has(value) || (/^\d+$/.test(value) && Number(value) < 143)
      ? undefined
      : `unknown protocol '${value}'`,
  'pve-fw-icmp-type-spec': (value) =>
    value === '' || icmpTypes.has(value) ? undefined : `invalid icmp-type value '${value}'`,
};
