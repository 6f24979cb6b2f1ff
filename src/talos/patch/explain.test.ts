import { describe, expect, test } from 'vitest';
import type { MachineConfig } from '../config/document.ts';
import { applyPatches } from './apply.ts';
import { explainConfig } from './explain.ts';
import type { Patched, Provenance } from './patch.ts';

const config: MachineConfig = [
  {
    version: 'v1alpha1',
    machine: { type: 'worker', token: 'abc', certSANs: ['a', 'b'], kubelet: { image: 'k:1', extraArgs: { v: '2' } } },
  },
  { apiVersion: 'v1alpha1', kind: 'LinkConfig', name: 'eth0', up: true, mtu: 1500 },
];
const provenance: Provenance = new Map([
  ['machine.type', 'its role'],
  ['machine.token', 'the secrets bundle'],
  ['machine.certSANs', 'cluster.certSANs'],
  ['machine.kubelet', 'Talos’ default'],
  ['LinkConfig.eth0', 'cluster.network'],
]);

const patched = (...texts: readonly string[]): Patched =>
  applyPatches(
    { config, provenance, contract: '1.13' },
    texts.map((text, index) => ({ scope: { kind: 'all' }, source: `patch ${index}`, text })),
  );

const owners = (result: Patched, path: string): readonly string[] =>
  explainConfig(result, path).map((value) => `${value.path} = ${value.value}: ${value.because}`);

describe('who decided a field', () => {
  test('is whoever rendered it, and then the last patch that changed it', () => {
    const result = patched(
      'machine: { kubelet: { image: "k:2" } }',
      'machine: { kubelet: { image: "k:3", extraArgs: { w: "1" } } }',
    );
    expect(owners(result, 'machine.kubelet')).toEqual([
      'machine.kubelet.image = k:3: patch 1',
      'machine.kubelet.extraArgs.v = 2: Talos’ default',
      'machine.kubelet.extraArgs.w = 1: patch 1',
    ]);
  });

  test('stays who it was when a patch says the same', () => {
    expect(owners(patched('machine: { type: worker }'), 'machine.type')).toEqual(['machine.type = worker: its role']);
  });

  test('moves with the items of a list', () => {
    const result = patched(
      'machine: { certSANs: [c] }',
      'machine: { certSANs: { $patch: delete } }\n---\nmachine: { certSANs: [c, b] }',
    );
    expect(owners(result, 'machine.certSANs')).toEqual([
      'machine.certSANs[0] = c: patch 0',
      'machine.certSANs[1] = b: cluster.certSANs',
    ]);
  });

  test('is told for documents by kind and name', () => {
    expect(
      explainConfig(patched('apiVersion: v1alpha1\nkind: LinkConfig\nname: eth0\nmtu: 9000'), 'LinkConfig.eth0.mtu'),
    ).toEqual([{ path: 'LinkConfig.eth0.mtu', value: '9000', because: 'patch 0', reboot: false }]);
  });

  test('comes without secrets', () => {
    expect(explainConfig(patched(), 'machine.token')).toEqual([
      { path: 'machine.token', value: '******', because: 'the secrets bundle', reboot: true },
    ]);
  });

  test('is asked for a path that is there', () => {
    expect(() => explainConfig(patched(), 'machine.kublet')).toThrow(
      expect.objectContaining({
        code: 'unknown-path',
        message: 'There is no machine.kublet in this configuration.',
        remedy: 'Did you mean machine.kubelet?',
      }),
    );
  });
});
