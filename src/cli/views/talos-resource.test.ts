import { expect, test } from 'vitest';
import { resource } from '../../../test/fake-talos.ts';
import { columnValue, resourceRow, resourceTitles, resourceYaml } from './talos-resource.ts';

const spec = {
  stage: 'running',
  status: { ready: true },
  addresses: ['10.0.0.1', '10.0.0.2'],
  endpoints: [
    { host: 'a', port: 1 },
    { host: 'b', port: 2 },
  ],
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'Other', status: 'False' },
  ],
};

test.each<[path: string, value: unknown]>([
  ['{.stage}', 'running'],
  ['{.status.ready}', true],
  ['{.addresses}', ['10.0.0.1', '10.0.0.2']],
  ['{.endpoints[*].host}', ['a', 'b']],
  ['{.conditions[?(@.type=="Ready")].status}', ['True']],
  ['{.endpoints[1].port}', 2],
  ['{@}', spec],
  ['{.nothing.here}', undefined],
])('%s', (path, value) => {
  expect(columnValue(path, spec)).toEqual(value);
});

test('a row has the columns of its type', () => {
  const definition = {
    type: 'MachineStatuses.runtime.talos.dev',
    namespace: 'runtime',
    aliases: [],
    sensitive: false,
    columns: [
      { name: 'Stage', path: '{.stage}' },
      { name: 'Ready', path: '{.status.ready}' },
      { name: 'Hosts', path: '{.endpoints[*].host}' },
    ],
  };
  expect(resourceTitles(definition)).toEqual(['namespace', 'type', 'id', 'version', 'stage', 'ready', 'hosts']);
  expect(resourceRow(definition, resource({ spec }))).toEqual([
    'runtime',
    'MachineStatus',
    'machine',
    '1',
    'running',
    'true',
    'a b',
  ]);
});

test('YAML is laid out as talosctl lays it out', () => {
  const written = resourceYaml(
    '10.0.0.1',
    resource({
      spec: { stage: 'running', status: { ready: true } },
      yaml: 'stage: running\nstatus:\n    ready: true\n    unmetConditions: []\n',
      labels: { 'talos.dev/a': 'b' },
      finalizers: ['x'],
    }),
  );
  expect(written).toBe(`node: 10.0.0.1
metadata:
    namespace: runtime
    type: MachineStatuses.runtime.talos.dev
    id: machine
    version: 1
    owner: runtime.MachineStatusController
    phase: running
    created: 2026-01-01T00:00:00.000Z
    updated: 2026-01-01T00:00:00.000Z
    labels:
        talos.dev/a: "b"
    finalizers:
        - x
spec:
    stage: running
    status:
        ready: true
        unmetConditions: []
`);
});

test.each<[yaml: string, spec: unknown, last: string]>([
  ['controlplane\n', 'controlplane', 'spec: controlplane\n'],
  ['{}\n', {}, 'spec: {}\n'],
])('a spec that is %j stands on the line', (yaml, given, last) => {
  expect(resourceYaml('a', resource({ yaml, spec: given, owner: '' }))).toMatch(new RegExp(`owner:\\n[^]*${last}$`));
});
