import { expect, test } from 'vitest';
import * as z from 'zod';
import { cel, note } from './schema/notes.ts';
import { structural } from './structural.ts';

test('what only people and editors need is left away', () => {
  const schema = z.strictObject({
    names: z.record(z.string().regex(/^[a-z]+$/), z.int()),
    count: z
      .int()
      .min(1)
      .meta({ examples: ['3'] }),
    nothing: z.strictObject({}).optional(),
  });
  expect(structural(schema)).toEqual({
    type: 'object',
    required: ['names', 'count'],
    properties: {
      names: { type: 'object', additionalProperties: { type: 'integer' } },
      count: { type: 'integer', minimum: 1, description: 'Example: 3' },
      nothing: { type: 'object' },
    },
  });
});

test('a default is whole, so that rules about what is inside of it hold', () => {
  const inner = z.strictObject({ replicas: z.int().default(1), size: z.string().prefault('1GiB') }).prefault({});
  const schema = z.strictObject({ group: cel(inner, 'self.replicas > 0', 'use 1 or more', '.replicas') });
  expect(structural(schema)).toMatchObject({
    properties: {
      group: {
        default: { replicas: 1, size: '1GiB' },
        'x-kubernetes-validations': [{ rule: 'self.replicas > 0', message: 'use 1 or more', fieldPath: '.replicas' }],
      },
    },
  });
});

test('what an absent value is derived from, and an example, stand in the description', () => {
  const schema = note(
    z
      .string()
      .meta({ examples: ['prod'] })
      .describe('Its name.')
      .optional(),
    {
      derived: 'the platform’s name',
    },
  );
  expect(structural(schema)).toEqual({
    type: 'string',
    description: 'Its name. Default: the platform’s name. Example: prod',
  });
});

test('quantities, anything, lists by key and times', () => {
  const schema = z.strictObject({
    quantity: note(z.union([z.int(), z.string().regex(/^\d+Gi$/)]), { intOrString: true }).describe('Memory.'),
    values: note(z.record(z.string(), z.unknown()), { free: true }).default({}),
    patch: note(z.union([z.record(z.string(), z.unknown()), z.string()]), { free: true }),
    conditions: note(z.array(z.strictObject({ type: z.string() })), { listMapKeys: ['type'] }),
    since: z.iso.datetime(),
  });
  expect(structural(schema)['properties']).toEqual({
    quantity: {
      description: 'Memory.',
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: '^\\d+Gi$',
      'x-kubernetes-int-or-string': true,
    },
    values: { type: 'object', default: {}, 'x-kubernetes-preserve-unknown-fields': true },
    patch: { 'x-kubernetes-preserve-unknown-fields': true },
    conditions: {
      type: 'array',
      items: { type: 'object', required: ['type'], properties: { type: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    },
    since: { type: 'string', format: 'date-time' },
  });
});

test.each<[string, z.ZodType]>([
  ['a choice between types', z.strictObject({ either: z.union([z.string(), z.int()]) })],
  ['a tuple', z.strictObject({ pair: z.tuple([z.string(), z.int()]) })],
  ['anything without a note', z.strictObject({ some: z.unknown() })],
])('%s cannot be told to an API server, and is a bug', (_, schema) => {
  expect(() => structural(schema)).toThrow(/an API server/);
});
