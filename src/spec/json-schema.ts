import * as z from 'zod';
import { hostsFileSchema } from './hosts-file.ts';
import { kindNames, kinds, named, type Kind } from './kinds.ts';
import { descriptionOf, noteFor, type Schema } from './schema-walk.ts';
import type { Choice } from './schema/notes.ts';

export type JsonSchema = { readonly [key: string]: unknown };

/** What editors with a YAML language server take. */
const dialect = 'http://json-schema.org/draft-07/schema#';

/** The file of `--hosts`: no resource, but people write it too. */
const hostsFile = 'Hosts';

/** One schema for every document that ichor reads, or the schema of one kind. */
export function editorSchema(kind?: string): JsonSchema {
  if (kind !== undefined) {
    const known = named(kind, [...kindNames, hostsFile]);
    const schema = known === hostsFile ? hostsFileSchema : kinds[known].document;
    return { $schema: dialect, title: known, ...draft07(schema) };
  }
  return {
    $schema: dialect,
    title: 'ichor',
    description: 'Files of ichor: platforms, substrates, and clusters of the Viti platform. Other resources pass.',
    type: 'object',
    required: ['apiVersion', 'kind'],
    properties: {
      apiVersion: { type: 'string', description: 'Version of the schema.', examples: apiVersions },
      kind: { type: 'string', description: 'What it is.', examples: kindNames },
    },
    allOf: [
      // A group of ours has no other kinds; the Viti platform has many that ichor leaves alone.
      when({ apiVersion: { pattern: '^ichor\\.dev/' } }, { properties: { kind: { enum: kindsOf('ichor.dev/') } } }),
      ...kindNames.map((name) => when({ kind: { const: name } }, { $ref: `#/definitions/${name}` })),
    ],
    definitions: Object.fromEntries(kindNames.map((name) => [name, draft07(kinds[name].document)])),
  };
}

const apiVersions = [...new Set(kindNames.map((name) => kinds[name].apiVersion))];
const kindsOf = (group: string): readonly Kind[] =>
  kindNames.filter((name) => kinds[name].apiVersion.startsWith(group));

const when = (properties: JsonSchema, then: JsonSchema): JsonSchema => ({
  if: { properties, required: Object.keys(properties) },
  // eslint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
  then,
});

function draft07(document: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(document, {
    target: 'draft-7',
    io: 'input',
    reused: 'inline',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => refine(zodSchema, jsonSchema as Record<string, unknown>),
  });
  return schema;
}

/** Adds what only the notes know, and takes away what means nothing. */
function refine(schema: Schema, json: Record<string, unknown>): void {
  const { wants, maxProperties, choice, shortFor } = noteFor(schema);
  const description = describedWith(schema);
  if (description !== undefined) json['description'] = description;
  if (wants !== undefined && json['pattern'] !== undefined) json['patternErrorMessage'] = `Expected ${wants}.`;
  if (maxProperties !== undefined) json['maxProperties'] = maxProperties;
  if (choice !== undefined) Object.assign(json, choiceSchema(choice));
  for (const [bound, limit] of [
    ['minimum', Number.MIN_SAFE_INTEGER],
    ['maximum', Number.MAX_SAFE_INTEGER],
  ] as const)
    if (json[bound] === limit) delete json[bound];
  if (shortFor !== undefined && json['anyOf'] === undefined) shorten(json, shortFor);
}

/** The description, and how an absent value is found when no constant can say it. */
export function describedWith(schema: Schema): string | undefined {
  const description = descriptionOf(schema);
  const { derived } = noteFor(schema);
  return derived === undefined ? description : [description, `Default: ${derived}.`].filter(Boolean).join(' ');
}

function choiceSchema({ keys, count }: Choice): JsonSchema {
  if (count === 'exactly one') return { oneOf: keys.map((key) => ({ required: [key] })) };
  const pairs = keys.flatMap((one, index) => keys.slice(index + 1).map((other) => ({ required: [one, other] })));
  return { not: { anyOf: pairs } };
}

/** The whole form, or only what stands under `key`. */
function shorten(json: Record<string, unknown>, key: string): void {
  const { description, ...whole } = json;
  const { [key]: short } = whole['properties'] as Record<string, unknown>;
  for (const name of Object.keys(json)) delete json[name];
  Object.assign(json, { description, anyOf: [short, whole] });
}
