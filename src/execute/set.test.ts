import { beforeEach, expect, test } from 'vitest';
import { FakeKubernetes } from '../../test/fake-kubernetes.ts';
import type { Manifest } from '../model/manifest.ts';
import { Problem } from '../model/problem.ts';
import { applySet, previewSet } from './set.ts';
import type { SetEvent, SetOptions, SetTools } from './set-tools.ts';

const manifest = (apiVersion: string, kind: string, name: string, more: object = {}, namespace?: string): Manifest => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  ...more,
});

const options: SetOptions = {
  set: 'demo',
  manager: 'ichor',
  force: false,
  prune: 'without-data',
  wait: true,
  atMostMs: 10_000,
};
const signal = new AbortController().signal;

let cluster: FakeKubernetes;
let now: number;
let told: string[];
let tools: SetTools;
/** What happens while somebody waits. */
let meanwhile: (ms: number) => void;

beforeEach(() => {
  cluster = new FakeKubernetes();
  [now, told, meanwhile] = [0, [], () => {}];
  tools = {
    client: cluster,
    clock: { now: () => new Date(now) },
    pause: async (ms) => {
      now += ms;
      meanwhile(now);
    },
    tell: (event) => void told.push(inWords(event)),
    salt: '',
  };
});

function inWords(event: SetEvent): string {
  switch (event.kind) {
    case 'waits':
      return `waits for ${event.for}: ${event.because}`;
    case 'stage':
      return `stage ${event.stage}: ${event.objects}`;
    case 'applied':
      return `${event.outcome} ${event.object}`;
    case 'ready':
      return `ready ${event.object}`;
    case 'pruned':
      return event.kept === undefined ? `pruned ${event.object}` : `kept ${event.object}: ${event.kept}`;
  }
}

const namespace = manifest('v1', 'Namespace', 'shop', { status: { phase: 'Active' } });
const settings = manifest('v1', 'ConfigMap', 'settings', { data: { a: '1' } }, 'shop');
const definition = manifest('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'things.example.org', {
  spec: { group: 'example.org', names: { kind: 'Thing' }, scope: 'Namespaced' },
});
const thing = manifest('example.org/v1', 'Thing', 'one');

test('what others need is there first, and what they wait for is told', async () => {
  meanwhile = (ms) => {
    if (ms === 4000) {
      const before = cluster.objects.get('apiextensions.k8s.io/v1 CustomResourceDefinition  things.example.org');
      if (before) cluster.put({ ...before, status: { conditions: [{ type: 'Established', status: 'True' }] } });
      cluster.kinds.set('example.org/v1 Thing', ['example.org/v1', 'Thing', true]);
    }
  };
  const { applied } = await applySet([thing, settings, namespace, definition], options, tools, signal);
  expect(applied.map(({ object, outcome }) => [object, outcome])).toEqual([
    ['CustomResourceDefinition things.example.org', 'created'],
    ['Namespace shop', 'created'],
    ['ConfigMap shop/settings', 'created'],
    ['Thing default/one', 'created'],
  ]);
  expect(told).toEqual([
    'stage definitions: 1',
    'created CustomResourceDefinition things.example.org',
    'waits for CustomResourceDefinition things.example.org: it has no condition Established yet',
    'ready CustomResourceDefinition things.example.org',
    'stage namespaces: 1',
    'created Namespace shop',
    'ready Namespace shop',
    'stage settings: 1',
    'created ConfigMap shop/settings',
    'stage resources: 1',
    'created Thing default/one',
    'ready ConfigMap shop/settings',
    'ready Thing default/one',
  ]);
});

test('a kind that an operator brings is waited for', async () => {
  meanwhile = () => cluster.kinds.set('example.org/v1 Thing', ['example.org/v1', 'Thing', false]);
  await applySet([thing], options, tools, signal);
  expect(told).toEqual([
    'stage resources: 1',
    'waits for Thing one: the server does not know Thing of example.org/v1 yet',
    'created Thing one',
    'ready Thing one',
  ]);
});

