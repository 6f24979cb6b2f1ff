import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { platforms, substrates } from '../../test/documents.ts';
import { mutated } from '../../test/mutations.ts';
import { sweep } from '../../test/sweep.ts';
import { withDefaults } from './defaults.ts';
import { kinds } from './kinds.ts';

test('defaults are filled as a person would write them, at every depth', () => {
  const group = z.strictObject({ replicas: z.int().default(1), memory: z.string().transform(Number).prefault('8') });
  const schema = z.strictObject({
    control: group.prefault({}),
    pools: z.record(z.string(), group).default({}),
    list: z.array(group).optional(),
    name: z.string().optional(),
  });
  expect(withDefaults(schema, { pools: { a: {}, b: { memory: '16' } }, list: [{ replicas: 2 }], odd: 1 })).toEqual({
    control: { replicas: 1, memory: '8' },
    pools: { a: { replicas: 1, memory: '8' }, b: { replicas: 1, memory: '16' } },
    list: [{ replicas: 2, memory: '8' }],
    odd: 1,
  });
});

test('a document with its defaults written out means the same', () => {
  const documents = Object.values({ ...platforms, ...substrates }).map((text) => parse(text) as { kind: string });
  fc.assert(
    fc.property(fc.constantFrom(...documents), fc.gen(), (document, g) => {
      const schema = kinds[document.kind === 'Platform' ? 'Platform' : 'Substrate'].document;
      const changed = mutated(g, schema, document);
      const filled = withDefaults(schema, changed);
      const [short, long] = [schema.safeParse(changed), schema.safeParse(filled)];
      expect([long.success, long.data]).toEqual([short.success, short.data]);
      expect(withDefaults(schema, filled)).toEqual(filled);
    }),
    sweep('defaults written out', 300, 8000),
  );
}, 300_000);
