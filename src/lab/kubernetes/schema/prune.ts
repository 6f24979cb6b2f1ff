import type { Mutable } from '../api.ts';
import type { Schema } from './schema.ts';

/** Drops what the schema of a custom resource does not know, and tells where that was. */
export function prune(schema: Schema, object: Mutable): readonly string[] {
  const dropped: string[] = [];
  pruneFields(schema, object, '', true, dropped);
  return dropped.sort();
}

const isObject = (value: unknown): value is Mutable =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that every resource has, whatever its schema says. */
const own = new Set(['apiVersion', 'kind', 'metadata']);

function pruneValue(schema: Schema | undefined, value: unknown, path: string, dropped: string[]): void {
  if (Array.isArray(value)) {
    const items = schema?.items?.();
    if (items === undefined && schema?.preserveUnknown === true) return;
    // Of what no schema knows, lists are kept and the fields of what they hold are not.
    for (const [index, each] of value.entries()) pruneValue(items, each, `${path}[${index}]`, dropped);
    return;
  }
  if (isObject(value)) pruneFields(schema, value, path, schema?.embedded === true, dropped);
}

function pruneFields(
  schema: Schema | undefined,
  object: Mutable,
  path: string,
  isResource: boolean,
  dropped: string[],
): void {
  const values = schema?.values?.();
  for (const [name, value] of Object.entries(object)) {
    if (isResource && own.has(name)) continue;
    const where = path === '' ? name : `${path}.${name}`;
    const field = schema?.property?.(name);
    if (field !== undefined) pruneValue(field, value, where, dropped);
    else if (values !== undefined) pruneValue(values, value, where, dropped);
    else if (schema?.preserveUnknown !== true) {
      dropped.push(where);
      delete object[name];
    }
  }
}
