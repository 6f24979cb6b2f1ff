import { expect } from 'vitest';
import type { KubeObject } from '../../../../src/wire/kubernetes/objects.ts';
import { forbidden, holds, invalid, like, refuses, time, type Chapter } from '../case.ts';
import { configMap } from '../objects.ts';
import { gone, type World } from '../world.ts';

const own = async (world: World): Promise<string> => {
  const name = `own-${world.ns}`;
  await world.make('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
};

export const namespaces: Chapter = {
  title: 'namespaces',
  cases: [
    holds('a namespace is active, labelled, and has a finalizer of its own', async (world) => {
      const made = await world.get('/api/v1/namespaces/{ns}');
      expect(made).toMatchObject({
        metadata: { labels: { 'kubernetes.io/metadata.name': world.ns } },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      });
    }),
    holds('a namespace comes with a service account and the certificate of the cluster', async (world) => {
      await world.until('both are there', async () => {
        const codes = await Promise.all(
          ['serviceaccounts/default', 'configmaps/kube-root-ca.crt'].map(
            async (path) => (await world.ask(`GET ${path}`)).status,
          ),
        );
        return codes.every((code) => code === 200);
      });
      expect((await world.get('configmaps/kube-root-ca.crt'))['data']).toEqual({
        'ca.crt': like(/^-----BEGIN CERTIFICATE-----/),
      });
    }),
    holds('a namespace ends with everything in it', async (world) => {
      const name = await own(world);
      await world.make(`/api/v1/namespaces/${name}/configmaps`, configMap('a'));
      const going = (await world.remove(`/api/v1/namespaces/${name}`)) as KubeObject;
      expect(going).toMatchObject({ status: { phase: 'Terminating' }, metadata: { deletionTimestamp: time() } });
      await gone(world, `/api/v1/namespaces/${name}`);
      expect((await world.list(`/api/v1/namespaces/${name}/configmaps`)).items).toEqual([]);
    }),
    holds('a namespace waits for the finalizers of what is in it, and says so', async (world) => {
      const name = await own(world);
      await world.make(
        `/api/v1/namespaces/${name}/configmaps`,
        configMap('a', {}, { finalizers: ['example.com/hold'] }),
      );
      await world.remove(`/api/v1/namespaces/${name}`);
      const conditions = await world.until('it says why', async () => {
        const { status } = await world.get(`/api/v1/namespaces/${name}`);
        const said = (status as { conditions?: { type: string; status: string; message: string }[] }).conditions ?? [];
        return said.some(({ type, status: is }) => type === 'NamespaceFinalizersRemaining' && is === 'True')
          ? said
          : undefined;
      });
      expect(conditions).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            type: 'NamespaceContentRemaining',
            status: 'True',
            reason: 'SomeResourcesRemain',
            message: 'Some resources are remaining: configmaps. has 1 resource instances',
          }),
          expect.objectContaining({
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            reason: 'SomeFinalizersRemain',
            message: 'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
          }),
        ]),
      );
      await world.patch(`/api/v1/namespaces/${name}/configmaps/a`, { metadata: { finalizers: null } });
      await gone(world, `/api/v1/namespaces/${name}`);
    }),
    refuses(
      'nothing new comes into a namespace that ends',
      {
        given: async (world) => {
          await world.make('configmaps', configMap('a', {}, { finalizers: ['example.com/hold'] }));
          await world.remove('/api/v1/namespaces/{ns}');
          await world.until(
            'it is ending',
            async () => (await world.ask('POST configmaps?dryRun=All', configMap('b'))).status === 403,
          );
        },
        call: 'POST configmaps',
        body: configMap('b'),
      },
      {
        ...forbidden(
          'configmaps',
          'b',
          'unable to create new content in namespace {ns} because it is being terminated',
        ),
        details: {
          name: 'b',
          kind: 'configmaps',
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: 'namespace {ns} is being terminated',
              field: 'metadata.namespace',
            },
          ],
        },
      },
    ),
    refuses(
      'the namespaces of the system stay',
      { call: 'DELETE /api/v1/namespaces/default' },
      forbidden('namespaces', 'default', 'this namespace may not be deleted'),
    ),
    refuses(
      'a name with a dot',
      { call: 'POST /api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a.b' } } },
      invalid('Namespace', 'a.b', [
        ['metadata.name', 'FieldValueInvalid', 'Invalid value: "a.b": must not contain dots'],
      ]),
    ),
  ],
};
