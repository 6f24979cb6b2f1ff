import { expect } from 'vitest';
import type { KubeObject } from '../../../../src/wire/kubernetes/objects.ts';
import { bad, holds, invalid, plain, refuses, unknown, type Chapter, type Refused } from '../case.ts';
import { configMap, deployment, secret, service } from '../objects.ts';
import type { World } from '../world.ts';

const made = (world: World): Promise<KubeObject> => world.make('configmaps', configMap('a', { colour: 'red' }));

const stale = (kind: string, name: string): Refused => ({
  code: 409,
  reason: 'Conflict',
  message: `Operation cannot be fulfilled on ${kind} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
  details: { name, kind },
});

export const updating: Chapter = {
  title: 'updating',
  cases: [
    holds('a replacement has a new version and keeps who it is', async (world) => {
      const before = await made(world);
      const after = await world.put('configmaps/a', { ...before, data: { colour: 'blue' } });
      expect(after.metadata.uid).toBe(before.metadata.uid);
      expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
      expect(after['data']).toEqual({ colour: 'blue' });
    }),
    holds('a replacement that changes nothing has the same version', async (world) => {
      const before = await made(world);
      expect((await world.put('configmaps/a', before)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    }),
    holds('without a version it wins over whatever is there', async (world) => {
      await made(world);
      expect(plain(await world.put('configmaps/a', configMap('a', { colour: 'green' })))).toMatchObject({
        data: { colour: 'green' },
      });
    }),
    refuses(
      'with a version that is not the newest',
      {
        given: made,
        call: 'PUT configmaps/a',
        body: configMap('a', {}, { resourceVersion: '1' }),
      },
      stale('configmaps', 'a'),
    ),
    refuses(
      'with a version that is no number',
      { given: made, call: 'PUT configmaps/a', body: configMap('a', {}, { resourceVersion: 'x' }) },
      { code: 500, message: 'strconv.ParseUint: parsing "x": invalid syntax' },
    ),
    refuses('what is not there', { call: 'PUT configmaps/a', body: configMap('a') }, unknown('configmaps', 'a')),
    refuses(
      'with another name than the path says',
      { given: made, call: 'PUT configmaps/a', body: configMap('b') },
      bad('the name of the object (b) does not match the name on the URL (a)'),
    ),
    refuses(
      'somebody else of the same name',
      { given: made, call: 'PUT configmaps/a', body: configMap('a', {}, { uid: 'other' }) },
      {
        code: 409,
        reason: 'Conflict',
        message:
          /^Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: \/registry\/configmaps\/case-[0-9a-f]+\/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: [0-9a-f-]{36}$/,
        details: { name: 'a', kind: 'configmaps' },
      },
    ),
    holds('what a replacement leaves out is gone', async (world) => {
      await world.make('configmaps', configMap('a', { one: '1', two: '2' }, { labels: { x: 'y' } }));
      expect(plain(await world.put('configmaps/a', configMap('a', { one: '1' })))).toEqual({
        ...configMap('a', { one: '1' }),
        metadata: { name: 'a', namespace: world.ns },
      });
    }),
    refuses(
      'an immutable config map',
      {
        given: ({ make }) => make('configmaps', { ...configMap('a', { one: '1' }), immutable: true }),
        call: 'PUT configmaps/a',
        body: { ...configMap('a', { one: '2' }), immutable: true },
      },
      invalid('ConfigMap', 'a', [
        ['data', 'FieldValueForbidden', 'Forbidden: field is immutable when `immutable` is set'],
      ]),
    ),
    refuses(
      'the type of a secret',
      {
        given: ({ make }) => make('secrets', secret('a')),
        call: 'PUT secrets/a',
        body: secret('a', { type: 'kubernetes.io/other' }),
      },
      invalid('Secret', 'a', [
        ['type', 'FieldValueInvalid', 'Invalid value: "kubernetes.io/other": field is immutable'],
      ]),
    ),
    refuses(
      'the selector of a deployment',
      {
        given: ({ make }) => make('apps/v1/deployments', deployment('web')),
        call: 'PATCH apps/v1/deployments/web',
        body: {
          spec: {
            selector: { matchLabels: { app: 'web', more: 'x' } },
            template: { metadata: { labels: { more: 'x' } } },
          },
        },
      },
      invalid('Deployment.apps', 'web', [
        [
          'spec.selector',
          'FieldValueInvalid',
          'Invalid value: {"matchLabels":{"app":"web","more":"x"}}: field is immutable',
        ],
      ]),
    ),
    refuses(
      'the cluster address of a service',
      {
        given: ({ make }) => make('services', service('web')),
        call: 'PATCH services/web',
        body: { spec: { clusterIP: '10.96.200.200', clusterIPs: ['10.96.200.200'] } },
      },
      {
        code: 422,
        reason: 'Invalid',
        message:
          'Service "web" is invalid: spec.clusterIPs[0]: Invalid value: ["10.96.200.200"]: may not change once set',
        details: {
          name: 'web',
          kind: 'Service',
          causes: [
            {
              reason: 'FieldValueInvalid',
              message: 'Invalid value: ["10.96.200.200"]: may not change once set',
              field: 'spec.clusterIPs[0]',
            },
          ],
        },
      },
    ),
    holds('the generation counts what changes the spec, and nothing else', async ({ make, patch }) => {
      const first = await make('apps/v1/deployments', deployment('web', { replicas: 0, paused: true }));
      const labelled = await patch('apps/v1/deployments/web', { metadata: { labels: { a: 'b' } } });
      const scaled = await patch('apps/v1/deployments/web', { spec: { minReadySeconds: 3 } });
      expect([first, labelled, scaled].map(({ metadata }) => metadata.generation)).toEqual([1, 1, 2]);
    }),
    holds('the status does not change with the object', async ({ make, patch, get }) => {
      await make('pods', { ...podOf('a'), status: { phase: 'Running' } });
      await patch('pods/a', { status: { phase: 'Succeeded' } });
      expect(await get('pods/a')).toMatchObject({ status: { phase: 'Pending' } });
    }),
    holds('the object does not change with the status', async ({ make, patch }) => {
      await make('apps/v1/deployments', deployment('web', { replicas: 0 }));
      const after = await patch('apps/v1/deployments/web/status', {
        spec: { replicas: 9 },
        status: { conditions: [{ type: 'Odd', status: 'True' }] },
      });
      expect(after).toMatchObject({ spec: { replicas: 0 }, status: { conditions: [{ type: 'Odd', status: 'True' }] } });
    }),
    holds('a dry run of a replacement answers it and keeps the old', async (world) => {
      const before = await made(world);
      const after = await world.put('configmaps/a?dryRun=All', configMap('a', { colour: 'blue' }));
      expect(plain(after)).toMatchObject({ data: { colour: 'blue' } });
      expect(await world.get('configmaps/a')).toEqual(before);
    }),
    holds('what the server decided stays, whatever is sent', async (world) => {
      const before = await made(world);
      const after = await world.put('configmaps/a', {
        ...before,
        metadata: { ...before.metadata, creationTimestamp: '2001-01-01T00:00:00Z', generation: 7, selfLink: '/x' },
      });
      expect(after.metadata.creationTimestamp).toBe(before.metadata.creationTimestamp);
      expect(after.metadata).not.toHaveProperty('generation');
    }),
  ],
};

const podOf = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'pause' }], automountServiceAccountToken: false },
});