test('applied again, nothing changes; what left the set goes, and what is not ours stays', async () => {
  await applySet([namespace, settings], options, tools, signal);
  const copied = { 'ichor.dev/set': 'demo' };
  cluster.put({ ...settings, metadata: { name: 'copied-by-hand', namespace: 'shop', labels: copied } });
  cluster.put({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: 'copied-by-a-controller',
      namespace: 'shop',
      labels: copied,
      managedFields: [{ manager: 'kube-controller-manager', operation: 'Update', fieldsV1: {} }],
    },
  });
  const again = await applySet([namespace, settings], options, tools, signal);
  expect([again.applied.map(({ outcome }) => outcome), again.pruned]).toEqual([['unchanged', 'unchanged'], []]);

  const { pruned } = await applySet([], options, tools, signal);
  expect(pruned).toEqual([
    { object: 'ConfigMap shop/settings' },
    { object: 'Namespace shop', kept: 'what is kept in it would be lost' },
  ]);
  expect([...cluster.objects.values()].map(({ metadata }) => metadata.name)).toEqual([
    'shop',
    'copied-by-hand',
    'copied-by-a-controller',
  ]);
});

test('kinds that cannot be looked through are told, and nothing of theirs goes', async () => {
  await applySet([settings], options, tools, signal);
  cluster.out = ['down/v1'];
  cluster.before = (asked) => {
    if (asked.startsWith('list ConfigMap')) throw new Problem('kubernetes-unavailable', 'It is not available.');
  };
  expect(await applySet([], options, tools, signal)).toEqual({
    applied: [],
    pruned: [],
    unseen: ['ConfigMap of v1: It is not available.', 'down/v1: the server behind it does not answer'],
  });
});

test('a preview asks the server and changes nothing', async () => {
  await applySet([namespace, settings], options, tools, signal);
  const before = new Map(cluster.objects);
  const changed = { ...settings, data: { a: '2' } };
  const preview = await previewSet([changed, thing], options, tools, signal);
  expect(preview.applied).toEqual([
    {
      object: 'ConfigMap shop/settings',
      outcome: 'changed',
      differences: [{ path: 'data.a', from: '1', to: '2' }],
    },
    expect.objectContaining({ object: 'Thing one', outcome: 'created' }),
  ]);
  expect(preview.pruned).toEqual([{ object: 'Namespace shop', kept: 'what is kept in it would be lost' }]);
  expect(cluster.objects).toEqual(before);
});

test('time that runs out names what is missing, and why', async () => {
  const deployment = manifest(
    'apps/v1',
    'Deployment',
    'web',
    { spec: { replicas: 2, selector: { matchLabels: { a: 'b' } } } },
    'shop',
  );
  cluster.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop', labels: { a: 'b' } },
    spec: { nodeName: 'cp-1' },
    status: { containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] },
  });
  await expect(applySet([deployment], options, tools, signal)).rejects.toMatchObject({
    code: 'took-too-long',
    recovery: 'wait',
    message:
      'Waited 10 s for Deployment shop/web, in vain: 0 of 2 pods are up to date; web-1 on cp-1 waits: ImagePullBackOff.',
  });
});

test('what fails for good ends the wait at once', async () => {
  const job = manifest('batch/v1', 'Job', 'j', {
    status: { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] },
  });
  await expect(applySet([job], options, tools, signal)).rejects.toMatchObject({
    code: 'kubernetes-never-ready',
    message: 'Job default/j: it failed: BackoffLimitExceeded.',
  });
  expect(now).toBe(0);
});

test('an object of another set is not taken over in passing', async () => {
  cluster.put({ ...settings, metadata: { ...settings.metadata, labels: { 'ichor.dev/set': 'other' } } });
  await expect(applySet([settings], options, tools, signal)).rejects.toMatchObject({
    code: 'set-of-others',
    message: 'ConfigMap shop/settings belongs to the set other, and not to demo.',
  });
});

test('the same object twice is a mistake, also where one names the namespace and the other does not', async () => {
  const twice = [manifest('v1', 'ConfigMap', 'a', {}, 'default'), manifest('v1', 'ConfigMap', 'a')];
  await expect(applySet(twice, options, tools, signal)).rejects.toMatchObject({
    code: 'set-has-twice',
    message: 'The set demo has ConfigMap default/a twice.',
  });
});
