import { describe, expect, test } from 'vitest';
import { rebootSamples } from '../../../test/talos-reboot-samples.ts';
import { secretConfig } from '../../../test/talos-secrets.ts';
import { applyPatches } from '../patch/apply.ts';
import type { MachineConfig } from './document.ts';
import { changeBetween } from './reboot.ts';

const patched = (config: MachineConfig, text: string): MachineConfig =>
  applyPatches({ config, provenance: new Map(), contract: '1.13' }, [
    { scope: { kind: 'all' }, source: 'sample', text },
  ]).config;

describe('which changes make a node reboot', () => {
  test.each(rebootSamples)('$name: $reboot', async ({ patch, reboot }) => {
    const {
      configs: [config = []],
    } = await secretConfig(1, '1.13');
    const changes = changeBetween(config, patched(config, patch));
    expect({ some: changes.length > 0, reboot: changes.some((change) => change.reboot) }).toEqual({
      some: true,
      reboot,
    });
  });

  test('each field is told', () => {
    const before: MachineConfig = [
      { version: 'v1alpha1', machine: { type: 'worker', certSANs: ['a'], env: { A: 'b' } } },
    ];
    const after: MachineConfig = [
      {
        version: 'v1alpha1',
        machine: { type: 'worker', certSANs: ['a', 'c'], features: { hostDNS: { enabled: true } } },
      },
      { apiVersion: 'v1alpha1', kind: 'LinkConfig', name: 'eth0', up: true },
    ];
    expect(changeBetween(before, after)).toEqual([
      { path: 'machine.certSANs[1]', reboot: false },
      { path: 'machine.env.A', reboot: true },
      // Fields of it are compared one by one only where both sides have features.
      { path: 'machine.features.hostDNS.enabled', reboot: true },
      { path: 'LinkConfig.eth0.apiVersion', reboot: false },
      { path: 'LinkConfig.eth0.kind', reboot: false },
      { path: 'LinkConfig.eth0.name', reboot: false },
      { path: 'LinkConfig.eth0.up', reboot: false },
    ]);
  });

  test('what Talos reads alike is no change', () => {
    expect(changeBetween([{ machine: { type: 'worker', token: '' } }], [{ machine: { type: 'worker' } }])).toEqual([]);
  });
});
