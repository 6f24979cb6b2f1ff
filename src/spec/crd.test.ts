import { expect, test } from 'vitest';
import { customResourceDefinitions } from './crd.ts';
import type { JsonSchema } from './json-schema.ts';
import { yamlText } from './yaml-text.ts';

const definitions = customResourceDefinitions();

type Spec = { readonly versions: readonly [{ readonly schema: { readonly openAPIV3Schema: JsonSchema } }] };
const schemas = definitions.map(
  ({ metadata, spec }) => [metadata.name, (spec as Spec).versions[0].schema.openAPIV3Schema] as const,
);

type Node = { readonly path: string; readonly schema: JsonSchema };

function* nodes(schema: JsonSchema, path = ''): Iterable<Node> {
  yield { path, schema };
  for (const [name, field] of Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>))
    yield* nodes(field, `${path}.${name}`);
  if (schema['items'] !== undefined) yield* nodes(schema['items'] as JsonSchema, `${path}[]`);
  if (schema['additionalProperties'] !== undefined)
    yield* nodes(schema['additionalProperties'] as JsonSchema, `${path}.*`);
}

test('the definitions are those that were reviewed', async () => {
  await expect(yamlText(definitions)).toMatchFileSnapshot('../../test/golden/crds.yaml');
});

test('one kind can be asked for', () => {
  expect(customResourceDefinitions('platform')).toEqual([definitions[0]]);
  expect(() => customResourceDefinitions('Platfrom')).toThrow('"Platfrom" is not a kind that ichor knows.');
});

test.each(definitions.map((definition) => [definition.metadata.name, definition] as const))(
  '%s fits into the annotation that kubectl apply keeps',
  (_, definition) => {
    expect(JSON.stringify(definition).length).toBeLessThan(256 * 1024);
  },
);

/** The rules of an API server that a reader of the schema can check; the real one judges in test/real. */
test.each(schemas)('%s is structural', (_, root) => {
  const complaints = [...nodes(root)].flatMap(({ path, schema }) =>
    Object.entries({
      'has no type': typeof schema['type'] !== 'string' && !isOpen(schema),
      'has a type and takes numbers or text':
        schema['type'] !== undefined && schema['x-kubernetes-int-or-string'] === true,
      'has fields and names': schema['properties'] !== undefined && schema['additionalProperties'] !== undefined,
      'is a list of nothing': schema['type'] === 'array' && schema['items'] === undefined,
      'requires what is not there': missing(schema['required'], schema).length > 0,
      'has a default with a field that is not there': missing(Object.keys(asMap(schema['default'])), schema).length > 0,
      'has keys of items that are not required': keysOfItems(schema).some((key) => !requires(schema['items'], key)),
      'has no description': path.startsWith('.spec') && isField(path) && (schema['description'] ?? '') === '',
    }).flatMap(([complaint, broken]) => (broken ? [`${path} ${complaint}`] : [])),
  );
  expect(complaints).toEqual([]);
});

const isOpen = (schema: JsonSchema): boolean =>
  schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
const asMap = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
const isField = (path: string): boolean => !path.endsWith('[]') && !path.endsWith('.*');
const missing = (keys: unknown, schema: JsonSchema): readonly string[] => {
  const fields = schema['properties'] as Record<string, unknown> | undefined;
  return fields === undefined ? [] : ((keys ?? []) as readonly string[]).filter((key) => !(key in fields));
};
const keysOfItems = (schema: JsonSchema): readonly string[] =>
  (schema['x-kubernetes-list-map-keys'] ?? []) as readonly string[];
const requires = (schema: unknown, key: string): boolean =>
  ((schema as JsonSchema)['required'] as readonly string[]).includes(key);

type Rule = { readonly rule: string; readonly message: string; readonly fieldPath?: string };

test.each(schemas)('the rules of %s say what to do, about a field that is there', (_, root) => {
  for (const { path, schema } of nodes(root)) {
    for (const { rule, message, fieldPath } of (schema['x-kubernetes-validations'] ?? []) as readonly Rule[]) {
      const where = `${path}: ${rule}`;
      expect.soft(message.length, where).toBeGreaterThan(15);
      expect.soft(message.length, where).toBeLessThan(2048);
      expect.soft(message, where).not.toContain('\n');
      if (fieldPath !== undefined) expect.soft(fieldAt(schema, fieldPath), `${where} ${fieldPath}`).toBeDefined();
    }
  }
});

function fieldAt(schema: JsonSchema, path: string): JsonSchema | undefined {
  const steps = [...path.matchAll(/\.([A-Za-z]\w*)|\['([^']+)'\]/g)].map((match) => match[1] ?? match[2] ?? '');
  return steps.reduce<JsonSchema | undefined>(
    (at, step) => (at?.['properties'] as Record<string, JsonSchema> | undefined)?.[step],
    schema,
  );
}
