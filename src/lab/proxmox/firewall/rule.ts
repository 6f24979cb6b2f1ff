import { died, wrongParameters } from '../refusal.ts';
import { aliasIn, ipVersionOf, type IpVersion } from './addresses.ts';
import type { FirewallFile, Row, Rule } from './file.ts';
import { macroNamed } from './macros.ts';

/** Where a rule stands; not everything is allowed everywhere. */
export type RuleHome = 'cluster' | 'group' | 'vm';

/** What a rule may refer to. */
export type Neighbourhood = { readonly cluster: FirewallFile; readonly own: FirewallFile; readonly home: RuleHome };

const properties = [
  'type',
  'action',
  'macro',
  'iface',
  'source',
  'dest',
  'proto',
  'enable',
  'sport',
  'dport',
  'icmp-type',
  'log',
  'comment',
];

/** Takes over what was given; nothing, or a dash, takes it away. */
export function fillRule(rule: Rule, text: (name: string) => string | undefined): void {
  for (const key of properties) {
    const value = text(key);
    if (value === '' || value === '-') rule.delete(key);
    else if (value !== undefined) rule.set(key, key === 'enable' && value !== '0' ? '1' : value);
  }
}

export function stripRule(rule: Rule, keys: readonly string[]): void {
  for (const key of keys) {
    if (!properties.includes(key)) throw wrongParameters({ delete: `no such property ('${key}')` });
    if (key === 'type' || key === 'action') throw died(`unable to delete required property '${key}'`);
    rule.delete(key);
  }
}

const types: Readonly<Record<RuleHome, readonly string[]>> = {
  cluster: ['in', 'out', 'forward', 'group'],
  group: ['in', 'out', 'forward'],
  vm: ['in', 'out', 'group'],
};

/** Refuses what no single property of a rule can tell. */
export function mustBeRight(rule: Rule, where: Neighbourhood): void {
  checkKind(rule, where.home);
  checkInterface(rule, where.home);
  checkMacro(rule);
  checkPorts(rule);
  checkAddresses(rule, where);
}

const wrong = (name: string, words: string) => wrongParameters({ [name]: words });

function checkKind(rule: Rule, home: RuleHome): void {
  const [type, action] = [rule.get('type') ?? '', rule.get('action') ?? ''];
  if (type === '') throw wrong('type', 'missing property');
  if (action === '') throw wrong('action', 'missing property');
  if (!types[home].includes(type)) throw wrong('type', `invalid rule type '${type}' for rule_env '${home}'`);
  if (type === 'group') {
    if (!/^[A-Za-z][A-Za-z0-9\-_]+$/.test(action)) throw wrong('action', 'invalid characters in security group name');
    return;
  }
  if (type === 'forward' && action === 'REJECT') throw wrong('action', 'cannot define REJECT rules on forward chain');
  if (!['ACCEPT', 'DROP', 'REJECT'].includes(action)) throw wrong('action', `unknown action '${action}'`);
}

function checkInterface(rule: Rule, home: RuleHome): void {
  const iface = rule.get('iface');
  if (iface === undefined) return;
  if (home === 'group') throw wrong('type', 'parameter -i not allowed for this rule type');
  if (home === 'vm' && !/^net\d+$/.test(iface))
    throw wrong('iface', String.raw`value does not match the regex pattern 'net\d+'`);
}

function checkMacro(rule: Rule): void {
  const macro = rule.get('macro');
  if (macro === undefined) return;
  const known = macroNamed(macro);
  if (known === undefined) throw wrong('macro', `unknown macro '${macro}'`);
  rule.set('macro', known);
}

const withPorts = ['udp', '17', 'udplite', '136', 'tcp', '6', 'dccp', '33', 'sctp', '132'];
const icmp = ['icmp', '1', 'icmpv6', 'ipv6-icmp', '58'];

function checkPorts(rule: Rule): void {
  const proto = rule.get('proto');
  for (const key of ['dport', 'sport']) {
    if (!rule.has(key)) continue;
    if (proto === undefined) throw wrong('proto', `missing property - '${key}' requires this property`);
    if (!withPorts.includes(proto) && !(key === 'dport' && icmp.includes(proto)))
      throw wrong(key, `protocol '${proto}' does not support ports`);
  }
  if (!rule.has('icmp-type')) return;
  if (proto === undefined || !icmp.includes(proto))
    throw wrong('proto', "missing property - 'icmp-type' requires this property");
  if (rule.has('dport')) throw wrong('icmp-type', "'icmp-type' cannot be specified together with 'dport'");
}

function checkAddresses(rule: Rule, where: Neighbourhood): void {
  for (const key of ['source', 'dest']) {
    const value = rule.get(key);
    if (value === undefined) continue;
    const set = /^\+(?:guest\/|dc\/|sdn\/)?([A-Za-z][A-Za-z0-9\-_]+)$/.exec(value)?.[1];
    if (value.startsWith('+')) {
      if (set === undefined) throw wrong(key, `invalid ipset name '${value}'`);
      if (!where.cluster.ipsets.has(set) && !where.own.ipsets.has(set)) throw wrong(key, `no such ipset '${set}'`);
    }
    const alias = aliasIn(value);
    if (alias !== undefined && !where.cluster.aliases.has(alias.name) && !where.own.aliases.has(alias.name))
      throw wrong(key, `no such alias '${value}'`);
  }
  versionOf(rule, where);
}

/** Of everything in the rule that has one. */
function versionOf(rule: Rule, where: Neighbourhood): IpVersion | undefined {
  let version: IpVersion | undefined;
  const proto = rule.get('proto');
  const found = [
    proto === 'icmp' ? 4 : proto === 'icmpv6' || proto === 'ipv6-icmp' ? 6 : undefined,
    addressVersion(rule.get('source'), where),
    addressVersion(rule.get('dest'), where),
  ];
  for (const each of found) {
    if (each === undefined) continue;
    if (version !== undefined && each !== version) throw died('detected mixed ipv4/ipv6 addresses in rule');
    version = each as IpVersion;
  }
  return version;
}

function addressVersion(text: string | undefined, { cluster, own }: Neighbourhood): IpVersion | undefined {
  if (text === undefined) return undefined;
  const alias = aliasIn(text);
  if (alias === undefined) return ipVersionOf(text);
  const known = (alias.scope === 'dc/' ? undefined : own.aliases.get(alias.name)) ?? cluster.aliases.get(alias.name);
  return ipVersionOf(known?.cidr ?? '');
}

/** A rule as it is shown; its place is not part of what its digest is made of. */
export function ruleRow(rule: Rule, where: Neighbourhood): Row {
  return {
    ...Object.fromEntries(rule),
    enable: Number(rule.get('enable') ?? 1),
    ipversion: versionOf(rule, where),
  };
}
