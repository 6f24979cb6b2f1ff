import { beforeEach, expect, test } from 'vitest';
import { FakeKubernetes } from '../../test/fake-kubernetes.ts';
import { Problem } from '../model/problem.ts';
import { cordon, drain, type DrainEvent, type DrainOptions, type DrainTools } from './drain.ts';

const options: DrainOptions = { consent: { unmanaged: false, emptyDir: false }, atMostMs: 30_000 };
const signal = new AbortController().signal;

let cluster: FakeKubernetes;
let now: number;
let told: string[];
let tools: DrainTools;
let meanwhile: (ms: number) => void;

const inWords = (event: DrainEvent): string =>
  event.kind === 'waits'
    ? `waits for ${event.for}: ${event.because}`
    : event.kind === 'cordoned'
      ? `cordoned ${event.node}`
      : `${event.kind} ${event.pod}`;

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
  };
  cluster.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'w-1' }, spec: {} });
});

const owner = (kind: string) => [{ apiVersion: 'apps/v1', kind, name: 'web', uid: 'u', controller: true }];
const pod = (name: string, metadata: object = { ownerReferences: owner('ReplicaSet') }, fields: object = {}) =>
  cluster.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', labels: { app: 'web' }, ...metadata },
    spec: { nodeName: 'w-1' },
    ...fields,
  });

test('what may go goes; mirror pods and those of daemon sets stay', async () => {
  pod('web-1');
  pod('agent', { ownerReferences: owner('DaemonSet') });
  pod('static', { annotations: { 'kubernetes.io/config.mirror': 'x' } });
  pod('ran', {}, { status: { phase: 'Succeeded' } });
  pod('elsewhere', undefined, { spec: { nodeName: 'w-2' } });
  expect(await drain('w-1', options, tools, signal)).toEqual({
    node: 'w-1',
    gone: ['shop/web-1', 'shop/ran'],
    skipped: [
      { pod: 'shop/agent', because: 'DaemonSet web has one on every node' },
      { pod: 'shop/static', because: 'the node itself runs it' },
    ],
  });
  expect(told.filter((line) => !line.startsWith('waits'))).toEqual([
    'cordoned w-1',
    'skipped shop/agent',
    'skipped shop/static',
    'evicted shop/web-1',
    'evicted shop/ran',
    'gone shop/web-1',
    'gone shop/ran',
  ]);
  expect(cluster.objects.get('v1 Node  w-1')?.['spec']).toEqual({ unschedulable: true });
});

test('what would be lost needs a yes, and nothing goes before it is said', async () => {
  pod('web-1');
  pod('alone', {});
  pod('scratch', undefined, { spec: { nodeName: 'w-1', volumes: [{ name: 'tmp', emptyDir: {} }] } });
  await expect(drain('w-1', options, tools, signal)).rejects.toMatchObject({
    problems: [
      {
        code: 'drain-needs-yes',
        message: 'shop/alone on w-1 stays: nobody makes it anew.',
        remedy: 'Say that it may go with --unmanaged. The node is cordoned, and nothing was evicted.',
      },
      {
        message: 'shop/scratch on w-1 stays: what it keeps in an emptyDir is lost.',
        remedy: 'Say that it may go with --delete-emptydir-data. The node is cordoned, and nothing was evicted.',
      },
    ],
  });
  expect(cluster.asked.filter((asked) => asked.startsWith('evict'))).toEqual([]);
  const { gone } = await drain('w-1', { ...options, consent: { unmanaged: true, emptyDir: true } }, tools, signal);
  expect(gone).toEqual(['shop/web-1', 'shop/alone', 'shop/scratch']);
});

const budget = () => {
  cluster.put({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector: { matchLabels: { app: 'web' } } },
    status: { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 },
  });
};
const refused = new Problem('kubernetes-disruption-budget', 'Cannot evict pod.', { recovery: 'wait' });

test('a budget that does not allow it is named, and asked again', async () => {
  budget();
  pod('web-1');
  cluster.before = (asked) => {
    if (asked === 'evict Pod web-1' && now < 3000) throw refused;
  };
  await drain('w-1', options, tools, signal);
  expect(told).toEqual([
    'cordoned w-1',
    'waits for shop/web-1: PodDisruptionBudget web allows 0 of its pods to go (2 healthy, 2 needed)',
    'evicted shop/web-1',
    'waits for shop/web-1: it is ending',
    'gone shop/web-1',
  ]);
  expect(now).toBe(4000);
});

test('two budgets that speak of one pod are both named, and nobody waits for them', async () => {
  budget();
  cluster.put({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'all', namespace: 'shop' },
    spec: { selector: {} },
    status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 },
  });
  pod('web-1');
  cluster.before = (asked) => {
    if (asked === 'evict Pod web-1')
      throw new Problem('kubernetes-failed', 'This pod has more than one PodDisruptionBudget, which …', {
        recovery: 'retry',
      });
  };
  await expect(drain('w-1', options, tools, signal)).rejects.toMatchObject({
    code: 'drain-budgets-overlap',
    recovery: 'ask',
    message:
      'shop/web-1 cannot be evicted: more than one budget speaks of it. PodDisruptionBudget web allows 0 of its pods to go (2 healthy, 2 needed); PodDisruptionBudget all allows 1 of its pods to go (2 healthy, 1 needed).',
  });
});

test('time that runs out says what is still there, and why', async () => {
  budget();
  pod('web-1');
  pod('held', { ownerReferences: owner('Job'), deletionTimestamp: '2026-11-17T09:00:00Z', finalizers: ['a/b'] });
  cluster.before = (asked) => {
    if (asked === 'evict Pod web-1') throw refused;
  };
  await expect(drain('w-1', options, tools, signal)).rejects.toMatchObject({
    code: 'drain-took-too-long',
    recovery: 'wait',
    message: `w-1 is not empty after 30 s. Still there:
  shop/web-1: PodDisruptionBudget web allows 0 of its pods to go (2 healthy, 2 needed).
  shop/held: it is ending, held by a/b.`,
  });
});

test('a pod of the same name that came anew is another one', async () => {
  const old = pod('web-0');
  meanwhile = () => cluster.put({ ...old, metadata: { ...old.metadata, uid: 'another' } });
  cluster.before = (asked) => {
    if (asked === 'evict Pod web-0')
      meanwhile = () => pod('web-0', { uid: 'another', ownerReferences: owner('StatefulSet') });
  };
  expect((await drain('w-1', options, tools, signal)).gone).toEqual(['shop/web-0']);
});

test('a node that is not there', async () => {
  await expect(drain('w-9', options, tools, signal)).rejects.toMatchObject({ code: 'no-such-node' });
});

test('letting things onto a node again', async () => {
  expect(await cordon('w-1', true, tools, signal)).toBe(true);
  expect(await cordon('w-1', true, tools, signal)).toBe(false);
  expect(await cordon('w-1', false, tools, signal)).toBe(true);
  expect(cluster.objects.get('v1 Node  w-1')?.['spec']).toEqual({ unschedulable: null });
});
