import { decodeBase64 } from '../go/base64.ts';
import { addressFault, prefixFault } from '../go/net.ts';
import { durationText } from '../go/numbers.ts';
import type { Values } from '../reading.ts';
import { endpointFilterFaults } from './machine-parts.ts';
import { numberAt, quote, section, sectionsAt, textAt, textsAt, type Report } from './report.ts';

export type DocumentRule = (document: Values, report: Report) => void;

/** Kinds whose documents describe the same link, when they have the same name. */
export const linkKinds = [
  'BondConfig',
  'BridgeConfig',
  'DummyLinkConfig',
  'LinkConfig',
  'VLANConfig',
  'VRFConfig',
  'WireguardConfig',
] as const;

const needsName: DocumentRule = (document, { errors }) => {
  if (textAt(document, 'name') === '') errors.push('name must be specified');
};

const zeroAddress = /^(?:0\.0\.0\.0|[0:]+)(?:\/\d+)?$/;

const link: DocumentRule = (document, { errors }) => {
  sectionsAt(document, 'addresses').forEach((entry, at) => {
    const address = entry?.['address'] as string | undefined;
    if (address === undefined) errors.push(`address ${at} must be specified`);
    else if (zeroAddress.test(address)) errors.push(`address ${at} must be a valid IP address`);
  });
  sectionsAt(document, 'routes').forEach((route, at) => {
    const zero = (key: string): boolean => zeroAddress.test(textAt(route ?? undefined, key));
    if (zero('destination')) errors.push(`route ${at} destination must be a valid IP prefix`);
    if (zero('gateway')) errors.push(`route ${at} gateway must be a valid IP address`);
    if (zero('source')) errors.push(`route ${at} source must be a valid IP address`);
  });
};

const bond: DocumentRule = (document, { errors, warnings }) => {
  if (textsAt(document, 'links').length === 0) errors.push('at least one link must be specified');
  if (document['bondMode'] === undefined) errors.push('bond mode must be specified');
  if (document['bondMode'] !== '802.3ad') return;
  for (const key of ['miimon', 'updelay', 'downdelay'])
    if (document[key] === undefined) warnings.push(`${key} was not specified for 802.3ad bond`);
};

const vlan: DocumentRule = (document, { errors }) => {
  const id = numberAt(document, 'vlanID');
  if (id === 0 || id > 4094) errors.push('vlanID must be specified and between 1 and 4094');
  if (textAt(document, 'parent') === '') errors.push('parent must be specified');
};

const vrf: DocumentRule = (document, { errors }) => {
  const table = (document['table'] as string | undefined) ?? 'unspec';
  if (['unspec', 'local', 'main', 'default'].includes(table))
    errors.push(`cannot create vrf with reserved table ${table}`);
};

function keyFault(key: string): string | undefined {
  const raw = decodeBase64(key);
  if (typeof raw === 'string') return raw;
  return raw.length === 32 ? undefined : 'invalid wireguard key length';
}

const wireguard: DocumentRule = (document, { errors }) => {
  const own = textAt(document, 'privateKey');
  const fault = keyFault(own);
  if (own === '') errors.push('wireguard private key must be specified');
  else if (fault !== undefined) errors.push(`wireguard private key is invalid: ${fault}`);
  const port = numberAt(document, 'listenPort');
  if (port < 0 || port > 65_535) errors.push('wireguard listen port must be between 0 and 65535');
  sectionsAt(document, 'peers').forEach((peer, at) => errors.push(...peerFaults(peer ?? {}, at)));
};

function peerFaults(peer: Values, at: number): readonly string[] {
  const place = `(peer index ${at})`;
  const [key, shared] = [textAt(peer, 'publicKey'), textAt(peer, 'presharedKey')];
  const [bad, badShared] = [keyFault(key), keyFault(shared)];
  const keepalive = (peer['persistentKeepaliveInterval'] as bigint | undefined) ?? 0n;
  return [
    ...(key === '' ? [`wireguard peer public key must be specified ${place}`] : []),
    ...(key !== '' && bad !== undefined ? [`wireguard peer public key is invalid ${place}: ${bad}`] : []),
    ...(shared !== '' && badShared !== undefined
      ? [`wireguard peer preshared key is invalid ${place}: ${badShared}`]
      : []),
    ...(keepalive < 0n ? [`wireguard peer persistent keepalive interval cannot be negative ${place}`] : []),
  ];
}

const dhcp: DocumentRule = (document, { errors }) => {
  const [raw, duid] = [document['duidRaw'] !== undefined, document['clientIdentifier'] === 'duid'];
  if (raw && !duid) errors.push("duidRaw can only be set if clientIdentifier is 'duid'");
  if (duid && !raw) errors.push("duidRaw must be set if clientIdentifier is 'duid'");
};

const vip: DocumentRule = (document, { errors }) => {
  const name = textAt(document, 'name');
  const fault = addressFault(name);
  if (name === '') errors.push('name must be specified');
  else if (fault !== undefined) errors.push(`name must be a valid IP address: ${fault}`);
  if (textAt(document, 'link') === '') errors.push('link must be specified');
};

const staticHost: DocumentRule = (document, { errors }) => {
  if (textAt(document, 'name') === '') errors.push('name is required');
  if (addressFault(textAt(document, 'name')) !== undefined) errors.push('name must be a valid IP address');
  if (textsAt(document, 'hostnames').length === 0) errors.push('at least one hostname is required');
};

const linkAlias: DocumentRule = (document, { errors }) => {
  const name = textAt(document, 'name');
  const [before = '', ...after] = name.split('%');
  if (name === '') errors.push('name must be specified');
  else if (name.includes('%') && (after.join('%') !== 'd' || before === ''))
    errors.push(`name ${quote(name)} contains an invalid format verb, use %d suffix`);
  if (section(document, 'selector')?.['match'] === undefined) errors.push('link selector is required');
};

