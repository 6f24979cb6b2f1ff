import type { Schema } from './schema.ts';

/** A schema as the author of a CustomResourceDefinition writes it. */
export type RawSchema = { readonly [key: string]: unknown };

const made = new WeakMap<RawSchema, Schema>();

/** The shape that a structural schema describes. */
export function structuralSchema(raw: RawSchema): Schema {
  let schema = made.get(raw);
  if (schema === undefined) made.set(raw, (schema = schemaOf(raw)));
  return schema;
}

export const isRaw = (value: unknown): value is RawSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function schemaOf(raw: RawSchema): Schema {
  const properties = isRaw(raw['properties']) ? raw['properties'] : undefined;
  const additional = raw['additionalProperties'];
  const { items } = raw;
  const isObject = properties !== undefined || additional === undefined || additional === false;
  return {
    type: typeOf(raw, isObject),
    raw,
    ...texts(raw),
    ...(raw['nullable'] === true && { nullable: true }),
    ...(Array.isArray(raw['enum']) && { enum: raw['enum'] as unknown[] }),
    ...('default' in raw && { default: raw['default'] }),
    ...(properties !== undefined && {
      properties: () => Object.keys(properties),
      property: (name: string) => child(Object.hasOwn(properties, name) ? properties[name] : undefined),
    }),
    ...(Array.isArray(raw['required']) && { required: raw['required'] as string[] }),
    ...(isRaw(additional) && { values: () => structuralSchema(additional) }),
    ...(additional === true && { values: () => anything }),
    ...(isRaw(items) && { items: () => structuralSchema(items) }),
    ...kubernetes(raw),
  };
}

const anything: Schema = { type: 'any' };

const child = (value: unknown): Schema | undefined => (isRaw(value) ? structuralSchema(value) : undefined);

function typeOf(raw: RawSchema, isObject: boolean): Schema['type'] {
  if (raw['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  switch (raw['type']) {
    case 'object':
      return isObject ? 'object' : 'map';
    case 'array':
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return raw['type'];
    default:
      return 'any';
  }
}

const texts = (raw: RawSchema): Pick<Schema, 'description' | 'format'> => ({
  ...(typeof raw['description'] === 'string' && { description: raw['description'] }),
  ...(typeof raw['format'] === 'string' && { format: raw['format'] }),
});

function kubernetes(raw: RawSchema): Partial<Schema> {
  const listType = raw['x-kubernetes-list-type'];
  const keys = raw['x-kubernetes-list-map-keys'];
  return {
    ...((listType === 'atomic' || listType === 'set' || listType === 'map') && { listType }),
    ...(Array.isArray(keys) && { listMapKeys: keys as string[] }),
    ...(raw['x-kubernetes-map-type'] === 'atomic' && { atomic: true }),
    ...(raw['x-kubernetes-preserve-unknown-fields'] === true && { preserveUnknown: true }),
    ...(raw['x-kubernetes-embedded-resource'] === true && { embedded: true }),
  };
}
