import type { HostState } from '../../../src/lab/proxmox/host.ts';
import type { ProxmoxFault } from '../../../src/lab/proxmox/twin.ts';
import type { Unrecorded } from './happened.ts';

/** What happened between two rows without a request. */
export type Event = {
  /** Number of the row that it happened before. */
  readonly before: number;
  readonly host?: { readonly name: string; readonly state: HostState };
  /** How long nothing was asked, in seconds of that time. */
  readonly seconds?: number;
  /** It matters what else happened meanwhile. */
  readonly unhurried?: true;
  readonly fault?: ProxmoxFault;
  /** It happened right after hosts had told each other about their guests. */
  readonly told?: true;
};

const otherHost = (before: number, state: HostState, seconds = 0): Event => ({
  before,
  host: { name: 'pve-b', state },
  seconds,
});

/** The host was there, and its door was shut. */
const refusing = (before: number, match: string): Event => ({
  before,
  fault: { kind: 'refuse', match, status: 595, reason: 'Connection refused', times: 1 },
});

export const events: readonly Event[] = [
  { before: 1449, told: true },
  { before: 1565, told: true },
  { before: 1569, told: true },
  // The recorded hosts could not reach each other over ssh.
  {
    before: 1476,
    fault: { kind: 'fail-task', match: 'POST /nodes/*/qemu/*/migrate', reason: 'migration aborted', times: 1 },
  },
  otherHost(1497, 'frozen'),
  otherHost(1498, 'up'),
  otherHost(1499, 'frozen'),
  otherHost(1500, 'up'),
  refusing(1500, 'GET /nodes/pve-b/status'),
  refusing(1501, 'POST /nodes/pve-b/qemu/200/status/stop'),
  { before: 1503, told: true },
  otherHost(1503, 'cut off'),
  otherHost(1535, 'up', 20),
  { before: 1540, told: true },
  otherHost(1540, 'cut off', 60),
  { before: 1568, seconds: 60 },
  { before: 1600, seconds: 60 },
  { before: 1672, seconds: 60 },
  { before: 1679, seconds: 45 },
  { before: 1680, seconds: 30 },
  { before: 1684, seconds: 60 },
  { before: 1665, seconds: 400 },
  otherHost(1686, 'up', 20),
  { before: 1696, seconds: 5 },
  { before: 1740, seconds: 5 },
];

/** Resources that were gone again before the manager had looked. */
export const isQuick = (n: number): boolean => n >= 1482 && n <= 1493;

const pool = (before: number, method: 'POST' | 'DELETE', poolid: string, comment?: string): Unrecorded => ({
  before,
  method,
  ...(method === 'DELETE'
    ? { path: `/pools?poolid=${poolid}` }
    : { path: '/pools', form: { poolid, ...(comment === undefined ? {} : { comment }) } }),
});

const resource = (before: number, vmid: number): Unrecorded => ({
  before,
  method: 'POST',
  path: '/cluster/ha/resources',
  form: { sid: `vm:${vmid}`, state: 'stopped' },
});

const vm = (before: number, vmid: number, process: string): Unrecorded => ({
  before,
  method: 'POST',
  path: '/nodes/pve-a/qemu',
  form: { vmid, name: `ha${vmid}`, memory: 64 },
  auth: 'token root@pam!cl via pve-a',
  task: `UPID:pve-a:${process}:qmcreate:${vmid}:root@pam!cl:`,
});

/** Files that were cleaned up; which ones, nobody knows. */
const cleanup = (before: number, process: string): Unrecorded => ({
  before,
  method: 'DELETE',
  path: '/nodes/pve1/storage/local/content/iso%2Fsome.iso',
  auth: 'token root@pam!full',
  task: `UPID:pve1:${process}:imgdel:local:root@pam!full:`,
});

/** Requests about everything but VMs, and VMs that were made for them. */
export const unrecordedAround: readonly Unrecorded[] = [
  ...['eq', 'jsonpool', 'noct', 'plus', 'qq', 'qq2', 'semi', 'utf'].map((poolid) => pool(173, 'DELETE', poolid)),
  {
    before: 1155,
    method: 'PUT',
    path: '/pools',
    form: { poolid: 'talos', vms: 9999, storage: 'local,nosuch', delete: 1 },
  },
  { before: 1254, method: 'PUT', path: '/cluster/options', form: { delete: 'user-tag-access' } },
  pool(1726, 'POST', 'ghost'),
  pool(1729, 'POST', 'nul', 'keep'),
  vm(1690, 202, '0000033C:0007ACCA:6AFA413C'),
  vm(1692, 203, '00000344:0007AD25:6AFA413C'),
  vm(1738, 204, '00000461:00081D38:6AFA425B'),
  vm(1740, 205, '0000046A:00081D69:6AFA425C'),
  { before: 1738, method: 'DELETE', path: '/cluster/ha/rules/cp-spread' },
  resource(1742, 204),
  resource(1742, 205),
  cleanup(1778, '00001977:00088166:6AFA435C'),
  cleanup(1779, '0000197D:0008818B:6AFA435C'),
  cleanup(1780, '00001983:000881B0:6AFA435D'),
  cleanup(1781, '00001989:000881D6:6AFA435D'),
  cleanup(1782, '0000198F:000881FC:6AFA435D'),
  cleanup(1783, '00001995:00088223:6AFA435E'),
  cleanup(1784, '0000199B:00088249:6AFA435E'),
  cleanup(1785, '000019A1:00088271:6AFA435F'),
  cleanup(1786, '000019A7:00088298:6AFA435F'),
  cleanup(1787, '000019AD:000882C0:6AFA435F'),
  cleanup(1867, '00001C58:0008B757:6AFA43E6'),
];
