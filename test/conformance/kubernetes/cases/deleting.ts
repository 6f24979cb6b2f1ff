import { expect } from 'vitest';
import type { KubeObject } from '../../../../src/wire/kubernetes/objects.ts';
import { bad, holds, refuses, time, unknown, type Chapter } from '../case.ts';
import { configMap, labelled, pod } from '../objects.ts';
import type { World } from '../world.ts';

const held = (world: World): Promise<KubeObject> =>
  world.make('configmaps', configMap('a', { one: '1' }, { finalizers: ['example.com/hold'] }));

const namesOf = async (world: World, call: string): Promise<readonly unknown[]> =>
  (await world.list(call)).items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');

export const deleting: Chapter = {
  title: 'deleting',
  cases: [
    holds('what had no finalizers is gone, and a Status says so', async ({ make, remove, ask }) => {
      const { metadata } = await make('configmaps', configMap('a'));
      expect(await remove('configmaps/a')).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'a', kind: 'configmaps', uid: metadata.uid },
      });
      expect((await ask('GET configmaps/a')).status).toBe(404);
    }),
    refuses('what is not there', { call: 'DELETE configmaps/a' }, unknown('configmaps', 'a')),
    holds('finalizers hold it, with the time of its deletion', async (world) => {
      await held(world);
      const { status, body } = await world.ask('DELETE configmaps/a');
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          kind: 'ConfigMap',
          metadata: { deletionTimestamp: time(), deletionGracePeriodSeconds: 0, finalizers: ['example.com/hold'] },
        },
      });
    }),
    holds('it is gone with its last finalizer', async (world) => {
      await held(world);
      await world.remove('configmaps/a');
      await world.patch('configmaps/a', { metadata: { finalizers: null } });
      expect((await world.ask('GET configmaps/a')).status).toBe(404);
    }),
    holds('deleting twice moves no time', async (world) => {
      await held(world);
      const once = (await world.remove('configmaps/a')) as KubeObject;
      const twice = (await world.remove('configmaps/a')) as KubeObject;
      expect(twice).toEqual(once);
    }),
    refuses(
      'a new finalizer on what is being deleted',
      {
        given: async (world) => {
          await held(world);
          await world.remove('configmaps/a');
        },
        call: 'PATCH configmaps/a',
        body: { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } },
      },
      {
        code: 422,
        reason: 'Invalid',
        message:
          'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/more"}',
        details: {
          name: 'a',
          kind: 'ConfigMap',
          causes: [
            {
              reason: 'FieldValueForbidden',
              message:
                'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/more"}',
              field: 'metadata.finalizers',
            },
            // Once of the generic rules and once of the kind's own.
            {
              reason: 'FieldValueForbidden',
              message:
                'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/more"}',
              field: 'metadata.finalizers',
            },
          ],
        },
      },
    ),
    holds('what is being deleted can still be changed', async (world) => {
      await held(world);
      await world.remove('configmaps/a');
      expect(await world.patch('configmaps/a', { data: { two: '2' } })).toMatchObject({ data: { one: '1', two: '2' } });
    }),
    refuses(
      'only if it is who one thinks',
      {
        given: (world) => world.make('configmaps', configMap('a')),
        call: 'DELETE configmaps/a',
        body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } },
      },
      {
        code: 409,
        reason: 'Conflict',
        message:
          /^Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition \(other\) does not match the UID in record \([0-9a-f-]{36}\)\. The object might have been deleted and then recreated$/,
        details: { name: 'a', kind: 'ConfigMap' },
      },
    ),
    refuses(
      'only in the version that one knows',
      {
        given: (world) => world.make('configmaps', configMap('a')),
        call: 'DELETE configmaps/a',
        body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { resourceVersion: '1' } },
      },
      {
        code: 409,
        reason: 'Conflict',
        message:
          /^Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record \(\d+\)\. The object might have been modified$/,
        details: { name: 'a', kind: 'ConfigMap' },
      },
    ),
    holds('a dry run deletes nothing', async (world) => {
      const before = await world.make('configmaps', configMap('a'));
      await world.remove('configmaps/a?dryRun=All');
      expect(await world.get('configmaps/a')).toEqual(before);
    }),
    refuses(
      'with a way to propagate that there is none of',
      {
        given: (world) => world.make('configmaps', configMap('a')),
        call: 'DELETE configmaps/a?propagationPolicy=Sideways',
      },
      {
        code: 422,
        reason: 'Invalid',
        message:
          'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
        details: {
          group: 'meta.k8s.io',
          kind: 'DeleteOptions',
          causes: [
            {
              reason: 'FieldValueNotSupported',
              message: 'Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
              field: 'propagationPolicy',
            },
          ],
        },
      },
    ),
    refuses(
      'with options that are something else',
      {
        given: (world) => world.make('configmaps', configMap('a')),
        call: 'DELETE configmaps/a',
        body: configMap('a'),
      },
      bad('no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'),
    ),
    holds('all of a namespace', async (world) => {
      for (const name of ['a', 'b', 'c']) await world.make('configmaps', configMap(name));
      const gone = (await world.ask('DELETE configmaps')).body as { kind: string; items: readonly KubeObject[] };
      expect(gone.kind).toBe('ConfigMapList');
      expect(await namesOf(world, 'configmaps')).toEqual([]);
    }),
    holds('all that a selector finds', async (world) => {
      await world.make('configmaps', labelled('a', { tier: 'one' }));
      await world.make('configmaps', labelled('b', { tier: 'two' }));
      await world.ask('DELETE configmaps?labelSelector=tier%3Done');
      expect(await namesOf(world, 'configmaps')).toEqual(['b']);
    }),
    holds('a collection that is empty', async ({ ask }) => {
      const { status, body } = await ask('DELETE secrets');
      expect({ status, body }).toMatchObject({ status: 200, body: { kind: 'SecretList', items: [] } });
    }),
    holds('a pod that nobody runs ends at once', async (world) => {
      await world.make('pods', pod('a', { automountServiceAccountToken: false }));
      await world.remove('pods/a');
      expect((await world.ask('GET pods/a')).status).toBe(404);
    }),
    holds('a pod on a node is given its time', async (world) => {
      await world.make('pods', pod('a', { nodeName: 'n-{ns}', terminationGracePeriodSeconds: 33 }));
      const going = (await world.remove('pods/a')) as KubeObject;
      expect(going.metadata).toMatchObject({ deletionTimestamp: time(), deletionGracePeriodSeconds: 33 });
      const sooner = (await world.remove('pods/a', { gracePeriodSeconds: 5 })) as KubeObject;
      expect(sooner.metadata.deletionGracePeriodSeconds).toBe(5);
    }),
    holds('a pod that is ended at once is gone', async (world) => {
      await world.make('pods', pod('a', { nodeName: 'n-{ns}' }));
      await world.remove('pods/a', { gracePeriodSeconds: 0 });
      expect((await world.ask('GET pods/a')).status).toBe(404);
    }),
  ],
};
