import { expect, test } from 'vitest';
import * as z from 'zod';
import { check } from './check.ts';
import { parseYaml } from './yaml.ts';

const draftOf = (schema: z.ZodType, content: string): unknown => {
  const [tree] = parseYaml({ name: 'a.yaml', content }).documents;
  if (tree === undefined) throw new Error('There is nothing in it.');
  return check(schema, tree).draft;
};

test('what is wrong is a hole in the draft, and what is right keeps its place', () => {
  const schema = z.strictObject({ hosts: z.array(z.string()), sizes: z.record(z.string(), z.int()) });
  expect(draftOf(schema, 'hosts: [1, two, {}, four, null]\nsizes: { a: 1, b: x }\nodd: 1\n')).toEqual({
    hosts: [undefined, 'two', undefined, 'four', undefined],
    sizes: { a: 1, b: undefined },
  });
});
