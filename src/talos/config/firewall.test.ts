import { expect, test } from 'vitest';
import { platformOf, requestFor } from '../../../test/talos-configs.ts';
import { firewallOf } from './firewall.ts';

const firewall = (role: 'control-plane' | 'worker', cluster: string, services = '{}') => {
  const file = `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: p }
spec:
  machines: { proxmox: { endpoint: "https://pve:8006", token: { env: T }, hosts: [a] } }
  cluster: { endpoint: { vip: 10.10.0.5 }, workers: { w: {} }, network: { nodes: 10.10.0.0/24 }, ${cluster} }
  services: ${services}
`;
  return firewallOf(requestFor(platformOf(file)), role)?.map(
    ({ name, protocol, ports, subnets }) => `${name} ${ports.join()}/${protocol} from ${subnets.join(' ')}`,
  );
};

const everybody = '0.0.0.0/0 ::/0';

test.each<[string, Parameters<typeof firewall>, readonly string[] | undefined]>([
  ['off', ['worker', 'firewall: {}'], undefined],
  [
    'a worker with flannel',
    ['worker', 'firewall: { enabled: true }, cni: { flannel: {} }'],
    [
      `apid 50000/tcp from ${everybody}`,
      'kubelet 10250/tcp from 10.10.0.0/24 10.244.0.0/16',
      'flannel-vxlan 4789/udp from 10.10.0.0/24',
    ],
  ],
  [
    'a worker with a network of one’s own: only who installs it knows its ports',
    ['worker', 'firewall: { enabled: true, management: [192.0.2.0/24] }, cni: { none: {} }'],
    ['apid 50000/tcp from 192.0.2.0/24 10.10.0.0/24', 'kubelet 10250/tcp from 10.10.0.0/24 10.244.0.0/16'],
  ],
  [
    'a control plane whose peers have no fixed address',
    ['control-plane', 'firewall: { enabled: true, management: [192.0.2.0/24] }, cni: { none: {} }'],
    [
      'apid 50000/tcp from 192.0.2.0/24 10.10.0.0/24',
      'trustd 50001/tcp from 10.10.0.0/24',
      'kube-apiserver 6443/tcp from 192.0.2.0/24 10.10.0.0/24 10.244.0.0/16',
      'etcd 2379-2380/tcp from 10.10.0.0/24',
      'kubelet 10250/tcp from 10.10.0.0/24 10.244.0.0/16',
    ],
  ],
  [
    'a control plane whose peers are known, with everything',
    [
      'control-plane',
      'firewall: { enabled: true }, controlPlane: { replicas: 3, addresses: 10.10.0.11-13 }, highAvailability: false, cni: { cilium: { encryption: wireguard } }, kubeSpan: { enabled: true }',
      '{ catalog: { metallb: { pool: 10.10.0.64/27 } } }',
    ],
    [
      `apid 50000/tcp from ${everybody}`,
      'trustd 50001/tcp from 10.10.0.0/24',
      `kube-apiserver 6443/tcp from ${everybody}`,
      'etcd 2379-2380/tcp from 10.10.0.11/32 10.10.0.12/32 10.10.0.13/32',
      'kubelet 10250/tcp from 10.10.0.0/24 10.244.0.0/16',
      'cilium-vxlan 8472/udp from 10.10.0.0/24',
      'cilium-health 4240/tcp from 10.10.0.0/24 10.244.0.0/16',
      'hubble 4244/tcp from 10.10.0.0/24 10.244.0.0/16',
      'cilium-wireguard 51871/udp from 10.10.0.0/24',
      `kubespan 51820/udp from ${everybody}`,
      'metallb-tcp 7946/tcp from 10.10.0.0/24',
      'metallb-udp 7946/udp from 10.10.0.0/24',
    ],
  ],
])('%s', (_, given, rules) => {
  expect(firewall(...given)).toEqual(rules);
});

test('without the machines’ network nobody knows whom to let in', () => {
  const file = `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: p }
spec:
  machines: { proxmox: { endpoint: "https://pve:8006", token: { env: T }, hosts: [a] } }
  cluster: { endpoint: { host: lb }, firewall: { enabled: true } }
`;
  expect(() => firewallOf(requestFor(platformOf(file)), 'worker')).toThrow(
    expect.objectContaining({ code: 'firewall-needs-network', path: 'cluster.network.nodes' }),
  );
});
