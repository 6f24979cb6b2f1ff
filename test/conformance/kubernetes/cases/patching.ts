import { expect } from 'vitest';
import type { KubeObject } from '../../../../src/wire/kubernetes/objects.ts';
import { bad, holds, invalid, like, refuses, unknown, type Chapter } from '../case.ts';
import { configMap, deployment } from '../objects.ts';
import { patches, type World } from '../world.ts';

const map = (world: World): Promise<KubeObject> => world.make('configmaps', configMap('a', { one: '1', two: '2' }));
const json = { type: patches.json } as const;
const strategic = { type: patches.strategic } as const;

export const jsonPatches: Chapter = {
  title: 'JSON patches',
  cases: [
    holds('add, replace and remove', async (world) => {
      await map(world);
      const after = await world.patch(
        'configmaps/a',
        [
          { op: 'add', path: '/data/three', value: '3' },
          { op: 'replace', path: '/data/one', value: 'I' },
          { op: 'remove', path: '/data/two' },
        ],
        json,
      );
      expect(after['data']).toEqual({ one: 'I', three: '3' });
    }),
    holds('move, copy and test', async (world) => {
      await map(world);
      const after = await world.patch(
        'configmaps/a',
        [
          { op: 'test', path: '/data/one', value: '1' },
          { op: 'copy', from: '/data/one', path: '/data/again' },
          { op: 'move', from: '/data/two', path: '/data/moved' },
        ],
        json,
      );
      expect(after['data']).toEqual({ one: '1', again: '1', moved: '2' });
    }),
    holds('a slash and a tilde in a key are written otherwise', async (world) => {
      await map(world);
      const after = await world.patch(
        'configmaps/a',
        [
          { op: 'add', path: '/metadata/annotations', value: {} },
          { op: 'add', path: '/metadata/annotations/a~1b', value: 'x' },
        ],
        json,
      );
      expect(after.metadata.annotations).toEqual({ 'a/b': 'x' });
    }),
    refuses(
      'a test that does not hold',
      { given: map, call: 'PATCH configmaps/a', body: [{ op: 'test', path: '/data/one', value: '9' }], ...json },
      {
        code: 422,
        reason: 'Invalid',
        message: 'the server rejected our request due to an error in our request',
        details: {},
      },
    ),
    refuses(
      'to remove what is not there',
      { given: map, call: 'PATCH configmaps/a', body: [{ op: 'remove', path: '/data/nine' }], ...json },
      {
        code: 422,
        reason: 'Invalid',
        message: 'the server rejected our request due to an error in our request',
        details: {},
      },
    ),
    refuses(
      'an operation that there is none of',
      { given: map, call: 'PATCH configmaps/a', body: [{ op: 'twist', path: '/data/one' }], ...json },
      {
        code: 422,
        reason: 'Invalid',
        message: 'the server rejected our request due to an error in our request',
        details: {},
      },
    ),
    refuses(
      'an object where operations should be',
      { given: map, call: 'PATCH configmaps/a', body: { data: {} }, ...json },
      bad('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'),
    ),
    refuses(
      'what makes the object wrong',
      {
        given: map,
        call: 'PATCH configmaps/a',
        body: [{ op: 'add', path: '/data/not a key', value: '' }],
        ...json,
      },
      invalid('ConfigMap', 'a', [
        [
          'data[not a key]',
          'FieldValueInvalid',
          `Invalid value: "not a key": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
        ],
      ]),
    ),
  ],
};

export const mergePatches: Chapter = {
  title: 'merge patches',
  cases: [
    holds('null takes away, everything else is laid over', async (world) => {
      await map(world);
      const after = await world.patch('configmaps/a', { data: { one: null, three: '3' } });
      expect(after['data']).toEqual({ two: '2', three: '3' });
    }),
    holds('a list is replaced whole', async (world) => {
      await world.make('apps/v1/deployments', deployment('web'));
      const after = await world.patch('apps/v1/deployments/web', {
        spec: { template: { spec: { containers: [{ name: 'other', image: 'pause' }] } } },
      });
      expect(after).toMatchObject({ spec: { template: { spec: { containers: [{ name: 'other' }] } } } });
      expect(
        (after['spec'] as { template: { spec: { containers: unknown[] } } }).template.spec.containers,
      ).toHaveLength(1);
    }),
    holds('a patch that changes nothing gives the same version', async (world) => {
      const before = await map(world);
      expect((await world.patch('configmaps/a', { data: { one: '1' } })).metadata.resourceVersion).toBe(
        before.metadata.resourceVersion,
      );
    }),
    refuses(
      'with a version that is not the newest',
      { given: map, call: 'PATCH configmaps/a', body: { metadata: { resourceVersion: '1' }, data: { one: 'I' } } },
      {
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
        details: { name: 'a', kind: 'configmaps' },
      },
    ),
    refuses('what is not there', { call: 'PATCH configmaps/a', body: { data: {} } }, unknown('configmaps', 'a')),
    refuses(
      'another name',
      { given: map, call: 'PATCH configmaps/a', body: { metadata: { name: 'b' } } },
      bad('the name of the object (b) does not match the name on the URL (a)'),
    ),
    refuses(
      'a list where an object should be',
      { given: map, call: 'PATCH configmaps/a', body: [] },
      bad('error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'),
    ),
    holds('a number where text must be: the whole of the object is in the words', async (world) => {
      await map(world);
      expect((await world.ask('PATCH configmaps/a', { data: { one: 1 } })).body).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message: like(
          /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"v1\\",\\"data\\":\{\\"one\\":1,.*: json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
        ),
        details: { causes: [{ reason: 'FieldValueInvalid', field: 'patch' }] },
      });
    }),
    holds('an unknown field, when one is strict', async (world) => {
      await map(world);
      expect((await world.ask('PATCH configmaps/a?fieldValidation=Strict', { dada: {} })).body).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message: like(/^ "" is invalid: patch: Invalid value: .*: strict decoding error: unknown field "dada"$/),
        details: { causes: [{ reason: 'FieldValueInvalid', field: 'patch' }] },
      });
    }),
    refuses(
      'a kind of patch that there is none of',
      { given: map, call: 'PATCH configmaps/a', body: {}, type: 'application/json' },
      {
        code: 415,
        reason: 'UnsupportedMediaType',
        message: '415: Unsupported Media Type',
        details: {},
      },
    ),
  ],
};

export const strategicPatches: Chapter = {
  title: 'strategic merge patches',
  cases: [
    holds('containers are merged by their names', async (world) => {
      await world.make('apps/v1/deployments', deployment('web'));
      const after = await world.patch(
        'apps/v1/deployments/web',
        { spec: { template: { spec: { containers: [{ name: 'side', image: 'pause:2' }] } } } },
        strategic,
      );
      expect(containers(after)).toEqual([
        ['side', 'pause:2'],
        ['main', 'pause'],
      ]);
    }),
    holds('a container changes where its name is', async (world) => {
      await world.make('apps/v1/deployments', deployment('web'));
      const after = await world.patch(
        'apps/v1/deployments/web',
        { spec: { template: { spec: { containers: [{ name: 'main', image: 'pause:3' }] } } } },
        strategic,
      );
      expect(containers(after)).toEqual([['main', 'pause:3']]);
    }),
    holds('$patch: delete takes a container away', async (world) => {
      await world.make('apps/v1/deployments', twoContainers);
      const after = await world.patch(
        'apps/v1/deployments/web',
        { spec: { template: { spec: { containers: [{ name: 'one', $patch: 'delete' }] } } } },
        strategic,
      );
      expect(containers(after)).toEqual([['two', 'pause']]);
    }),
    holds('$patch: replace replaces', async (world) => {
      await world.make('apps/v1/deployments', twoContainers);
      const after = await world.patch(
        'apps/v1/deployments/web',
        { spec: { template: { spec: { containers: [{ name: 'three', image: 'pause' }, { $patch: 'replace' }] } } } },
        strategic,
      );
      expect(containers(after)).toEqual([['three', 'pause']]);
    }),
    holds('$setElementOrder puts them in order', async (world) => {
      await world.make('apps/v1/deployments', twoContainers);
      const after = await world.patch(
        'apps/v1/deployments/web',
        {
          spec: {
            template: {
              spec: {
                '$setElementOrder/containers': [{ name: 'two' }, { name: 'new' }, { name: 'one' }],
                containers: [{ name: 'new', image: 'pause' }],
              },
            },
          },
        },
        strategic,
      );
      expect(containers(after).map(([name]) => name)).toEqual(['two', 'new', 'one']);
    }),
    holds('$deleteFromPrimitiveList takes finalizers away, others are added', async (world) => {
      await world.make('configmaps', configMap('a', {}, { finalizers: ['example.com/a', 'example.com/b'] }));
      const after = await world.patch(
        'configmaps/a',
        { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'], finalizers: ['example.com/c'] } },
        strategic,
      );
      expect(after.metadata.finalizers?.toSorted()).toEqual(['example.com/b', 'example.com/c']);
      await world.patch('configmaps/a', { metadata: { finalizers: null } });
    }),
    holds('$retainKeys drops what it does not name', async (world) => {
      await world.make('apps/v1/deployments', deployment('web'));
      const after = await world.patch(
        'apps/v1/deployments/web',
        { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
        strategic,
      );
      expect(after).toMatchObject({ spec: { strategy: { type: 'Recreate' } } });
      expect((after['spec'] as { strategy: object }).strategy).toEqual({ type: 'Recreate' });
    }),
    refuses(
      'a list whose key is missing',
      {
        given: ({ make }) => make('apps/v1/deployments', deployment('web')),
        call: 'PATCH apps/v1/deployments/web',
        body: { spec: { template: { spec: { containers: [{ image: 'pause' }] } } } },
        ...strategic,
      },
      { code: 500, message: 'map: map[image:pause] does not contain declared merge key: name' },
    ),
    refuses(
      'of a custom resource',
      {
        call: 'PATCH /apis/apiextensions.k8s.io/v1/customresourcedefinitions/nothing.example.com',
        body: {},
        ...strategic,
      },
      unknown('customresourcedefinitions.apiextensions.k8s.io', 'nothing.example.com'),
    ),
  ],
};

const twoContainers = deployment('web', {
  template: {
    metadata: { labels: { app: 'web' } },
    spec: {
      containers: [
        { name: 'one', image: 'pause' },
        { name: 'two', image: 'pause' },
      ],
    },
  },
});

const containers = (object: KubeObject): readonly (readonly [string, string])[] =>
  (
    object['spec'] as { template: { spec: { containers: readonly { name: string; image: string }[] } } }
  ).template.spec.containers.map(({ name, image }) => [name, image]);
