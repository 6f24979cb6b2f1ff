import { expect, test } from 'vitest';
import { groupName, setName } from './names.ts';
import { rulesOf, type Caller } from './table.ts';

const setOf = (caller: Caller): string | undefined => (caller === 'everybody' ? undefined : `+${caller}`);
const shown = (role: 'control-plane' | 'worker', sets = setOf) =>
  rulesOf(role, sets).map(
    ({ proto, dport, source, comment }) => `${comment}: ${proto} ${dport ?? ''} ${source ?? 'everybody'}`,
  );

const both = [
  'ichor: kubelet: tcp 10250 +ours',
  'ichor: flannel: udp 4789 +ours',
  'ichor: cilium: udp 8472 +ours',
  'ichor: cilium-health: tcp 4240 +ours',
  'ichor: hubble: tcp 4244 +ours',
  'ichor: wireguard: udp 51871 +ours',
  'ichor: kubespan: udp 51820 everybody',
  'ichor: metallb: tcp 7946 +ours',
  'ichor: metallb: udp 7946 +ours',
];
const ping = ['ichor: ping: icmp  everybody', 'ichor: ping: ipv6-icmp  everybody'];

test('a control plane is reached by its APIs, and etcd by control planes alone', () => {
  expect(shown('control-plane')).toEqual([
    'ichor: apid: tcp 50000 +management',
    'ichor: apid: tcp 50000 +ours',
    'ichor: trustd: tcp 50001 +ours',
    'ichor: kube-apiserver: tcp 6443 +management',
    'ichor: kube-apiserver: tcp 6443 +ours',
    'ichor: etcd: tcp 2379:2380 +control planes',
    ...both,
    ...ping,
  ]);
});

test('a worker is reached by what it serves', () => {
  expect(shown('worker')).toEqual([
    'ichor: apid: tcp 50000 +management',
    'ichor: apid: tcp 50000 +ours',
    ...both,
    'ichor: web: tcp 80,443 everybody',
    'ichor: node-ports: tcp 30000:32767 everybody',
    'ichor: node-ports: udp 30000:32767 everybody',
    ...ping,
  ]);
});

test('where management is everybody, one rule says it', () => {
  const open = (caller: Caller): string | undefined => (caller === 'management' ? undefined : setOf(caller));
  expect(shown('worker', open).filter((rule) => rule.includes('apid'))).toEqual(['ichor: apid: tcp 50000 everybody']);
});

test('names fit into the 18 signs of a security group, whatever the platform is called', () => {
  const long = 'a'.repeat(63);
  expect(groupName(long, 'control-plane')).toMatch(/^ichor-[0-9a-f]{8}-cp$/);
  expect(groupName(long, 'worker').length).toBeLessThanOrEqual(18);
  expect(new Set([groupName('a', 'worker'), groupName('b', 'worker'), setName('a', 'ours')]).size).toBe(3);
});
