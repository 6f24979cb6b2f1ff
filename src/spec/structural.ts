import * as z from 'zod';
import { withDefaults } from './defaults.ts';
import { describedWith, type JsonSchema } from './json-schema.ts';
import { defaultOf, exampleOf, noteFor, typeOf, type Schema } from './schema-walk.ts';

/** What may stand in a structural schema, in the order in which it is written. */
const kept = [
  'description',
  'type',
  'format',
  'nullable',
  'default',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'maxProperties',
  'required',
  'properties',
  'items',
  'additionalProperties',
  'anyOf',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-validations',
] as const;

/** What an API server cannot take, and need not: rules in CEL or pruning do its work. */
const dropped = new Set(['$schema', 'propertyNames', 'examples']);

/** A value that may be of several types says so. */
const open = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-int-or-string'];

/** The schema of a resource as an API server takes it: every value has a type, and defaults are whole. */
export function structural(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'input',
    reused: 'inline',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => annotate(zodSchema, jsonSchema as Record<string, unknown>),
  });
  return clean(json, []);
}

function annotate(schema: Schema, json: Record<string, unknown>): void {
  const { cel, maxProperties, intOrString, free, listMapKeys } = noteFor(schema);
  const description = inWords(schema);
  if (free === true || intOrString === true) for (const key of Object.keys(json)) delete json[key];
  if (description !== undefined) json['description'] = description;
  if (cel !== undefined) json['x-kubernetes-validations'] = cel;
  if (maxProperties !== undefined) json['maxProperties'] = maxProperties;
  if (intOrString === true) Object.assign(json, intOrStringSchema(schema));
  if (free === true) {
    json['x-kubernetes-preserve-unknown-fields'] = true;
    if (typeOf(schema) === 'record') json['type'] = 'object';
  }
  if (listMapKeys !== undefined)
    Object.assign(json, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': listMapKeys });
  // An API server holds a default against the schema before it fills the defaults inside of it.
  if (defaultOf(schema) !== undefined) json['default'] = withDefaults(schema, undefined);
}

function inWords(schema: Schema): string | undefined {
  const described = describedWith(schema);
  const example = defaultOf(schema) === undefined ? exampleOf(schema) : undefined;
  const parts = [described, example === undefined ? undefined : `Example: ${example}`];
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}

function intOrStringSchema(schema: Schema): JsonSchema {
  const patterns = z.toJSONSchema(schema, { io: 'input' }).anyOf?.map(({ pattern }) => pattern);
  const pattern = patterns?.find((candidate) => candidate !== undefined);
  return {
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
    ...(pattern === undefined ? {} : { pattern }),
  };
}

function clean(json: JsonSchema, path: readonly string[]): JsonSchema {
  const foreign = Object.keys(json).find((key) => !dropped.has(key) && !(kept as readonly string[]).includes(key));
  if (foreign !== undefined)
    throw new Error(`${path.join('.')}: an API server does not take "${foreign}" in a schema.`);
  if (json['type'] === undefined && !open.some((key) => json[key] === true))
    throw new Error(`${path.join('.')}: an API server wants one type for every value.`);
  const entries = kept.flatMap((key) => {
    const value = json[key] === undefined ? undefined : cleanKeyword(key, json[key], json, path);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

function cleanKeyword(key: (typeof kept)[number], value: unknown, json: JsonSchema, path: readonly string[]): unknown {
  switch (key) {
    case 'properties': {
      const fields = Object.entries(value as Record<string, JsonSchema>);
      if (fields.length === 0) return undefined;
      return Object.fromEntries(fields.map(([name, field]) => [name, clean(field, [...path, name])]));
    }
    case 'items':
      return clean(value as JsonSchema, [...path, '[]']);
    case 'additionalProperties':
      return value === false ? undefined : clean(value as JsonSchema, [...path, '*']);
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER ? undefined : value;
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER ? undefined : value;
    case 'pattern':
      // The API server knows what a date is.
      return json['format'] === 'date-time' ? undefined : String(value).replaceAll('\\/', '/');
    default:
      return value;
  }
}
