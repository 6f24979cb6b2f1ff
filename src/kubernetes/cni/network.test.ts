import { expect, test } from 'vitest';
import { platformOf, twoMachines } from '../../../test/talos-platform.ts';
import { networkOf } from './network.ts';

const network = (cluster: string) => networkOf(platformOf(twoMachines(undefined, cluster)));
const values = (cluster: string) => {
  const found = network(cluster);
  return found.kind === 'cilium' ? found.release.values : undefined;
};
const manifests = (cluster: string) => {
  const found = network(cluster);
  return found.kind === 'cilium' ? found.manifests : undefined;
};

const talos = {
  ipam: { mode: 'kubernetes' },
  cgroup: { autoMount: { enabled: false }, hostRoot: '/sys/fs/cgroup' },
  securityContext: {
    capabilities: {
      ciliumAgent: [
        'CHOWN',
        'KILL',
        'NET_ADMIN',
        'NET_RAW',
        'IPC_LOCK',
        'SYS_ADMIN',
        'SYS_RESOURCE',
        'DAC_OVERRIDE',
        'FOWNER',
        'SETGID',
        'SETUID',
        'SYSLOG',
      ],
      cleanCiliumState: ['NET_ADMIN', 'SYS_ADMIN', 'SYS_RESOURCE'],
    },
  },
  k8sServiceHost: 'localhost',
  k8sServicePort: 7445,
  kubeProxyReplacement: true,
  hubble: { enabled: true, relay: { enabled: false }, ui: { enabled: false } },
};

test('Cilium on Talos, with nothing said about it', () => {
  expect(network('cni: { cilium: {} }')).toMatchObject({
    kind: 'cilium',
    release: {
      name: 'cilium',
      namespace: 'kube-system',
      chart: 'cilium',
      repository: 'https://helm.cilium.io',
      version: '1.19.0',
      values: talos,
    },
    manifests: [],
    ipsec: false,
    reach: { via: 'kubeprism', port: 7445 },
  });
});

test.each([
  ['kube-proxy stays', 'cni: { cilium: { kubeProxyReplacement: false } }', { ...talos, kubeProxyReplacement: false }],
  [
    'WireGuard and all of Hubble',
    'cni: { cilium: { encryption: wireguard, hubble: { relay: true, ui: true } } }',
    {
      ...talos,
      encryption: { enabled: true, type: 'wireguard' },
      hubble: { enabled: true, relay: { enabled: true }, ui: { enabled: true } },
    },
  ],
  [
    'the file’s values over ours',
    'cni: { cilium: { values: { cgroup: { hostRoot: /cg }, operator: { replicas: 3 }, hubble: { relay: null } } } }',
    {
      ...talos,
      cgroup: { autoMount: { enabled: false }, hostRoot: '/cg' },
      operator: { replicas: 3 },
      hubble: { ...talos.hubble, relay: null },
    },
  ],
  [
    'eBPF masquerading beside the host’s DNS',
    'cni: { cilium: { values: { bpf: { masquerade: true } } } }',
    { ...talos, bpf: { hostLegacyRouting: true, masquerade: true } },
  ],
  [
    'pods with IPv6 alone',
    'network: { pods: "fd00:10::/56", services: "fd00:20::/112" }',
    { ...talos, ipv4: { enabled: false }, ipv6: { enabled: true } },
  ],
  ['another port of KubePrism', 'kubePrism: { port: 7777 }', { ...talos, k8sServicePort: 7777 }],
])('%s', (_, cluster, wanted) => expect(values(cluster)).toEqual(wanted));

test('a cluster of one has one operator', () => {
  const [one] = [twoMachines().replace('workers: { general: { replicas: 1 } }', 'workers: {}')];
  const found = networkOf(platformOf((one ?? '').replace(', general-0: { address: 10.10.0.21 }', '')));
  expect(found.kind === 'cilium' && found.release.values['operator']).toEqual({ replicas: 1 });
});

