import { expect, test } from 'vitest';
import type { Manifest } from '../model/manifest.ts';
import { changesOf, driftOf } from './compare.ts';
import type { Live } from './live.ts';

const wanted = (spec: object, metadata: object = {}): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'it', namespace: 'a', ...metadata },
  spec,
});

const container = (name: string, image: string, more: object = {}) => ({ name, image, ...more });
const live = (spec: object, fieldsV1: object, manager = 'ichor'): Live => ({
  ...wanted(spec),
  metadata: {
    name: 'it',
    namespace: 'a',
    uid: 'u',
    managedFields: [
      { manager, operation: 'Apply', fieldsV1: fieldsV1 as Record<string, unknown> },
      { manager: 'kubelet', operation: 'Update', fieldsV1: { 'f:spec': { 'f:paused': {} } } },
    ],
  },
  status: { replicas: 1 },
});

const containers = (...names: readonly string[]) => ({
  'f:spec': {
    'f:replicas': {},
    'f:template': {
      'f:containers': Object.fromEntries(
        names.map((name) => [`k:{"name":"${name}"}`, { '.': {}, 'f:name': {}, 'f:image': {} }]),
      ),
    },
  },
});

test('what others own and we do not mention is theirs', () => {
  const have = live(
    {
      replicas: 3,
      paused: true,
      template: { containers: [container('sidecar', 'x'), container('a', '1', { tty: false })] },
    },
    containers('a'),
  );
  expect(driftOf(wanted({ replicas: 3, template: { containers: [container('a', '1')] } }), have, 'ichor', '')).toEqual(
    [],
  );
});

test('what we want otherwise, more, and no longer', () => {
  const have = live(
    { replicas: 3, template: { containers: [container('a', '1'), container('b', '1')] } },
    containers('a', 'b'),
  );
  const want = wanted({ template: { containers: [container('a', '2')], hostNetwork: true } }, { labels: { x: 'y' } });
  expect(driftOf(want, have, 'ichor', '')).toEqual([
    { path: 'metadata.labels.x', from: undefined, to: 'y' },
    { path: 'spec.replicas', from: 3, to: undefined },
    { path: 'spec.template.containers[name=a].image', from: '1', to: '2' },
    { path: 'spec.template.containers[name=b].image', from: '1', to: undefined },
    { path: 'spec.template.containers[name=b].name', from: 'b', to: undefined },
    { path: 'spec.template.hostNetwork', from: undefined, to: true },
  ]);
});

test('an item of a list is found by what the server filled into its key', () => {
  const ports = {
    'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:name': {} } } },
  };
  const have = live({ ports: [{ port: 80, protocol: 'TCP', name: 'a' }] }, ports);
  expect(driftOf(wanted({ ports: [{ port: 80, name: 'a' }] }), have, 'ichor', '')).toEqual([]);
  expect(driftOf(wanted({ ports: [{ port: 80, name: 'b' }, { port: 81 }] }), have, 'ichor', '')).toEqual([
    { path: 'spec.ports[port=80,protocol=TCP].name', from: 'a', to: 'b' },
    { path: 'spec.ports[port=81].port', from: undefined, to: 81 },
  ]);
});

test('fields of another manager are not ours to take away', () => {
  const have = live({ replicas: 3 }, { 'f:spec': { 'f:replicas': {} } }, 'flux');
  expect(driftOf(wanted({}), have, 'ichor', '')).toEqual([]);
});

test('servers leave out what is empty and fill in what is not said', () => {
  const have = live({ list: [{ a: 1, filled: true }] }, {});
  expect(driftOf(wanted({ list: [{ a: 1 }], empty: {}, none: null, no: [] }), have, 'ichor', '')).toEqual([]);
});

test('how an object would change, without what the server keeps for itself', () => {
  const before = live({ template: { containers: [container('a', '1'), container('b', '1')] }, args: ['x'] }, {});
  const after = live(
    { template: { containers: [container('b', '2'), container('a', '1')] }, args: ['x', 'y'] },
    containers(),
  );
  const newer: Live = { ...after, metadata: { ...after.metadata, generation: 2 }, status: {} };
  expect(changesOf(before, newer, '')).toEqual([
    { path: 'spec.template.containers[name=b].image', from: '1', to: '2' },
    { path: 'spec.args', from: ['x'], to: ['x', 'y'] },
  ]);
});

const secret = (data: object, more: object = {}): Live & Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 's',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(data) },
  },
  data,
  ...more,
});

test('secrets are compared and never shown', () => {
  const [one, other] = [secret({ a: 'aHVudGVyMg==', b: 'c2FtZQ==' }), secret({ a: 'aHVudGVyMw==', b: 'c2FtZQ==' })];
  const shown = changesOf(one, other, 'salt');
  expect(shown.map(({ path }) => path)).toEqual([
    'metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]',
    'data.a',
  ]);
  expect(JSON.stringify(shown)).not.toMatch(/hunter|aHVudGVy/);
  expect(JSON.stringify(driftOf(other, undefined, 'ichor', 'salt'))).not.toMatch(/hunter|aHVudGVy/);
});

test('a secret that is written plainly is the same as one in base64', () => {
  const want: Manifest = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'hunter2' } };
  expect(driftOf(want, secret({ a: 'aHVudGVyMg==' }), 'ichor', 'salt')).toEqual([]);
});
