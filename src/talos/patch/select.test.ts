import { expect, test } from 'vitest';
import { platformFile } from '../../../test/said.ts';
import { platformOf } from '../../../test/talos-configs.ts';
import { patchesFor, patchesForRole } from './select.ts';

const platform = platformOf(
  platformFile({
    machines:
      '{ existing: { machines: { cp-0: { address: 10.0.0.11 }, general-0: { address: 10.0.0.21 }, gpu-0: { address: 10.0.0.31 } } } }',
    cluster: `{
      patches: [{ debug: true }, "machine: { certSANs: [all] }"],
      controlPlane: { replicas: 1, patches: [{ machine: { certSANs: [cp] } }] },
      workers: {
        general: { replicas: 1, patches: [{ machine: { certSANs: [general] } }] },
        gpu: { replicas: 1 },
      },
      nodes: { general-0: { patches: [{ machine: { certSANs: [node] } }] } },
    }`,
  }),
);

const from = { file: 'platform.yaml' };

test('patches come from the widest scope to the narrowest', () => {
  const said = platform.machines.map((machine) => [
    machine.name,
    ...patchesFor(platform, machine, from).map(({ scope, source, text }) => `${scope.kind} ${source} ${text.trim()}`),
  ]);
  const all = [
    'all platform.yaml: cluster.patches[0] debug: true',
    'all platform.yaml: cluster.patches[1] machine: { certSANs: [all] }',
  ];
  expect(said).toEqual([
    [
      expect.stringMatching(/cp-0$/),
      ...all,
      'control-planes platform.yaml: cluster.controlPlane.patches[0] machine:\n  certSANs:\n  - cp',
    ],
    [
      expect.stringMatching(/general-0$/),
      ...all,
      'pool platform.yaml: cluster.workers.general.patches[0] machine:\n  certSANs:\n  - general',
      'node platform.yaml: cluster.nodes.general-0.patches[0] machine:\n  certSANs:\n  - node',
    ],
    [expect.stringMatching(/gpu-0$/), ...all],
  ]);
});

test('a configuration of a role has what all machines of the role get', () => {
  const sources = (role: 'control-plane' | 'worker'): readonly string[] =>
    patchesForRole(platform, role, from).map(({ source }) => source);
  expect({ controlPlane: sources('control-plane'), worker: sources('worker') }).toEqual({
    controlPlane: [
      'platform.yaml: cluster.patches[0]',
      'platform.yaml: cluster.patches[1]',
      'platform.yaml: cluster.controlPlane.patches[0]',
    ],
    worker: ['platform.yaml: cluster.patches[0]', 'platform.yaml: cluster.patches[1]'],
  });
});

test('the place of a patch is asked for by its path in the file', () => {
  const asked: unknown[] = [];
  const placeOf = (path: unknown): undefined => void asked.push(path);
  const [machine] = platform.machines;
  if (machine === undefined) throw new Error('There is a machine.');
  const [mapping, text] = patchesFor(platform, machine, { ...from, placeOf });
  mapping?.placeOf?.(['debug']);
  text?.placeOf?.(['machine']);
  expect(asked).toEqual([
    ['cluster', 'patches', 0, 'debug'],
    ['cluster', 'patches', 1],
  ]);
});
