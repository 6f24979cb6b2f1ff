import type { Mutable } from '../api.ts';
import { groupVersion } from '../discovery/registry.ts';
import { badRequest, invalid, quote } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { decode, handledAs } from '../schema/decode.ts';
import type { WriteOptions } from './options.ts';

type Reading = {
  readonly validation: WriteOptions['validation'];
  readonly duplicates: readonly string[];
  readonly warn: (text: string) => void;
};

/** What somebody sent, as an object of its kind: with its type, without what the type does not know, defaults filled. */
export function incoming(definition: ResourceDefinition, value: Mutable, reading: Reading): Mutable {
  const typed = withType(definition, value);
  const { object, complaints } = decoded(definition, typed, reading.duplicates);
  if (complaints.length > 0 && reading.validation === 'Strict')
    throw badRequest(handledAs(definition.kind, definition.version, `strict decoding error: ${complaints.join(', ')}`));
  if (reading.validation === 'Warn') for (const each of complaints) reading.warn(each);
  return filled(definition, object);
}

export function decoded(
  definition: ResourceDefinition,
  value: Mutable,
  duplicates: readonly string[],
): { readonly object: Mutable; readonly complaints: readonly string[] } {
  const { object, unknown } = decode(definition.schema, value, { strict: true, custom: definition.custom });
  object['apiVersion'] = groupVersion(definition);
  object['kind'] = definition.kind;
  const complaints = [
    ...unknown.map((field) => `unknown field "${field}"`),
    ...duplicates.map((field) => `duplicate field "${field}"`),
  ];
  return { object, complaints };
}

/** With everything that people leave out. */
export function filled(definition: ResourceDefinition, object: Mutable): Mutable {
  if (definition.custom) applyDefaults(definition.schema, object);
  definition.strategy.defaults?.(object);
  return object;
}

/** What it says it is, if it says so; it must be what is made here. */
function withType(definition: ResourceDefinition, value: Mutable): Mutable {
  const wanted = groupVersion(definition);
  const given = { ...value };
  const apiVersion =
    typeof given['apiVersion'] === 'string' && given['apiVersion'] !== '' ? given['apiVersion'] : wanted;
  const kind = typeof given['kind'] === 'string' && given['kind'] !== '' ? given['kind'] : definition.kind;
  if (definition.custom && (apiVersion !== wanted || kind !== definition.kind))
    throw otherType(definition, value, apiVersion, kind);
  if (!definition.custom && (apiVersion !== wanted || kind !== definition.kind))
    throw badRequest(
      `${kind} in version ${JSON.stringify(versionOf(apiVersion))} cannot be handled as a ${definition.kind}: ${unhandled(definition, apiVersion, kind)}`,
    );
  return { ...given, apiVersion, kind };
}

const versionOf = (apiVersion: string): string => apiVersion.split('/').at(-1) ?? '';

const goPackage = ({ group }: { readonly group: string }): string =>
  group === '' ? 'core' : (group.split('.')[0] ?? '');

function unhandled(definition: ResourceDefinition, apiVersion: string, kind: string): string {
  if (apiVersion !== groupVersion(definition))
    return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  return `converting (${definition.version}.${kind}) to (${goPackage(definition)}.${definition.kind}): unknown conversion`;
}

const nameOf = (value: Mutable): string => ((value['metadata'] as Mutable | undefined)?.['name'] ?? '') as string;

function otherType(definition: ResourceDefinition, value: Mutable, apiVersion: string, kind: string) {
  const wanted = groupVersion(definition);
  if (apiVersion !== wanted)
    return badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`,
    );
  return invalid({ group: definition.group, kind }, nameOf(value), [
    {
      reason: 'FieldValueInvalid',
      field: 'kind',
      message: `Invalid value: ${quote(kind)}: must be ${definition.kind}`,
    },
  ]);
}
