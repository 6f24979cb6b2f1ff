import { expect } from 'vitest';
import { bad, holds, like, nowhere, plain, refuses, unknown, type Chapter } from '../case.ts';
import { configMap, secret } from '../objects.ts';
import type { World } from '../world.ts';

const mapA = (world: World): Promise<unknown> => world.make('configmaps', configMap('a', { colour: 'red' }));

export const reading: Chapter = {
  title: 'reading',
  cases: [
    holds('an object is there as it was made', async ({ make, get }) => {
      const made = await make('configmaps', configMap('a', { colour: 'red' }));
      expect(await get('configmaps/a')).toEqual(made);
    }),
    refuses('an object that is not there', { call: 'GET configmaps/a' }, unknown('configmaps', 'a')),
    refuses(
      'an object of a group that is not there',
      { call: 'GET apps/v1/deployments/a' },
      unknown('deployments.apps', 'a'),
    ),
    refuses('a resource that nobody serves', { call: 'GET gnomes/a' }, nowhere),
    holds('a path that nobody serves', async ({ ask }) => {
      const { status, body } = await ask('GET /elsewhere');
      expect({ status, body }).toEqual({ status: 404, body: '404 page not found\n' });
    }),
    refuses(
      'a form that nobody writes',
      { given: mapA, call: 'GET configmaps/a', accept: 'text/html' },
      {
        code: 406,
        reason: 'NotAcceptable',
        message:
          '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
        details: {},
      },
    ),
    refuses(
      'a method that a path does not have',
      { call: 'POST configmaps/a', body: configMap('a') },
      {
        code: 405,
        reason: 'MethodNotAllowed',
        message: 'the server does not allow this method on the requested resource',
        details: {},
      },
    ),
    holds('as YAML', async ({ make, ask }) => {
      await make('configmaps', configMap('a', { colour: 'red' }));
      const { status, headers, body } = await ask('GET configmaps/a', undefined, { accept: 'application/yaml' });
      expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/yaml' });
      expect(body).toMatch(
        /^apiVersion: v1\ndata:\n {2}colour: red\nkind: ConfigMap\nmetadata:\n {2}creationTimestamp: "/,
      );
    }),
    holds('binary data of a secret comes back, text is folded in', async ({ make }) => {
      const made = await make('secrets', secret('a', { stringData: { one: '1' }, data: { two: 'Mg==' } }));
      expect(plain(made)).toMatchObject({ type: 'Opaque', data: { one: 'MQ==', two: 'Mg==' } });
      expect(made).not.toHaveProperty('stringData');
    }),
    refuses(
      'a secret whose data is not base64',
      { call: 'POST secrets', body: secret('a', { data: { one: '!' } }) },
      bad('Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0'),
    ),
    holds('metadata alone', async ({ make, ask, ns }) => {
      await make('configmaps', configMap('a', { colour: 'red' }));
      const { body } = await ask('GET configmaps/a', undefined, {
        accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      });
      expect(plain(body)).toEqual({
        apiVersion: 'meta.k8s.io/v1',
        kind: 'PartialObjectMetadata',
        metadata: { name: 'a', namespace: ns },
      });
    }),
    holds('/version says which', async ({ ask }) => {
      const { status, body } = await ask('GET /version');
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { major: '1', minor: '36', gitVersion: like(/^v1\.36\./) },
      });
    }),
    holds('healthz, livez and readyz say ok', async ({ ask }) => {
      const said = await Promise.all(
        ['/healthz', '/livez', '/readyz'].map(async (path) => (await ask(`GET ${path}`)).body),
      );
      expect(said).toEqual(['ok', 'ok', 'ok']);
    }),
  ],
};
