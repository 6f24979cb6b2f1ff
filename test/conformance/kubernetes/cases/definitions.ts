import { expect } from 'vitest';
import type { KubeObject } from '../../../../src/wire/kubernetes/objects.ts';
import { holds, invalid, like, refuses, time, type Chapter } from '../case.ts';
import { definition, definitions, groupOf, install } from '../gnomes.ts';

const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
const name = 'gnomes.wrong.example.com';

const wrong = (
  what: string,
  schema: object,
  causes: readonly (readonly [string, string, string])[],
): ReturnType<typeof refuses> =>
  refuses(
    what,
    { call: `POST ${definitions}`, body: definition('wrong.example.com', schema as Record<string, unknown>) },
    invalid('CustomResourceDefinition.apiextensions.k8s.io', name, causes),
  );

const uncompiled = (what: string, rule: string, words: RegExp): ReturnType<typeof holds> =>
  holds(what, async ({ ask }) => {
    const schema = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-validations': [{ rule }] } } };
    expect((await ask(`POST ${definitions}`, definition('wrong.example.com', schema))).body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: like(words),
      details: {
        causes: [
          {
            reason: 'FieldValueInvalid',
            field: 'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule',
          },
        ],
      },
    });
  });

export const definitionCases: Chapter = {
  title: 'definitions',
  cases: [
    holds('one that is taken is established, with the names that it asked for', async (world) => {
      const group = groupOf(world);
      await install(world, definition(group, free));
      const { spec, status } = (await world.get(`${definitions}/gnomes.${group}`)) as KubeObject & {
        spec: object;
        status: object;
      };
      expect({ spec, status }).toEqual({
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'gnomes', singular: 'gnome', kind: 'Gnome', listKind: 'GnomeList' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: free } }],
          conversion: { strategy: 'None' },
        },
        status: {
          acceptedNames: { plural: 'gnomes', singular: 'gnome', kind: 'Gnome', listKind: 'GnomeList' },
          storedVersions: ['v1'],
          conditions: [
            {
              type: 'NamesAccepted',
              status: 'True',
              lastTransitionTime: time(),
              reason: 'NoConflicts',
              message: 'no conflicts found',
            },
            {
              type: 'Established',
              status: 'True',
              lastTransitionTime: time(),
              reason: 'InitialNamesAccepted',
              message: 'the initial names have been accepted',
            },
          ],
        },
      });
    }),
    holds('what it defines goes with it', async (world) => {
      const group = groupOf(world);
      await install(world, definition(group, free));
      await world.make(`${group}/v1/gnomes`, { apiVersion: `${group}/v1`, kind: 'Gnome', metadata: { name: 'bob' } });
      await world.remove(`${definitions}/gnomes.${group}`);
      await world.until(
        'the definition is gone',
        async () => (await world.ask(`GET ${definitions}/gnomes.${group}`)).status === 404,
      );
      await world.until('the kind is gone', async () => (await world.ask(`GET ${group}/v1/gnomes`)).status === 404);
    }),
    refuses(
      'a name that is not plural and group',
      { call: `POST ${definitions}`, body: { ...definition('wrong.example.com', free), metadata: { name: 'gnomes' } } },
      invalid('CustomResourceDefinition.apiextensions.k8s.io', 'gnomes', [
        ['metadata.name', 'FieldValueInvalid', 'Invalid value: "gnomes": must be spec.names.plural+"."+spec.group'],
      ]),
    ),
    refuses(
      'without versions',
      { call: `POST ${definitions}`, body: definition('wrong.example.com', free, { versions: [] }) },
      invalid('CustomResourceDefinition.apiextensions.k8s.io', name, [
        [
          'spec.versions',
          'FieldValueInvalid',
          'Invalid value: []: must have exactly one version marked as storage version',
        ],
        ['status.storedVersions', 'FieldValueInvalid', 'Invalid value: null: must have at least one stored version'],
      ]),
    ),
    refuses(
      'two versions to store',
      {
        call: `POST ${definitions}`,
        body: definition('wrong.example.com', free, {
          versions: ['v1', 'v2'].map((version) => ({
            name: version,
            served: true,
            storage: true,
            schema: { openAPIV3Schema: free },
          })),
        }),
      },
      invalid('CustomResourceDefinition.apiextensions.k8s.io', name, [
        [
          'spec.versions',
          'FieldValueInvalid',
          `Invalid value: [${['v1', 'v2']
            .map(
              (each) =>
                `{"Name":"${each}","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}`,
            )
            .join(',')}]: must have exactly one version marked as storage version`,
        ],
        ['status.storedVersions', 'FieldValueInvalid', 'Invalid value: ["v1"]: must have the storage version v2'],
      ]),
    ),
    refuses(
      'a version without a schema',
      { call: `POST ${definitions}`, body: definition('wrong.example.com', free, {}, { schema: undefined }) },
      invalid('CustomResourceDefinition.apiextensions.k8s.io', name, [
        ['spec.versions[0].schema.openAPIV3Schema', 'FieldValueRequired', 'Required value'],
      ]),
    ),
    wrong('a schema whose root is no object', { type: 'string' }, [
      [
        'spec.validation.openAPIV3Schema.type',
        'FieldValueInvalid',
        'Invalid value: "string": must be object at the root',
      ],
    ]),
    wrong('a property without a type', { type: 'object', properties: { spec: {} } }, [
      [
        'spec.validation.openAPIV3Schema.properties[spec].type',
        'FieldValueRequired',
        'Required value: must not be empty for specified object fields',
      ],
    ]),
    wrong(
      'a default that the schema refuses',
      { type: 'object', properties: { spec: { type: 'integer', default: 'x' } } },
      [
        [
          'spec.validation.openAPIV3Schema.properties[spec].default',
          'FieldValueTypeInvalid',
          'Invalid value: "string":  in body must be of type integer: "string"',
        ],
      ],
    ),
    uncompiled('a rule that is not CEL', 'self..x', /: compilation failed: ERROR: <input>:1:6: Syntax error: /),
    uncompiled(
      'a rule about a field that there is none of',
      'self.hat == 1',
      /: compilation failed: ERROR: <input>:1:5: undefined field 'hat'/,
    ),
    refuses(
      'another scope than it had',
      {
        given: (world) => install(world, definition(groupOf(world), free)),
        call: `PATCH ${definitions}/gnomes.{ns}.example.com`,
        body: { spec: { scope: 'Cluster' } },
      },
      invalid('CustomResourceDefinition.apiextensions.k8s.io', 'gnomes.{ns}.example.com', [
        ['spec.scope', 'FieldValueInvalid', 'Invalid value: "Cluster": field is immutable'],
      ]),
    ),
    holds('one of the whole cluster has no namespaces', async (world) => {
      const group = groupOf(world);
      await install(world, definition(group, free, { scope: 'Cluster' }));
      const made = await world.make(`/apis/${group}/v1/gnomes`, {
        apiVersion: `${group}/v1`,
        kind: 'Gnome',
        metadata: { name: 'bob' },
      });
      expect(made.metadata).not.toHaveProperty('namespace');
      const { status } = await world.ask(`GET ${group}/v1/gnomes`);
      expect(status).toBe(404);
    }),
    holds('two versions serve one object, each with its own name', async (world) => {
      const group = groupOf(world);
      const version = (each: string, storage: boolean): object => ({
        name: each,
        served: true,
        storage,
        schema: { openAPIV3Schema: free },
      });
      await install(world, definition(group, free, { versions: [version('v1', true), version('v2beta1', false)] }));
      await world.until('both are served', async () => (await world.ask(`GET ${group}/v2beta1/gnomes`)).status === 200);
      await world.make(`${group}/v2beta1/gnomes`, {
        apiVersion: `${group}/v2beta1`,
        kind: 'Gnome',
        metadata: { name: 'bob' },
        spec: { a: 1 },
      });
      const [one, two] = [await world.get(`${group}/v1/gnomes/bob`), await world.get(`${group}/v2beta1/gnomes/bob`)];
      expect([one.apiVersion, two.apiVersion, one.metadata.uid]).toEqual([
        `${group}/v1`,
        `${group}/v2beta1`,
        two.metadata.uid,
      ]);
    }),
    holds('discovery has it, with its short names and what may be done', async (world) => {
      const group = groupOf(world);
      await install(world, definition(group, free, {}, { subresources: { status: {} } }));
      const found = await world.until('discovery knows it', async () => {
        const { status, body } = await world.ask(`GET /apis/${group}/v1`);
        return status === 200 && (body as { resources: Record<string, unknown>[] }).resources.length > 0
          ? (body as { resources: Record<string, unknown>[] }).resources
          : undefined;
      });
      expect(found.map(({ storageVersionHash: _hash, ...rest }) => rest)).toEqual([
        {
          name: 'gnomes',
          singularName: 'gnome',
          namespaced: true,
          kind: 'Gnome',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        },
        { name: 'gnomes/status', singularName: '', namespaced: true, kind: 'Gnome', verbs: ['get', 'patch', 'update'] },
      ]);
    }),
    holds('a group that is not there', async ({ ask }) => {
      const { status, body } = await ask('GET /apis/nothing.example.com/v1/gnomes');
      expect([status, body]).toEqual([404, '404 page not found\n']);
    }),
  ],
};
