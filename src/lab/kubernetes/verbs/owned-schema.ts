import type { ResourceDefinition } from '../resource.ts';
import { builtinSchema } from '../schema/builtin.ts';
import type { Schema } from '../schema/schema.ts';

const text: Schema = { type: 'string' };
const whole = new WeakMap<Schema, Schema>();

/** The schema by which fields are owned: the author of a custom resource does not say what all objects have. */
export function ownedSchema({ custom, schema }: ResourceDefinition): Schema {
  if (!custom) return schema;
  let found = whole.get(schema);
  if (found === undefined) whole.set(schema, (found = withEveryField(schema)));
  return found;
}

function withEveryField(schema: Schema): Schema {
  const common: Readonly<Record<string, Schema>> = {
    apiVersion: text,
    kind: text,
    metadata: builtinSchema('meta.ObjectMeta'),
  };
  return {
    ...schema,
    property: (name) => common[name] ?? schema.property?.(name),
    properties: () => [...new Set([...Object.keys(common), ...(schema.properties?.() ?? [])])],
  };
}
