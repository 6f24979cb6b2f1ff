import { expect, test } from 'vitest';
import type { Problem } from '../model/problem.ts';
import type { Kind } from './kinds.ts';
import { displayed, findPlace } from './place.ts';
import { formatPath } from './tree.ts';

test.each<[string, Kind, string, string]>([
  ['', 'Platform', 'a Platform', 'spec'],
  ['cluster', 'Platform', 'cluster', 'spec.cluster'],
  ['spec.cluster.workers', 'Platform', 'cluster.workers', 'spec.cluster.workers'],
  ['platform.cluster.workers', 'Platform', 'cluster.workers', 'spec.cluster.workers'],
  ['platform.spec.cluster.workers', 'Platform', 'cluster.workers', 'spec.cluster.workers'],
  ['plat.metadata.name', 'Platform', 'metadata.name', 'metadata.name'],
  [
    'cluster.workers.general.replicas',
    'Platform',
    'cluster.workers.<name>.replicas',
    'spec.cluster.workers.general.replicas',
  ],
  ['cluster.workers.<pool>', 'Platform', 'cluster.workers.<name>', 'spec.cluster.workers["*"]'],
  ['cluster.nodes.cp-0.vmid', 'Platform', 'cluster.nodes.<name>.vmid', 'spec.cluster.nodes.cp-0.vmid'],
  [
    'configuration.dns.powerdns.zones["example.org"].ttl',
    'Platform',
    'configuration.dns.powerdns.zones.<name>.ttl',
    'spec.configuration.dns.powerdns.zones["example.org"].ttl',
  ],
  [
    'machines.proxmox.endpoints.url',
    'Platform',
    'machines.proxmox.endpoints[].url',
    'spec.machines.proxmox.endpoints["*"].url',
  ],
  [
    'machines.proxmox.endpoints[1].url',
    'Platform',
    'machines.proxmox.endpoints[].url',
    'spec.machines.proxmox.endpoints[1].url',
  ],
  [
    'services.catalog.harbor.values.a.b',
    'Platform',
    'services.catalog.harbor.values',
    'spec.services.catalog.harbor.values.a.b',
  ],
  ['substrate', 'Substrate', 'a Substrate', 'spec'],
  ['substrate.network', 'Substrate', 'network', 'spec.network'],
  ['controllers.cpu', 'Substrate', 'controllers.cpu', 'spec.controllers.cpu'],
  ['KubernetesCluster.topology', 'KubernetesCluster', 'topology', 'spec.topology'],
  [
    'topology.workers[0].replicas',
    'KubernetesCluster',
    'topology.workers.nodePools[].replicas',
    'spec.topology.workers.nodePools[0].replicas',
  ],
  [
    'topology.workers.nodePools.name',
    'KubernetesCluster',
    'topology.workers.nodePools[].name',
    'spec.topology.workers.nodePools["*"].name',
  ],
  ['machineclass.memory.quantity', 'MachineClass', 'memory.quantity', 'spec.memory.quantity'],
  ['nn.ipAllocation', 'NetworkNamespace', 'ipAllocation', 'spec.ipAllocation'],
])('%s', (written, kind, shown, path) => {
  const place = findPlace(written);
  expect([place.kind, displayed(place), formatPath(place.path)]).toEqual([kind, shown, path]);
});

test('what several kinds have is meant in the one that was given', () => {
  expect(findPlace('metadata.name', ['Substrate']).kind).toBe('Substrate');
  expect(findPlace('capacity', ['Platform']).kind).toBe('Substrate');
  expect(findPlace('', ['NetworkNamespace', 'Platform']).kind).toBe('NetworkNamespace');
});

test.each<[string, string, string]>([
  ['cluster.wokers', 'There is no "wokers" in cluster.', 'Did you mean "workers"?'],
  ['clusters', 'There is no "clusters" in a Platform.', 'Did you mean "cluster"?'],
  ['cluster.workers.general.ram', 'There is no "ram" in cluster.workers.<name>.', 'Did you mean "memory"?'],
  ['vip', 'There is no "vip" in a Platform.', 'Did you mean "cluster.endpoint.vip"?'],
  ['taints', 'There is no "taints" in a Platform.', 'Did you mean "cluster.controlPlane.taints"?'],
  ['cluster.controlPlane.replicas.more', 'There is nothing below cluster.controlPlane.replicas.', 'Leave ".more" out.'],
  ['cluster.cni.qqq', 'There is no "qqq" in cluster.cni.', 'Known there: cilium, flannel, none.'],
  [
    'a..b',
    '"a..b" is not a path.',
    'Write for example cluster.workers; quote names with dots: zones["example.org"].ttl',
  ],
])('%s is an error with the nearest', (written, message, remedy) => {
  expect(() => findPlace(written)).toThrow(expect.objectContaining({ message, remedy }) as Problem);
});
