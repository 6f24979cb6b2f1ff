import { expect } from 'vitest';
import type { KubeObject } from '../../../../src/wire/kubernetes/objects.ts';
import { bad, holds, invalid, like, nowhere, plain, refuses, time, unknown, type Chapter } from '../case.ts';
import { deployment, pod } from '../objects.ts';
import type { World } from '../world.ts';

const idle = (world: World): Promise<KubeObject> =>
  world.make('apps/v1/deployments', deployment('web', { replicas: 0, paused: true }));
const onNode = (world: World): Promise<KubeObject> =>
  world.make('pods', pod('a', { nodeName: 'n-{ns}' }, { labels: { app: 'a' } }));

const budget = (spec: object): object => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'budget' },
  spec: { selector: { matchLabels: { app: 'a' } }, ...spec },
});

const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };

export const subresources: Chapter = {
  title: 'subresources',
  cases: [
    holds('scale of a deployment', async (world) => {
      await idle(world);
      expect(plain(await world.get('apps/v1/deployments/web/scale'))).toEqual({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'web', namespace: world.ns },
        spec: {},
        status: { replicas: 0, selector: 'app=web' },
      });
    }),
    holds('a scale that is replaced scales', async (world) => {
      await idle(world);
      const after = await world.put('apps/v1/deployments/web/scale', {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'web', namespace: world.ns },
        spec: { replicas: 2 },
      });
      expect(after).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } });
      expect(await world.get('apps/v1/deployments/web')).toMatchObject({
        metadata: { generation: 2 },
        spec: { replicas: 2 },
      });
    }),
    refuses(
      'a scale below nothing',
      { given: idle, call: 'PATCH apps/v1/deployments/web/scale', body: { spec: { replicas: -1 } } },
      invalid('Scale.autoscaling', 'web', [
        ['spec.replicas', 'FieldValueInvalid', 'Invalid value: -1: must be greater than or equal to 0'],
      ]),
    ),
    refuses(
      'a scale of what is not there',
      { call: 'GET apps/v1/deployments/web/scale' },
      unknown('deployments.apps', 'web'),
    ),
    refuses('a subresource that there is none of', { given: idle, call: 'GET apps/v1/deployments/web/mood' }, nowhere),
    holds('status of a pod is replaced', async (world) => {
      const made = await onNode(world);
      const after = await world.put('pods/a/status', {
        ...made,
        status: { phase: 'Running', podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] },
      });
      expect(after).toMatchObject({ status: { phase: 'Running', podIP: '10.1.2.3' } });
    }),
    holds('a binding puts a pod onto a node', async (world) => {
      await world.make('pods', pod('a'));
      const answer = await world.make('pods/a/binding', {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'a' },
        target: { apiVersion: 'v1', kind: 'Node', name: 'n-{ns}' },
      });
      expect(answer).toMatchObject({ kind: 'Status', status: 'Success', code: 201 });
      expect(await world.get('pods/a')).toMatchObject({
        spec: { nodeName: `n-${world.ns}` },
        status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
      });
    }),
    refuses(
      'a second binding',
      {
        given: onNode,
        call: 'POST pods/a/binding',
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: 'a' },
          target: { kind: 'Node', name: 'other' },
        },
      },
      {
        code: 409,
        reason: 'Conflict',
        message: 'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "n-{ns}"',
        details: { name: 'a', kind: 'pods/binding' },
      },
    ),
    holds('an eviction without a budget deletes', async (world) => {
      await onNode(world);
      expect(await world.make('pods/a/eviction', eviction)).toMatchObject({
        kind: 'Status',
        status: 'Success',
        code: 201,
      });
      expect((await world.get('pods/a')).metadata).toHaveProperty('deletionTimestamp');
    }),
    refuses('an eviction of what is not there', { call: 'POST pods/a/eviction', body: eviction }, unknown('pods', 'a')),
    refuses(
      'an eviction that a budget does not allow',
      {
        given: async (world) => {
          const made = await onNode(world);
          await world.make('policy/v1/poddisruptionbudgets', budget({ minAvailable: 1 }));
          await world.put('pods/a/status', {
            ...made,
            status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
          });
          await world.until('the budget counts the pod', async () => {
            const { status } = await world.get('policy/v1/poddisruptionbudgets/budget');
            const { currentHealthy, observedGeneration } = (status ?? {}) as Record<string, number>;
            return currentHealthy === 1 && observedGeneration === 1;
          });
        },
        call: 'POST pods/a/eviction',
        body: eviction,
      },
      {
        code: 429,
        reason: 'TooManyRequests',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        details: {
          causes: [
            {
              reason: 'DisruptionBudget',
              message: 'The disruption budget budget needs 1 healthy pods and has 1 currently',
            },
          ],
        },
      },
    ),
    holds('a budget says why it allows nothing', async (world) => {
      await onNode(world);
      await world.make('policy/v1/poddisruptionbudgets', budget({ minAvailable: 1 }));
      const { status } = await world.until('the budget is judged', async () => {
        const found = await world.get('policy/v1/poddisruptionbudgets/budget');
        return (found['status'] as { conditions?: unknown[] }).conditions === undefined ? undefined : found;
      });
      expect(status).toEqual({
        observedGeneration: 1,
        disruptionsAllowed: 0,
        currentHealthy: 0,
        desiredHealthy: 1,
        expectedPods: 1,
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: 'False',
            observedGeneration: 1,
            lastTransitionTime: time(),
            reason: 'InsufficientPods',
            message: '',
          },
        ],
      });
    }),
    holds('a dry run of an eviction evicts nothing', async (world) => {
      await onNode(world);
      await world.make('pods/a/eviction?dryRun=All', eviction);
      expect((await world.get('pods/a')).metadata).not.toHaveProperty('deletionTimestamp');
    }),
    refuses('logs of a pod that is nowhere', { call: 'GET pods/a/log' }, unknown('pods', 'a')),
    refuses(
      'logs of a container that there is none of',
      {
        given: (world) => world.make('pods', pod('a')),
        call: 'GET pods/a/log?container=other',
      },
      bad('container other is not valid for pod a'),
    ),
    refuses(
      'logs of a pod with two containers, without saying which',
      {
        given: (world) =>
          world.make('pods', pod('a', { containers: ['x', 'y'].map((name) => ({ name, image: 'pause' })) })),
        call: 'GET pods/a/log',
      },
      bad('a container name must be specified for pod a, choose one of: [x y]'),
    ),
    holds('logs of a pod that is on no node are nothing', async (world) => {
      await world.make('pods', pod('a'));
      const { status, body } = await world.ask('GET pods/a/log');
      expect([status, body]).toEqual([204, '']);
    }),
    holds('the finalizers of a namespace are a subresource', async (world) => {
      const name = `more-${world.ns}`;
      const made = await world.make('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
        spec: { finalizers: ['example.com/hold'] },
      });
      expect(made['spec']).toEqual({ finalizers: ['example.com/hold', 'kubernetes'] });
      const after = await world.put(`/api/v1/namespaces/${name}/finalize`, { ...made, spec: { finalizers: [] } });
      expect(after['spec']).toEqual({});
      await world.remove(`/api/v1/namespaces/${name}`);
    }),
    holds('a token of a service account', async (world) => {
      await world.make('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
      const { status, body } = await world.ask('POST serviceaccounts/robot/token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 600 },
      });
      expect({ status, body }).toMatchObject({
        status: 201,
        body: {
          kind: 'TokenRequest',
          metadata: { name: 'robot', namespace: world.ns, creationTimestamp: time() },
          spec: { audiences: ['https://kubernetes.default.svc'], expirationSeconds: 600, boundObjectRef: null },
          status: { token: like(/^ey[\w-]+\.[\w-]+\.[\w-]+$/), expirationTimestamp: time() },
        },
      });
    }),
    refuses(
      'a token that is to live for a moment',
      {
        given: (world) =>
          world.make('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } }),
        call: 'POST serviceaccounts/robot/token',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 60 } },
      },
      {
        code: 422,
        reason: 'Invalid',
        message:
          'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
        details: {
          group: 'authentication.k8s.io',
          kind: 'TokenRequest',
          causes: [
            {
              reason: 'FieldValueInvalid',
              message: 'Invalid value: 60: may not specify a duration less than 10 minutes',
              field: 'spec.expirationSeconds',
            },
          ],
        },
      },
    ),
    refuses(
      'a token of nobody',
      {
        call: 'POST serviceaccounts/nobody/token',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      },
      unknown('serviceaccounts', 'nobody'),
    ),
  ],
};
