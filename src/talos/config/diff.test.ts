import { expect, test } from 'vitest';
import type { MachineConfig } from './document.ts';
import { configDiff } from './diff.ts';

test('changes are shown field by field, without secrets', () => {
  const before: MachineConfig = [
    { version: 'v1alpha1', machine: { type: 'worker', token: 'old', certSANs: ['a'], ca: { crt: 'x', key: 'y' } } },
    { apiVersion: 'v1alpha1', kind: 'RegistryAuthConfig', name: 'docker.io', password: 'old' },
  ];
  const after: MachineConfig = [
    {
      version: 'v1alpha1',
      machine: { type: 'worker', token: 'new', certSANs: ['b', 'c'], env: { A: 'x'.repeat(300) } },
    },
    { apiVersion: 'v1alpha1', kind: 'RegistryAuthConfig', name: 'docker.io', username: 'me', password: 'new' },
  ];
  expect(configDiff(before, after)).toEqual([
    { path: 'machine.token', kind: 'changed', before: '******', after: '******', reboot: true },
    { path: 'machine.certSANs[0]', kind: 'changed', before: 'a', after: 'b', reboot: false },
    { path: 'machine.certSANs[1]', kind: 'added', before: undefined, after: 'c', reboot: false },
    { path: 'machine.ca.crt', kind: 'removed', before: 'x', after: undefined, reboot: false },
    { path: 'machine.ca.key', kind: 'removed', before: '******', after: undefined, reboot: false },
    { path: 'machine.env.A', kind: 'added', before: undefined, after: `${'x'.repeat(200)}…`, reboot: true },
    {
      path: 'RegistryAuthConfig["docker.io"].password',
      kind: 'changed',
      before: '******',
      after: '******',
      reboot: false,
    },
    { path: 'RegistryAuthConfig["docker.io"].username', kind: 'added', before: undefined, after: 'me', reboot: false },
  ]);
});
