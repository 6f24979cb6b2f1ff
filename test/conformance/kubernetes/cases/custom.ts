import { expect } from 'vitest';
import type { KubeObject, Status } from '../../../../src/wire/kubernetes/objects.ts';
import { bad, holds, invalid, plain, refuses, unknown, type Chapter } from '../case.ts';
import { garden, gnome, install } from '../gnomes.ts';
import { patches, type World } from '../world.ts';

const gnomes = 'garden.example.com/v1/gnomes';
const bob = ({ make }: World): Promise<KubeObject> => make(gnomes, gnome('bob'));
/** Rules are not looked at where the form is wrong. */
const unchecked = [
  '<nil>',
  'FieldValueInvalid',
  'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
] as const;

const wrong = (
  name: string,
  spec: object,
  causes: readonly (readonly [string, string, string])[],
): ReturnType<typeof refuses> =>
  refuses(
    name,
    { call: `POST ${gnomes}`, body: gnome('bob', spec) },
    invalid('Gnome.garden.example.com', 'bob', causes),
  );

export const custom: Chapter = {
  title: 'custom resources',
  before: (world) => install(world, garden),
  cases: [
    holds('defaults are filled, at every depth', async ({ make, ns }) => {
      const made = await make(gnomes, gnome('bob', { hat: 'red', tools: [{ name: 'rake' }] }));
      expect(plain(made)).toEqual({
        ...gnome('bob'),
        metadata: { name: 'bob', namespace: ns, generation: 1 },
        spec: { hat: 'red', height: 10, tools: [{ name: 'rake', sharp: false }] },
      });
    }),
    holds('what the schema does not know is dropped', async ({ make }) => {
      const made = await make(gnomes, {
        ...gnome('bob', { hat: 'red', beard: 'long', home: { cellar: 1, number: 1 } }),
        odd: 1,
      });
      expect(made).not.toHaveProperty('odd');
      expect(made['spec']).toEqual({ hat: 'red', height: 10, home: { number: 1 } });
    }),
    holds('what may be anything is kept', async ({ make }) => {
      const made = await make(gnomes, gnome('bob', { hat: 'red', whatever: { a: [1, { b: null }] } }));
      expect(made['spec']).toMatchObject({ whatever: { a: [1, { b: null }] } });
    }),
    refuses(
      'an unknown field, when one is strict',
      { call: `POST ${gnomes}?fieldValidation=Strict`, body: gnome('bob', { hat: 'red', beard: 'long' }) },
      bad('Gnome in version "v1" cannot be handled as a Gnome: strict decoding error: unknown field "spec.beard"'),
    ),
    holds('an unknown field is a warning, when nobody says anything', async ({ ask }) => {
      const { headers } = await ask(`POST ${gnomes}`, gnome('bob', { hat: 'red', beard: 'long' }));
      expect(headers['warning']).toBe('299 - "unknown field \\"spec.beard\\""');
    }),
    wrong('a field that must be there', {}, [['spec.hat', 'FieldValueRequired', 'Required value'], unchecked]),
    wrong('a value that is not one of them', { hat: 'pink' }, [
      ['spec.hat', 'FieldValueNotSupported', 'Unsupported value: "pink": supported values: "red", "green", "blue"'],
      unchecked,
    ]),
    wrong('a number that is too small', { hat: 'red', height: 0 }, [
      [
        'spec.height',
        'FieldValueInvalid',
        'Invalid value: 0: spec.height in body should be greater than or equal to 1',
      ],
    ]),
    wrong('a number that is too big', { hat: 'red', height: 51 }, [
      ['spec.height', 'FieldValueInvalid', 'Invalid value: 51: spec.height in body should be less than or equal to 50'],
    ]),
    wrong('text where a number must be', { hat: 'red', height: 'tall' }, [
      [
        'spec.height',
        'FieldValueTypeInvalid',
        'Invalid value: "string": spec.height in body must be of type integer: "string"',
      ],
      unchecked,
    ]),
    wrong('text that is too long', { hat: 'red', motto: 'abcdefghijk' }, [
      ['spec.motto', 'FieldValueTooLong', 'Too long: may not be more than 10 bytes'],
      unchecked,
    ]),
    wrong('text that is too short', { hat: 'red', motto: 'a' }, [
      ['spec.motto', 'FieldValueInvalid', 'Invalid value: "a": spec.motto in body should be at least 2 chars long'],
    ]),
    wrong('text that does not look so', { hat: 'red', motto: 'ABC' }, [
      ['spec.motto', 'FieldValueInvalid', 'Invalid value: "ABC": spec.motto in body should match \'^[a-z ]+$\''],
    ]),
    wrong('too many of them', { hat: 'red', friends: ['a', 'b', 'c', 'd'] }, [
      ['spec.friends', 'FieldValueTooMany', 'Too many: 4: must have at most 3 items'],
      unchecked,
    ]),
    wrong('one twice in a set', { hat: 'red', friends: ['a', 'a'] }, [
      ['spec.friends[1]', 'FieldValueDuplicate', 'Duplicate value: "a"'],
    ]),
    wrong('one key twice in a map', { hat: 'red', tools: [{ name: 'a' }, { name: 'a' }] }, [
      ['spec.tools[1]', 'FieldValueDuplicate', 'Duplicate value: {"name":"a"}'],
    ]),
    wrong('text where a time must be', { hat: 'red', born: 'yesterday' }, [
      [
        'spec.born',
        'FieldValueTypeInvalid',
        'Invalid value: "yesterday": spec.born in body must be of type date-time: "yesterday"',
      ],
      unchecked,
    ]),
    wrong('text in a map of numbers', { hat: 'red', pockets: { left: 'x' } }, [
      [
        'spec.pockets.left',
        'FieldValueTypeInvalid',
        'Invalid value: "string": spec.pockets.left in body must be of type integer: "string"',
      ],
      unchecked,
    ]),
    wrong('a truth where a number or text must be', { hat: 'red', depth: true }, [
      [
        'spec.depth',
        'FieldValueTypeInvalid',
        'Invalid value: "boolean": spec.depth in body must be of type integer,string: "boolean"',
      ],
      unchecked,
    ]),
    wrong('a rule of a field', { hat: 'red', home: { number: 100, street: 'a' } }, [
      ['spec.home', 'FieldValueInvalid', 'Invalid value: the street is not that long'],
    ]),
    wrong('a rule with a place and a reason of its own', { hat: 'blue' }, [
      ['spec.hat', 'FieldValueForbidden', 'Forbidden: only tall ones wear blue'],
    ]),
    holds('two things at once, in no order', async ({ ask }) => {
      const { body } = await ask(`POST ${gnomes}`, gnome('bob', { hat: 'pink', height: 0 }));
      expect((body as Status).details?.causes?.map(({ field }) => field).toSorted()).toEqual([
        '<nil>',
        'spec.hat',
        'spec.height',
      ]);
    }),
    refuses(
      'a rule about what was before',
      {
        given: ({ make }) => make(gnomes, gnome('bob', { hat: 'red', home: { number: 1, street: 'old' } })),
        call: `PATCH ${gnomes}/bob`,
        body: { spec: { home: { street: 'new' } } },
      },
      invalid('Gnome.garden.example.com', 'bob', [['spec.home', 'FieldValueInvalid', 'Invalid value: moved from old']]),
    ),
    refuses(
      'a body without a spec',
      {
        call: `POST ${gnomes}`,
        body: { apiVersion: 'garden.example.com/v1', kind: 'Gnome', metadata: { name: 'bob' } },
      },
      invalid('Gnome.garden.example.com', 'bob', [['spec', 'FieldValueRequired', 'Required value'], unchecked]),
    ),
    refuses('one that is not there', { call: `GET ${gnomes}/nobody` }, unknown('gnomes.garden.example.com', 'nobody')),
    refuses(
      'another kind',
      { call: `POST ${gnomes}`, body: { ...gnome('bob'), kind: 'Dwarf' } },
      invalid('Dwarf.garden.example.com', 'bob', [
        ['kind', 'FieldValueInvalid', 'Invalid value: "Dwarf": must be Gnome'],
      ]),
    ),
    refuses(
      'another version',
      { call: `POST ${gnomes}`, body: { ...gnome('bob'), apiVersion: 'garden.example.com/v2' } },
      bad(
        'the API version in the data (garden.example.com/v2) does not match the expected API version (garden.example.com/v1)',
      ),
    ),
    refuses(
      'a strategic merge patch',
      { given: bob, call: `PATCH ${gnomes}/bob`, body: {}, type: patches.strategic },
      {
        code: 415,
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      },
    ),
    refuses(
      'a replacement without a version',
      { given: bob, call: `PUT ${gnomes}/bob`, body: gnome('bob') },
      invalid('gnomes.garden.example.com', 'bob', [
        ['metadata.resourceVersion', 'FieldValueInvalid', 'Invalid value: 0: must be specified for an update'],
      ]),
    ),
    holds('null stands for the default where null is not allowed, and for null where it is', async ({ make }) => {
      const made = await make(gnomes, gnome('bob', { hat: 'red', height: null, motto: null }));
      expect(made['spec']).toEqual({ hat: 'red', height: 10, motto: null });
    }),
    holds('the generation counts changes of anything but metadata and status', async ({ make, patch }) => {
      await make(gnomes, gnome('bob'));
      await patch(`${gnomes}/bob`, { metadata: { labels: { a: 'b' } } });
      await patch(`${gnomes}/bob/status`, { status: { mood: 'good' } });
      expect((await patch(`${gnomes}/bob`, { spec: { hat: 'green' } })).metadata.generation).toBe(2);
    }),
    holds('status is not written with the object, nor the object with status', async ({ make, patch }) => {
      const made = await make(gnomes, { ...gnome('bob'), status: { mood: 'bad' } });
      expect(made).not.toHaveProperty('status');
      const after = await patch(`${gnomes}/bob/status`, { status: { mood: 'good' }, spec: { hat: 'green' } });
      expect({ spec: after['spec'], status: after['status'] }).toEqual({
        spec: { hat: 'red', height: 10 },
        status: { mood: 'good' },
      });
    }),
    holds('scale is read and written where the definition says', async ({ make, get, patch, ns }) => {
      await make(gnomes, gnome('bob', { hat: 'red', replicas: 3 }));
      await patch(`${gnomes}/bob/status`, { status: { replicas: 2, selector: 'a=b' } });
      expect(plain(await get(`${gnomes}/bob/scale`))).toEqual({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'bob', namespace: ns },
        spec: { replicas: 3 },
        status: { replicas: 2, selector: 'a=b' },
      });
      await patch(`${gnomes}/bob/scale`, { spec: { replicas: 5 } });
      expect((await get(`${gnomes}/bob`))['spec']).toMatchObject({ replicas: 5 });
    }),
    refuses(
      'a scale without replicas',
      { given: bob, call: `GET ${gnomes}/bob/scale` },
      {
        code: 500,
        reason: 'InternalError',
        message: 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
        details: { causes: [{ message: 'the spec replicas field ".spec.replicas" does not exist' }] },
      },
    ),
    holds('a Table has the columns of the definition', async ({ make, ask }) => {
      await make(gnomes, gnome('bob'));
      const { body } = await ask(`GET ${gnomes}`, undefined, {
        accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
      });
      const table = body as {
        columnDefinitions: { name: string; type: string; priority: number }[];
        rows: { cells: unknown[] }[];
      };
      expect(table.columnDefinitions.map(({ name, type, priority }) => [name, type, priority])).toEqual([
        ['Name', 'string', 0],
        ['Hat', 'string', 0],
        ['Height', 'integer', 1],
        ['Age', 'date', 0],
      ]);
      expect(table.rows[0]?.cells).toEqual(['bob', 'red', 10, expect.stringMatching(/^\d+s$/)]);
    }),
    holds('a field selector takes the fields that the definition names', async ({ make, list }) => {
      await make(gnomes, gnome('bob'));
      await make(gnomes, gnome('ben', { hat: 'green' }));
      const found = await list(`${gnomes}?fieldSelector=spec.hat%3Dgreen`);
      expect(found.items.map(({ metadata }) => metadata.name)).toEqual(['ben']);
    }),
    refuses(
      'a field selector with a field that it does not name',
      { call: `GET ${gnomes}?fieldSelector=spec.height%3D1` },
      bad('field label not supported: spec.height'),
    ),
    holds('items of a list say their kind', async ({ make, list }) => {
      await make(gnomes, gnome('bob'));
      const found = await list(gnomes);
      expect([found.kind, found.items[0]?.kind, found.items[0]?.apiVersion]).toEqual([
        'GnomeList',
        'Gnome',
        'garden.example.com/v1',
      ]);
    }),
    holds('a watch tells of them', async (world) => {
      const { metadata } = await world.list(gnomes);
      const watch = await world.watch(`${gnomes}?watch=1&resourceVersion=${metadata.resourceVersion}`);
      const made = await bob(world);
      expect(await watch.take(1)).toEqual([{ type: 'ADDED', object: made }]);
    }),
    holds('applied lists with keys merge by them', async ({ apply }) => {
      await apply(`${gnomes}/bob`, gnome('bob', { hat: 'red', tools: [{ name: 'rake' }] }), 'alice');
      const after = await apply(
        `${gnomes}/bob`,
        gnome('bob', { hat: 'red', tools: [{ name: 'saw', sharp: true }] }),
        'carol',
      );
      expect(after['spec']).toMatchObject({
        tools: [
          { name: 'rake', sharp: false },
          { name: 'saw', sharp: true },
        ],
      });
    }),
    refuses(
      'to apply what the schema does not know',
      {
        call: `PATCH ${gnomes}/bob?fieldManager=alice`,
        body: gnome('bob', { hat: 'red', beard: 'long' }),
        type: patches.apply,
      },
      {
        code: 500,
        message:
          'failed to create typed patch object (/bob; garden.example.com/v1, Kind=Gnome): .spec.beard: field not declared in schema',
      },
    ),
    refuses(
      'to apply a field of somebody else',
      {
        given: ({ apply }) => apply(`${gnomes}/bob`, gnome('bob'), 'alice'),
        call: `PATCH ${gnomes}/bob?fieldManager=carol`,
        body: gnome('bob', { hat: 'green' }),
        type: patches.apply,
      },
      {
        code: 409,
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "alice": .spec.hat',
        details: {
          causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.spec.hat' }],
        },
      },
    ),
  ],
};
