import { expect, test } from 'vitest';
import { controlPlaneConfig, newControlPlaneConfig } from '../../../../test/twin-configs.ts';
import { factsOf, type ConfigFacts } from './facts.ts';

const expected: ConfigFacts = {
  machineType: 'controlplane',
  token: 'to.ken',
  talosCa: { crt: 'talos certificate', key: 'talos key' },
  acceptedTalosCas: [],
  certSans: ['10.0.0.9'],
  clusterName: 'demo',
  clusterId: 'aWQ=',
  clusterSecret: 'cw==',
  clusterToken: 'cluster.token',
  endpoint: 'https://10.0.0.9:6443',
  kubernetesCa: { crt: 'kubernetes certificate', key: 'kubernetes key' },
  acceptedKubernetesCas: [],
  etcdCa: { crt: 'etcd certificate', key: 'etcd key' },
  etcdAdvertisedSubnets: [],
  hostname: { kind: 'static', name: 'cp1' },
  addresses: [{ link: 'eth0', address: '10.0.0.5/24' }],
  vips: [{ link: 'eth0', address: '10.0.0.9' }],
  installDisk: '/dev/sda',
  installImage: 'example.org/installer:v1.13.9',
  kubeletImage: 'example.org/kubelet:v1.36.1',
  nodeLabels: { 'example.org/role': 'a' },
  nodeTaints: {},
  nodeIpSubnets: [],
  cni: 'none',
  dnsDomain: 'cluster.local',
  podSubnets: ['10.244.0.0/16'],
  serviceSubnets: ['10.96.0.0/12'],
  discovery: true,
  schedulableControlPlane: false,
  apiServerPort: 6443,
  apiServerCertSans: [],
  extensionServices: [],
};

test('the same facts from the one document of old and from those of 1.14', () => {
  expect(factsOf(controlPlaneConfig, 'v1.13.9')).toEqual(expected);
  expect(factsOf(newControlPlaneConfig, 'v1.14.1')).toEqual({ ...expected, installDisk: undefined });
});

test('without the main document there is nothing to boot from', () => {
  expect(factsOf('apiVersion: v1alpha1\nkind: EventSinkConfig\nendpoint: a:1\n', 'v1.13.9')).toBeUndefined();
});

const bare = 'version: v1alpha1\nmachine:\n  type: worker\n';

test.each<[string, string, ConfigFacts['hostname']]>([
  ['nothing said', bare, { kind: 'address' }],
  ['stable, in the old way', `${bare}  features: { stableHostname: true }\n`, { kind: 'stable' }],
  ['static, in the old way', `${bare}  network: { hostname: a }\n`, { kind: 'static', name: 'a' }],
  ['stable', `${bare}---\napiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n`, { kind: 'stable' }],
  ['off', `${bare}---\napiVersion: v1alpha1\nkind: HostnameConfig\nauto: off\n`, { kind: 'off' }],
])('hostname: %s', (_, text, hostname) => {
  expect(factsOf(text, 'v1.13.9')?.hostname).toEqual(hostname);
});
