import { isIP, isIPv6 } from 'node:net';

/** Go’s words for why a text is no address; undefined for one that is. */
export function addressFault(text: string): string | undefined {
  const fault = (words: string, at?: string): string =>
    `ParseAddr(${JSON.stringify(text)}): ${words}${at === undefined ? '' : ` (at ${JSON.stringify(at)})`}`;
  const sign = /[.:%]/.exec(text)?.[0];
  if (sign === undefined) return fault('unable to parse IP');
  if (sign === '%') return fault('missing IPv6 address');
  if (sign === ':') return isIPv6(text.replace(/%.+$/, '')) ? undefined : ipv6Fault(text, fault);
  return ipv4Fault(text, fault);
}

type Fault = (words: string, at?: string) => string;

function ipv4Fault(text: string, fault: Fault): string | undefined {
  let [value, position, digits] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (/\d/.test(char)) {
      if (digits === 1 && value === 0) return fault('IPv4 field has octet with leading zero');
      value = value * 10 + Number(char);
      digits += 1;
      if (value > 255) return fault('IPv4 field has value >255');
    } else if (char === '.') {
      if (at === 0 || at === text.length - 1 || text.charAt(at - 1) === '.')
        return fault('IPv4 field must have at least one digit', text.slice(at));
      if (position === 3) return fault('IPv4 address too long');
      [value, digits] = [0, 0];
      position += 1;
    } else return fault('unexpected character', text.slice(at));
  }
  return position < 3 ? fault('IPv4 address too short') : undefined;
}

function ipv6Fault(text: string, fault: Fault): string {
  if (text.endsWith('%')) return fault('zone must be a non-empty string');
  const plain = text.replace(/%.*$/, '');
  if (/^:(?!:)/.test(plain)) return fault('each colon-separated field must have at least one digit', plain);
  const strange = /[^0-9a-fA-F:.]/.exec(plain);
  if (strange !== null) {
    const at = strange.index;
    const before = plain.charAt(at - 1);
    return before === ':' || at === 0
      ? fault('each colon-separated field must have at least one digit', plain.slice(at))
      : fault('unexpected character, want colon', plain.slice(at));
  }
  const long = /[0-9a-fA-F]{5,}/.exec(plain);
  if (long !== null) return fault('each group must have 4 or less digits', plain.slice(long.index));
  const groups = plain.split(':').length;
  if (groups > 8) return fault('trailing garbage after address', plain.split(':').slice(8).join(':'));
  if (plain.endsWith(':')) return fault('colon must be followed by more characters', ':');
  return fault('address string too short');
}

/** Likewise for a prefix like 10.0.0.0/8. */
export function prefixFault(text: string): string | undefined {
  const fault = (words: string): string => `netip.ParsePrefix(${JSON.stringify(text)}): ${words}`;
  const slash = text.lastIndexOf('/');
  if (slash === -1) return fault("no '/'");
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  const bad = addressFault(address);
  if (bad !== undefined) return fault(bad);
  if (address.includes('%')) return fault('IPv6 zones cannot be present in a prefix');
  if (bits.length > 1 && !/^[1-9]/.test(bits)) return fault(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (!/^\d+$/.test(bits)) return fault(`bad bits after slash: ${JSON.stringify(bits)}`);
  return Number(bits) > (address.includes(':') ? 128 : 32) ? fault('prefix length out of range') : undefined;
}

export function addressPortFault(text: string): string | undefined {
  const at = text.lastIndexOf(':');
  if (at === -1) return 'not an ip:port';
  const [host, port] = [text.slice(0, at), text.slice(at + 1)];
  if (host === '') return 'no IP';
  if (port === '') return 'no port';
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    return `invalid port ${JSON.stringify(port)} parsing ${JSON.stringify(text)}`;
  const bracketed = host.startsWith('[');
  if (bracketed && !host.endsWith(']')) return 'missing ]';
  const ip = bracketed ? host.slice(1, -1) : host;
  const fault = addressFault(ip);
  if (fault !== undefined) return fault;
  if (bracketed === ip.includes(':')) return undefined;
  return bracketed
    ? `invalid ip:port ${JSON.stringify(text)}, square brackets can only be used with IPv6 addresses`
    : `invalid ip:port ${JSON.stringify(text)}, IPv6 addresses must be surrounded by square brackets`;
}

export const isSubnetOrAddress = (text: string): boolean =>
  prefixFault(text) === undefined || addressFault(text) === undefined;

/** What Go’s older parser takes for an address: no zones. */
export const isPlainAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%');

export const isCidr = (text: string): boolean =>
  isPlainAddress(text.split('/')[0] ?? '') && prefixFault(text) === undefined;

/** Go’s words for a text that is no host and port; undefined for one that is. */
export function hostPortFault(text: string): string | undefined {
  const fault = (words: string): string => (text === '' ? words : `address ${text}: ${words}`);
  const last = text.lastIndexOf(':');
  if (last < 0) return fault('missing port in address');
  if (text.startsWith('[')) {
    const end = text.indexOf(']');
    if (end < 0) return fault("missing ']' in address");
    if (end + 1 === text.length) return fault('missing port in address');
    if (end + 1 !== last)
      return fault(text.charAt(end + 1) === ':' ? 'too many colons in address' : 'missing port in address');
    return undefined;
  }
  if (text.slice(0, last).includes(':')) return fault('too many colons in address');
  if (text.includes('[')) return fault("unexpected '[' in address");
  if (text.includes(']')) return fault("unexpected ']' in address");
  return undefined;
}
