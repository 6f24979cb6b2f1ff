import { expect, test } from 'vitest';
import type { ConfigChange } from '../../model/step.ts';
import { encryptionChanges, identityChanges, networkChanges } from './for-life.ts';

const change = (path: string, before: string | undefined, after: string | undefined): ConfigChange => ({
  path,
  before,
  after,
  reboot: false,
});
const other = (path: string): ConfigChange => change(path, 'a', 'b');
const comes = (path: string): ConfigChange => change(path, undefined, 'a');
const goes = (path: string): ConfigChange => change(path, 'a', undefined);

test('networks of pods and services and their domain, wherever a contract writes them', () => {
  const changes = [
    'cluster.network.podSubnets[0]',
    'cluster.network.dnsDomain',
    'KubeNetworkConfig.serviceSubnets[0]',
  ].map(other);
  expect(networkChanges([...changes, other('cluster.network.cni.name')])).toEqual(changes);
});

test('what a cluster is known by, and nothing that is only called alike', () => {
  const changes = [
    'cluster.ca.crt',
    'cluster.etcd.ca.key',
    'cluster.secret',
    'cluster.secretboxEncryptionSecret',
    'cluster.serviceAccount.key',
    'machine.ca.crt',
    'KubeAPIServerCAConfig.issuingCA.crt',
  ].map(other);
  const harmless = ['machine.token', 'cluster.token', 'cluster.etcd.extraArgs.v', 'machine.certSANs[0]'].map(other);
  expect(identityChanges([...changes, ...harmless])).toEqual(changes);
});

test('what only moves from one document to another stays what it is', () => {
  const moved = [
    goes('cluster.network.podSubnets[0]'),
    comes('KubeNetworkConfig.podSubnets[0]'),
    goes('cluster.ca.crt'),
  ];
  expect([networkChanges(moved), identityChanges(moved)]).toEqual([[], []]);
  const locked = [goes('machine.systemDiskEncryption.state.provider'), comes('VolumeConfig.STATE.encryption.provider')];
  expect(encryptionChanges(locked)).toEqual([]);
});

test('encryption that is switched on, off or given another key', () => {
  const path = 'VolumeConfig.EPHEMERAL.encryption.keys[0].nodeID';
  for (const found of [comes(path), goes(path), other(path)])
    expect(encryptionChanges([found, other('VolumeConfig.EPHEMERAL.provisioning.maxSize')])).toEqual([found]);
});
