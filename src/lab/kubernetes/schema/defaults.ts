import type { Mutable } from '../api.ts';
import type { Schema } from './schema.ts';

/** Fills in what the schema of a custom resource says, also into objects that come with a default themselves. */
export function applyDefaults(schema: Schema, object: Mutable): void {
  fill(schema, object);
}

const isObject = (value: unknown): value is Mutable =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A null that the schema does not allow is as good as nothing. */
const isNoValue = (schema: Schema, value: unknown): boolean => value === null && schema.nullable !== true;

function fill(schema: Schema, value: unknown): void {
  if (Array.isArray(value)) return fillItems(schema, value);
  if (!isObject(value)) return;
  for (const name of schema.properties?.() ?? []) {
    const field = schema.property?.(name);
    if (field === undefined) continue;
    if (value[name] !== undefined && !isNoValue(field, value[name])) fill(field, value[name]);
    else if (field.default === undefined) delete value[name];
    else fill(field, (value[name] = structuredClone(field.default)));
  }
  const values = schema.values?.();
  if (values === undefined) return;
  for (const name of Object.keys(value)) {
    if (schema.property?.(name) !== undefined) continue;
    if (!isNoValue(values, value[name])) fill(values, value[name]);
    else if (values.default === undefined) delete value[name];
    else fill(values, (value[name] = structuredClone(values.default)));
  }
}

function fillItems(schema: Schema, list: unknown[]): void {
  const items = schema.items?.();
  if (items === undefined) return;
  for (const [index, each] of list.entries()) {
    if (isNoValue(items, each) && items.default !== undefined) list[index] = structuredClone(items.default);
    fill(items, list[index]);
  }
}
