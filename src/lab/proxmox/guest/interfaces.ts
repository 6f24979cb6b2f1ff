import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Boot } from '../../talos/node/boot.ts';
import type { Machine } from '../../talos/node/machine.ts';
import type { GuestInterface } from '../guest.ts';
import { kernelAddresses, linkLocal } from './ipv6.ts';

type Address = GuestInterface['addresses'][number];

const of = (address: string, prefix: number): Address => ({
  address,
  prefix,
  family: isIPv6(address) ? 'ipv6' : 'ipv4',
});

/** A MAC address that belongs to nobody else, for links that a node makes itself. */
function madeUpMac(link: string, node: string): string {
  const bytes = createHash('sha256').update(`${link} ${node}`).digest().subarray(0, 5);
  return ['a2', ...[...bytes].map((byte) => byte.toString(16).padStart(2, '0'))].join(':');
}

/** Everything that the agent lists, of which one address is the one that people look for. */
export function interfacesOf(machine: Machine, boot: Boot): readonly GuestInterface[] {
  const idle = ['bond0', 'dummy0'].map((name) => ({ name, mac: madeUpMac(name, machine.nodeId), addresses: [] }));
  return [loopback(boot), ...idle, ...cards(machine), ...kubeSpan(machine, boot), ...podNetwork(machine, boot)];
}

/** The resolver that pods ask is on every node’s loopback. */
const loopback = ({ settings }: Boot): GuestInterface => ({
  name: 'lo',
  mac: '00:00:00:00:00:00',
  addresses: [
    of('127.0.0.1', 8),
    ...(settings?.hostDns === true ? [of('169.254.116.108', 32)] : []),
    ...(settings?.hostDns === true && settings.podSubnets.some((subnet) => subnet.includes(':'))
      ? [of('fd54:616c:6f73::204f:5320:444e:531', 128)]
      : []),
    of('::1', 128),
  ],
});

/** A virtual address sits on the first card of whoever holds it. */
function cards({ hardware, network, addresses, heldVips }: Machine): readonly GuestInterface[] {
  return [...hardware.links, ...network.logical].map(({ name, mac }, index) => ({
    name,
    mac,
    addresses: [
      ...addresses.filter(({ link }) => link === name).map(({ address, prefix }) => of(address, prefix)),
      ...(index === 0 ? heldVips.map((vip) => of(vip, isIPv6(vip) ? 128 : 32)) : []),
      ...kernelAddresses(mac),
    ],
  }));
}

function kubeSpan(machine: Machine, { settings }: Boot): readonly GuestInterface[] {
  if (settings?.kubeSpan !== true) return [];
  const hex = (text: string): string => createHash('sha256').update(text).digest('hex');
  const network = hex(settings.clusterId).slice(0, 12);
  const host = hex(machine.nodeId).slice(0, 16);
  const groups = [`fd${network.slice(0, 2)}`, network.slice(2, 6), network.slice(6, 10), `${network.slice(10)}02`];
  const address = [...groups, ...[0, 4, 8, 12].map((at) => host.slice(at, at + 4))].join(':');
  return [{ name: 'kubespan', mac: '', addresses: [of(address, 128)] }];
}

/** Flannel’s or Cilium’s links, once the node is one of Kubernetes. */
function podNetwork(machine: Machine, boot: Boot): readonly GuestInterface[] {
  const { settings, node } = boot;
  if (settings === undefined || node !== 'ready') return [];
  const [a, b] = (settings.podSubnets.find((subnet) => !subnet.includes(':')) ?? '10.244.0.0/16').split('.');
  const pods = `${a}.${b}.${indexInCluster(machine, boot)}`;
  const link = (name: string, ...addresses: readonly Address[]): GuestInterface => {
    const mac = madeUpMac(name, machine.nodeId);
    return { name, mac, addresses: [...addresses, linkLocal(mac)] };
  };
  if (settings.cni === 'flannel')
    return [link('flannel.1', of(`${pods}.0`, 32)), link('cni0', of(`${pods}.1`, 24)), link('veth2f7c0d41')];
  return [
    link('cilium_net'),
    link('cilium_host', of(`${pods}.118`, 32)),
    link('cilium_vxlan'),
    link('lxc_health'),
    link('lxc7d2b5c0a9f31'),
  ];
}

/** Kubernetes gives each node a piece of the pods’ network, in the order in which they came. */
function indexInCluster(machine: Machine, { settings }: Boot): number {
  const ours = [...machine.world.machines()].filter((other) => other.boot?.settings?.clusterId === settings?.clusterId);
  return Math.max(ours.indexOf(machine), 0) % 256;
}
