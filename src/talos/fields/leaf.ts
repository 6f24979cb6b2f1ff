import { parseAddress, parseCidr } from '../../model/ip.ts';
import type { Value } from '../config/document.ts';

/** Text that Talos parses further. */
export type Leaf = {
  /** The end of the sentence "it must be …". */
  readonly wants: string;
  readonly accepts: (text: string) => boolean;
  /** Values that say no more than an absent one, where the field cannot be absent. */
  readonly zero?: (text: string) => boolean;
  /** A field that a merge cannot reach: Talos refuses a patch for a document that is there already. */
  readonly sealed?: 'always' | 'when-both';
  /** How two values become one; where nothing is said the patch wins. */
  readonly merge?: (left: Value | undefined, right: Value | undefined) => Value | undefined;
};

const oneOf = (...words: readonly string[]): Leaf => ({
  wants: `one of ${words.join(', ')}`,
  accepts: (text) => words.includes(text.toLowerCase()),
  zero: (text) => text.toLowerCase() === words[0],
});

/** The same, for lists whose first word is not their zero. */
const anyOf = (...words: readonly string[]): Leaf => ({ ...oneOf(...words), zero: () => false });

const address: Leaf = { wants: 'an IP address', accepts: (text) => parseAddress(bare(text)) !== undefined };
const prefix: Leaf = { wants: 'a network such as 10.0.0.0/24', accepts: (text) => parseCidr(text) !== undefined };
const addressPort: Leaf = {
  wants: 'an IP address with a port',
  accepts: (text) => {
    const [, host = '', port = ''] = /^\[?([0-9a-fA-F:.%\w]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
    return (
      parseAddress(bare(host)) !== undefined && Number(port) <= 65_535 && host.includes(':') === text.startsWith('[')
    );
  },
};

/** Without the zone of an IPv6 address. */
const bare = (text: string): string => (text.includes(':') ? text.replace(/%.+$/, '') : text);

const unit = '(?:[kmgtpe]i?b?|b)?';
const byteSize = new RegExp(`^[0-9][0-9,]*(?:\\.[0-9]*)?\\s*${unit}$`, 'i');
const isByteSize = (text: string): boolean => text === '' || byteSize.test(text.replace(/^-/, ''));
const isPercentage = (text: string): boolean =>
  /^-?\d+(?:\.\d+)?%$/.test(text) && Number.parseFloat(text.replace('-', '')) <= 100;

const takesTheirs = (_: Value | undefined, right: Value | undefined): Value | undefined => right;

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const isBase64 = (text: string): boolean => base64.test(text.replace(/[\r\n]/g, ''));

const duration = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

const url: Leaf = {
  wants: 'a URL',
  accepts: (text) => urlParts(text) !== undefined,
  zero: (text) => text === '',
  merge: (left, right) => {
    if (typeof right !== 'string' || right === '') return left;
    if (typeof left !== 'string' || left === '') return right;
    return mergedUrl(left, right);
  },
};

const orEmpty =
  ({ accepts }: Leaf) =>
  (text: string): boolean =>
    text === '' || accepts(text);

const argument: Leaf = { wants: 'text or a list of texts', accepts: () => true };

/** Values of arguments: a patch replaces each whole, whether it is text or a list. */
export const isArgument = (name: string): boolean => leaves[name] === argument;

const leaves: Readonly<Record<string, Leaf>> = {
  bytes: { wants: 'text', accepts: () => true },
  'time.Duration': {
    wants: 'a duration such as 1h30m',
    accepts: (text) => duration.test(text),
    zero: (text) => !/[1-9]/.test(text),
  },
  'block.ByteSize': { wants: 'a size such as 10GiB', accepts: isByteSize, merge: takesTheirs },
  'block.PercentageSize': { wants: 'a percentage', accepts: isPercentage, merge: takesTheirs },
  'block.Size': {
    wants: 'a size such as 10GiB or 50%',
    accepts: (text) => (text.includes('%') ? isPercentage(text) : isByteSize(text)),
    zero: (text) => text === '',
    // Talos keeps the two kinds in two places and writes bytes first.
    merge: (left, right) => {
      if (right === undefined || right === '') return left;
      const keepsBytes =
        typeof left === 'string' &&
        left !== '' &&
        !left.includes('%') &&
        typeof right === 'string' &&
        right.includes('%');
      return keepsBytes ? left : right;
    },
  },
  'block.EncryptionProviderType': oneOf('none', 'luks2'),
  'block.FilesystemType': oneOf('none', 'xfs', 'vfat', 'ext4', 'iso9660', 'swap', 'virtiofs'),
  'block.VolumeType': oneOf('partition', 'disk', 'tmpfs', 'directory', 'symlink', 'overlay', 'external'),
  'cel.Expression': { wants: 'a CEL expression', accepts: () => true, merge: takesTheirs },
  'meta.Addr': { ...address, accepts: orEmpty(address), zero: (text) => text === '' },
  'meta.AddrPort': { ...addressPort, accepts: orEmpty(addressPort), zero: (text) => text === '' },
  'meta.Prefix': { ...prefix, accepts: orEmpty(prefix), zero: (text) => text === '' },
  'meta.ArgValue': argument,
  'meta.URL': url,
  'v1alpha1.Endpoint': url,
  'nethelpers.ADLACPActive': oneOf('off', 'on'),
  'nethelpers.ADSelect': oneOf('stable', 'bandwidth', 'count'),
  'nethelpers.ARPAllTargets': oneOf('any', 'all'),
  'nethelpers.ARPValidate': oneOf('none', 'active', 'backup', 'all', 'filter', 'filter-active', 'filter-backup'),
  'nethelpers.AutoHostnameKind': oneOf('off', 'talos-addr', 'stable'),
  'nethelpers.BondMode': oneOf(
    'balance-rr',
    'active-backup',
    'balance-xor',
    'broadcast',
    '802.3ad',
    'balance-tlb',
    'balance-alb',
  ),
  'nethelpers.BondXmitHashPolicy': oneOf('layer2', 'layer3+4', 'layer2+3', 'encap2+3', 'encap3+4'),
  'nethelpers.ClientIdentifier': oneOf('none', 'mac', 'duid'),
  'nethelpers.DNSProtocol': oneOf('do53', 'dot', 'doh'),
  'nethelpers.DefaultAction': oneOf('accept', 'block'),
  'nethelpers.FailOverMAC': oneOf('none', 'active', 'follow', '0', '1', '2'),
  'nethelpers.HardwareAddr': {
    wants: 'a hardware address',
    accepts: (text) => /^(?:[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2})*)?$/.test(text),
  },
  'nethelpers.LACPRate': oneOf('slow', 'fast'),
  'nethelpers.PrimaryReselect': oneOf('always', 'better', 'failure'),
  'nethelpers.Protocol': anyOf('icmp', 'tcp', 'udp', 'icmpv6'),
  'nethelpers.RoutingRuleAction': oneOf('unspec', 'unicast', 'blackhole', 'unreachable', 'prohibit'),
  'nethelpers.RoutingTable': {
    wants: 'main, local, default or a number from 1 to 255',
    accepts: (text) =>
      ['unspec', 'main', 'local', 'default'].includes(text.toLowerCase()) ||
      (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= 255),
    zero: (text) => text.toLowerCase() === 'unspec',
  },
  'nethelpers.VLANProtocol': anyOf('802.1q', '802.1ad'),
  'nethelpers.WOLMode': anyOf('phy', 'unicast', 'multicast', 'broadcast', 'arp', 'magic', 'magicsecure', 'filter'),
  'netip.Addr': { ...address, accepts: orEmpty(address) },
  'netip.AddrPort': { ...addressPort, accepts: orEmpty(addressPort) },
  'netip.Prefix': { ...prefix, accepts: orEmpty(prefix) },
  'network.Addr': { ...address, accepts: orEmpty(address), sealed: 'always' },
  'network.AddrPort': { ...addressPort, accepts: orEmpty(addressPort), sealed: 'always' },
  'network.Prefix': { ...prefix, accepts: orEmpty(prefix), sealed: 'always' },
  'storage.LVMLogicalVolumeType': oneOf('linear', 'raid1', 'raid0', 'raid10'),
  'storage.MDLevel': oneOf('raid1'),
  'storage.MDMetadata': oneOf('1.0', '1.2'),
  'v1alpha1.ArgValue': argument,
  'v1alpha1.Base64Bytes': { wants: 'base64', accepts: isBase64 },
  'v1alpha1.DiskSize': {
    wants: 'a size such as 10GB',
    accepts: (text) => byteSize.test(text),
    zero: (text) => Number.parseFloat(text) === 0,
  },
  'v1alpha1.InstallDiskSizeMatcher': {
    wants: 'a size condition such as ">= 20GB"',
    accepts: (text) =>
      byteSize.test(
        text
          .trim()
          .replace(/^(?:>=|<=|>|<|==)/, '')
          .trim(),
      ),
    sealed: 'when-both',
  },
  'v1alpha1.InstallDiskType': { wants: 'ssd, hdd, nvme or sd', accepts: () => true, zero: (text) => text === '' },
  'network.PortRange': {
    wants: 'a port, or a range such as "8000-8010"',
    accepts: (text) => /^\d{1,5}(?:-\d{1,5})?$/.test(text) && text.split('-').every((port) => Number(port) <= 65_535),
  },
  'x509.PEMEncodedCertificate': { wants: 'a mapping with crt in base64', accepts: isBase64 },
  'x509.PEMEncodedCertificateAndKey': { wants: 'a mapping with crt and key in base64', accepts: isBase64 },
  'x509.PEMEncodedKey': { wants: 'a mapping with key in base64', accepts: isBase64 },
};

/** Leaves that are mappings of base64, read whole: a patch with one half clears the other. */
export const pemFields: Readonly<Record<string, readonly string[]>> = {
  'x509.PEMEncodedCertificate': ['crt'],
  'x509.PEMEncodedCertificateAndKey': ['crt', 'key'],
  'x509.PEMEncodedKey': ['key'],
};

export function leafNamed(name: string): Leaf {
  const leaf = leaves[name];
  if (leaf === undefined) throw new Error(`Nothing is known about ${name}.`);
  return leaf;
}

type UrlParts = {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
};

function urlParts(text: string): UrlParts | undefined {
  // eslint-disable-next-line no-control-regex -- what Go refuses
  if (/[\u0000-\u0020\u007f]/.test(text) || /%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/.exec(
    text,
  );
  if (!match) return undefined;
  const [, scheme = '', user, host = '', path = '', query = '', fragment = ''] = match;
  if (!/^(?:\[[0-9a-fA-F:.%]+\]|[^:[\]]*)(?::\d*)?$/.test(host)) return undefined;
  return { scheme, user, host, path, query, fragment };
}

/** Talos merges the parts of a URL one by one: what the patch leaves out stays, also a path. */
function mergedUrl(left: string, right: string): string | undefined {
  const [ours, theirs] = [urlParts(left), urlParts(right)];
  if (!ours || !theirs) return right;
  if (ours.user !== undefined && theirs.user !== undefined) throw new SealedError();
  const user = theirs.user ?? ours.user;
  const query = theirs.query.length > 1 ? theirs.query : ours.query || theirs.query;
  const fragment = theirs.fragment.length > 1 ? theirs.fragment : ours.fragment;
  const path = (theirs.path || ours.path).replace(/^(?=[^/])/, '/');
  const host = `${user === undefined ? '' : `${user}@`}${theirs.host || ours.host}`;
  return `${theirs.scheme || ours.scheme}://${host}${path}${query}${fragment}`;
}

/** Two values that Talos cannot merge. */
export class SealedError extends Error {}