const blackhole: DocumentRule = (document, { errors }) => {
  const name = textAt(document, 'name');
  const fault = prefixFault(name);
  if (name === '') errors.push('name must be specified');
  if (fault !== undefined) errors.push(`name must be a valid address prefix: ${fault}`);
};

const reserved = [0, 32_500, 32_766, 32_767];

const routingRule: DocumentRule = (document, { errors }) => {
  const name = textAt(document, 'name');
  const whole = /^\d+$/.test(name);
  const fits = whole && Number(name) < 2 ** 32;
  if (name === '') errors.push('name must be specified');
  if (!fits)
    errors.push(
      `invalid name: must be priority parsable unsigned integer: strconv.ParseUint: parsing ${quote(name)}: ${whole ? 'value out of range' : 'invalid syntax'}`,
    );
  const priority = fits ? Number(name) : whole ? 2 ** 32 - 1 : 0;
  if (reserved.includes(priority))
    errors.push(`priority must be between 1 and 32765 (excluding reserved priorities [${reserved.join(' ')}])`);
  const [table, action] = [
    (document['table'] as string | undefined) ?? 'unspec',
    (document['action'] as string | undefined) ?? 'unspec',
  ];
  if (table === 'unspec' && ['unspec', 'unicast'].includes(action))
    errors.push('either table or a non-unicast action must be specified');
  if (numberAt(document, 'fwMask') !== 0 && numberAt(document, 'fwMark') === 0)
    errors.push('fwMask requires fwMark to be set');
};

type Range = { readonly lo: number; readonly hi: number };
const rangeText = ({ lo, hi }: Range): string => `${lo}-${hi}`;

function portsFault(ports: readonly Range[]): string | undefined {
  const sorted = ports.toSorted((a, b) => a.lo - b.lo);
  for (const [at, range] of sorted.entries()) {
    const before = sorted[at - 1];
    if (range.lo > range.hi) return `invalid port range: ${rangeText(range)}`;
    if (before !== undefined && range.lo <= before.hi)
      return `invalid port range: ${rangeText(range)}, overlaps with ${rangeText(before)}`;
  }
  return undefined;
}

const networkRule: DocumentRule = (document, { errors }) => {
  const ports = (section(document, 'portSelector')?.['ports'] as readonly Range[] | undefined) ?? [];
  const overlap = portsFault(ports);
  const open = sectionsAt(document, 'ingress').some((rule) => rule?.['subnet'] === undefined);
  if (textAt(document, 'name') === '') errors.push('name is required');
  else if (ports.length === 0) errors.push('portSelector.ports is required');
  else if (overlap !== undefined) errors.push(overlap);
  else if (open) errors.push('invalid subnet: invalid Prefix');
};

const kubeSpan: DocumentRule = (document, { errors }) => {
  const mtu = document['mtu'];
  if (mtu !== undefined && Number(mtu) < 1280) errors.push('kubespan link MTU must be at least 1280');
  errors.push(...endpointFilterFaults(textsAt(section(document, 'filters'), 'endpoints'), 13));
};

const timeSync: DocumentRule = (document, { errors }) => {
  if (((document['bootTimeout'] as bigint | undefined) ?? 0n) < 0n) errors.push('bootTimeout cannot be negative');
  if (section(document, 'ntp') !== undefined && section(document, 'ptp') !== undefined)
    errors.push('only one of ntp or ptp configuration can be specified');
};

const tcpProbe: DocumentRule = (document, { errors }) => {
  const [timeout, interval] = [document['timeout'], document['interval']] as (bigint | undefined)[];
  if (textAt(document, 'name') === '') errors.push('probe name is required');
  if (textAt(document, 'endpoint') === '') errors.push('TCP probe endpoint is required');
  if (timeout !== undefined && timeout < 0n)
    errors.push(`TCP probe timeout cannot be negative: ${durationText(timeout)}`);
  if (interval !== undefined && interval < 0n)
    errors.push(`probe interval cannot be negative: ${durationText(interval)}`);
  const threshold = numberAt(document, 'failureThreshold');
  if (threshold < 0) errors.push(`probe failure threshold cannot be negative: ${threshold}`);
};

const hcloudToken: DocumentRule = (document, { errors }) => {
  if (textAt(document, 'apiToken') === '') errors.push('apiToken must be specified');
};

const ethernet: DocumentRule = (document, { errors }) => {
  if (textAt(document, 'name') === '') errors.push('name is required');
};

/** Rules of each kind, in the order in which their words come. */
export const networkRules: Readonly<Record<string, readonly DocumentRule[]>> = {
  LinkConfig: [needsName, link],
  DummyLinkConfig: [needsName, link],
  BridgeConfig: [needsName, link],
  BondConfig: [needsName, bond, link],
  VLANConfig: [needsName, vlan, link],
  VRFConfig: [needsName, vrf, link],
  WireguardConfig: [needsName, wireguard, link],
  DHCPv4Config: [needsName, dhcp],
  DHCPv6Config: [needsName, dhcp],
  Layer2VIPConfig: [vip],
  HCloudVIPConfig: [vip, hcloudToken],
  StaticHostConfig: [staticHost],
  LinkAliasConfig: [linkAlias],
  BlackholeRouteConfig: [blackhole],
  RoutingRuleConfig: [routingRule],
  NetworkRuleConfig: [networkRule],
  KubeSpanConfig: [kubeSpan],
  TimeSyncConfig: [timeSync],
  TCPProbeConfig: [tcpProbe],
  EthernetConfig: [ethernet],
};