test('who decided what', () => {
  const found = network(
    'cni: { cilium: { values: { cgroup: { hostRoot: /cg }, securityContext: { privileged: true } } } }',
  );
  const decided = found.kind === 'cilium' ? found.decided : [];
  expect(decided.filter(({ path }) => /^cgroup|privileged|ipam/.test(path))).toEqual([
    { path: 'cgroup.autoMount.enabled', value: false, by: 'ichor', because: 'Talos has mounted cgroups' },
    {
      path: 'cgroup.hostRoot',
      value: '/cg',
      by: 'file',
      because: 'cluster.cni.cilium.values',
      instead: '/sys/fs/cgroup',
    },
    {
      path: 'ipam.mode',
      value: 'kubernetes',
      by: 'ichor',
      because: 'Talos gives every node its share of cluster.network.pods',
    },
    { path: 'securityContext.privileged', value: true, by: 'file', because: 'cluster.cni.cilium.values' },
  ]);
});

test('without KubePrism a control plane asks itself', () => {
  const cluster = 'kubePrism: { enabled: false }, cni: { cilium: { kubeProxyReplacement: false } }';
  const { k8sServiceHost: _, k8sServicePort: __, ...rest } = talos;
  expect(network(cluster)).toMatchObject({ reach: { via: 'own-address', port: 6443 } });
  expect(values(cluster)).toEqual({ ...rest, kubeProxyReplacement: false });
});

test('addresses of load balancers, announced to neighbours', () => {
  expect(manifests('cni: { cilium: { l2: { pool: 10.10.0.64-79, interfaces: ["^eth0$"] } } }')).toEqual([
    {
      apiVersion: 'cilium.io/v2',
      kind: 'CiliumLoadBalancerIPPool',
      metadata: { name: 'ichor-l2' },
      spec: { blocks: [{ start: '10.10.0.64', stop: '10.10.0.79' }] },
    },
    {
      apiVersion: 'cilium.io/v2alpha1',
      kind: 'CiliumL2AnnouncementPolicy',
      metadata: { name: 'ichor' },
      spec: { loadBalancerIPs: true, interfaces: ['^eth0$'] },
    },
  ]);
  expect(values('cni: { cilium: { l2: { pool: 10.10.0.64/28 } } }')).toEqual({
    ...talos,
    l2announcements: { enabled: true },
  });
});

test('addresses of load balancers, told to routers', () => {
  const bgp =
    'bgp: { pool: 10.200.0.0/24, asn: 64512, peers: [{ address: 10.10.0.1, asn: 64500 }, { address: "fd00:0::1", asn: 64500 }] }';
  expect(manifests(`cni: { cilium: { version: 1.17.3, ${bgp} } }`)).toEqual([
    {
      apiVersion: 'cilium.io/v2alpha1',
      kind: 'CiliumLoadBalancerIPPool',
      metadata: { name: 'ichor-bgp' },
      spec: { blocks: [{ cidr: '10.200.0.0/24' }] },
    },
    {
      apiVersion: 'cilium.io/v2alpha1',
      kind: 'CiliumBGPAdvertisement',
      metadata: { name: 'ichor', labels: { 'ichor.dev/advertise': 'bgp' } },
      spec: {
        advertisements: [{ advertisementType: 'Service', service: { addresses: ['LoadBalancerIP'] }, selector: {} }],
      },
    },
    {
      apiVersion: 'cilium.io/v2alpha1',
      kind: 'CiliumBGPPeerConfig',
      metadata: { name: 'ichor' },
      spec: {
        gracefulRestart: { enabled: true },
        families: [{ afi: 'ipv4', safi: 'unicast', advertisements: { matchLabels: { 'ichor.dev/advertise': 'bgp' } } }],
      },
    },
    {
      apiVersion: 'cilium.io/v2alpha1',
      kind: 'CiliumBGPClusterConfig',
      metadata: { name: 'ichor' },
      spec: {
        bgpInstances: [
          {
            name: 'as-64512',
            localASN: 64512,
            peers: [
              {
                name: 'router-10-10-0-1',
                peerASN: 64500,
                peerAddress: '10.10.0.1',
                peerConfigRef: { name: 'ichor' },
              },
              { name: 'router-fd00-1', peerASN: 64500, peerAddress: 'fd00:0::1', peerConfigRef: { name: 'ichor' } },
            ],
          },
        ],
      },
    },
  ]);
});

test('flannel and none are choices too', () => {
  expect([network('cni: { flannel: {} }'), network('cni: { none: {} }')]).toEqual([
    { kind: 'flannel' },
    { kind: 'none' },
  ]);
});
