import { at, first, flag, needed, oneOf, parts, text } from './notation.ts';
import type { Api, Params, Permission } from './notation.ts';
import { digest, iface, keys, notNegative } from './values.ts';

const word = /[A-Za-z][A-Za-z0-9\-_]+/;
const name = text({ pattern: word, minLength: 2, maxLength: 64 });
const group = text({ pattern: word, minLength: 2, maxLength: 18 });
const action = text({ pattern: word, minLength: 2, maxLength: 20 });
const ruleType = oneOf(['in', 'out', 'forward', 'group']);
const logLevel = oneOf(['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug', 'nolog']);
const policy = oneOf(['ACCEPT', 'REJECT', 'DROP']);
const addresses = text({ format: 'pve-fw-addr-spec', maxLength: 512 });
const entry = text({ format: 'IPorCIDRorAlias' });
const refs: Params = { type: oneOf(['alias', 'ipset']) };

const rule: Params = {
  action,
  comment: text(),
  dest: addresses,
  digest,
  dport: text({ format: 'pve-fw-dport-spec' }),
  enable: notNegative,
  'icmp-type': text({ format: 'pve-fw-icmp-type-spec' }),
  iface,
  log: logLevel,
  macro: text({ maxLength: 128 }),
  pos: notNegative,
  proto: text({ format: 'pve-fw-protocol-spec' }),
  source: addresses,
  sport: text({ format: 'pve-fw-sport-spec' }),
  type: ruleType,
};
const newRule: Params = { ...rule, action: needed(action), type: needed(ruleType) };
const changedRule: Params = { ...rule, delete: keys, moveto: notNegative };

/** Rules of the cluster, of a security group or of a VM. */
const rulesAt = (path: string, read: Permission, write: Permission, own: Params = {}): Api => ({
  [`GET ${path}`]: { permission: read, params: own },
  [`POST ${path}`]: { permission: write, params: { ...own, ...newRule }, protected: true },
  [`GET ${path}/{pos}`]: { permission: read, params: { ...own, pos: notNegative } },
  [`PUT ${path}/{pos}`]: { permission: write, params: { ...own, ...changedRule }, protected: true },
  [`DELETE ${path}/{pos}`]: { permission: write, params: { ...own, digest, pos: notNegative }, protected: true },
});

/** Aliases and sets of addresses, of the cluster or of a VM. */
const namesAt = (path: string, read: Permission, write: Permission): Api => ({
  [`GET ${path}/aliases`]: { permission: read },
  [`POST ${path}/aliases`]: {
    permission: write,
    params: { cidr: needed(text({ format: 'IPorCIDR' })), comment: text(), name: needed(name) },
    protected: true,
  },
  [`GET ${path}/aliases/{name}`]: { permission: read, params: { name: needed(name) } },
  [`PUT ${path}/aliases/{name}`]: {
    permission: write,
    params: {
      cidr: needed(text({ format: 'IPorCIDR' })),
      comment: text(),
      digest,
      name: needed(name),
      rename: name,
    },
    protected: true,
  },
  [`DELETE ${path}/aliases/{name}`]: { permission: write, params: { digest, name: needed(name) }, protected: true },
  [`GET ${path}/ipset`]: { permission: read },
  [`POST ${path}/ipset`]: {
    permission: write,
    params: { comment: text(), digest, name: needed(name), rename: name },
    protected: true,
  },
  [`GET ${path}/ipset/{name}`]: { permission: read, params: { name: needed(name) } },
  [`POST ${path}/ipset/{name}`]: {
    permission: write,
    params: { cidr: needed(entry), comment: text(), name: needed(name), nomatch: flag() },
    protected: true,
  },
  [`DELETE ${path}/ipset/{name}`]: {
    permission: write,
    params: { force: flag(), name: needed(name) },
    protected: true,
  },
  [`GET ${path}/ipset/{name}/{cidr}`]: {
    permission: read,
    params: { cidr: needed(entry), name: needed(name) },
    protected: true,
  },
  [`PUT ${path}/ipset/{name}/{cidr}`]: {
    permission: write,
    params: { cidr: needed(entry), comment: text(), digest, name: needed(name), nomatch: flag() },
    protected: true,
  },
  [`DELETE ${path}/ipset/{name}/{cidr}`]: {
    permission: write,
    params: { cidr: needed(entry), digest, name: needed(name) },
    protected: true,
  },
  [`GET ${path}/refs`]: { permission: read, params: refs },
});

const clusterRead = at('/', 'Sys.Audit');
const clusterWrite = at('/', 'Sys.Modify');
const vm = '/nodes/{node}/qemu/{vmid}/firewall';
const vmRead = at('/vms/{vmid}', 'VM.Audit');
const vmWrite = at('/vms/{vmid}', 'VM.Config.Network');
const groups = '/cluster/firewall/groups';

/** The firewall of the cluster and of its VMs. */
export const firewall: Api = {
  'GET /cluster/firewall': { permission: 'all' },
  ...namesAt('/cluster/firewall', clusterRead, clusterWrite),
  ...rulesAt('/cluster/firewall/rules', clusterRead, clusterWrite),
  [`GET ${groups}`]: { permission: 'all' },
  [`POST ${groups}`]: {
    permission: clusterWrite,
    params: { comment: text(), digest, group: needed(group), rename: group },
    protected: true,
  },
  ...rulesAt(`${groups}/{group}`, clusterRead, clusterWrite, { group: needed(group) }),
  [`DELETE ${groups}/{group}`]: { permission: clusterWrite, params: { group: needed(group) }, protected: true },
  'GET /cluster/firewall/macros': { permission: 'all' },
  'GET /cluster/firewall/options': { permission: clusterRead },
  'PUT /cluster/firewall/options': {
    permission: clusterWrite,
    params: {
      delete: keys,
      digest,
      ebtables: flag(),
      enable: notNegative,
      log_ratelimit: parts({
        burst: notNegative,
        enable: needed(first(flag())),
        rate: text({ pattern: /[1-9][0-9]*\/(second|minute|hour|day)/ }),
      }),
      policy_forward: oneOf(['ACCEPT', 'DROP']),
      policy_in: policy,
      policy_out: policy,
    },
    protected: true,
  },
  [`GET ${vm}`]: { permission: 'all' },
  ...namesAt(vm, vmRead, vmWrite),
  ...rulesAt(`${vm}/rules`, vmRead, vmWrite),
  [`GET ${vm}/log`]: {
    permission: at('/vms/{vmid}', 'VM.Console'),
    params: { limit: notNegative, since: notNegative, start: notNegative, until: notNegative },
    protected: true,
    proxied: true,
  },
  [`GET ${vm}/options`]: { permission: vmRead, proxied: true },
  [`PUT ${vm}/options`]: {
    permission: vmWrite,
    params: {
      delete: keys,
      dhcp: flag(),
      digest,
      enable: flag(),
      ipfilter: flag(),
      log_level_in: logLevel,
      log_level_out: logLevel,
      macfilter: flag(),
      ndp: flag(),
      policy_in: policy,
      policy_out: policy,
      radv: flag(),
    },
    protected: true,
    proxied: true,
  },
};
