import { defaultOf, fieldsOf, itemOf, valueOf, type Schema } from './schema-walk.ts';

/** What was written, with every constant default filled in; sizes and the like stay as they are written. */
export function withDefaults(schema: Schema, written: unknown): unknown {
  const value = written === undefined ? defaultOf(schema) : written;
  const fields = fieldsOf(schema);
  if (Array.isArray(value)) {
    const item = itemOf(schema);
    return item === undefined ? value : value.map((entry) => withDefaults(item, entry));
  }
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (fields === undefined) {
    const each = valueOf(schema);
    return each === undefined
      ? value
      : Object.fromEntries(given.map(([name, entry]) => [name, withDefaults(each, entry)]));
  }
  const known = Object.entries(fields)
    .map(([key, field]) => [key, withDefaults(field, (value as Record<string, unknown>)[key])] as const)
    .filter(([, entry]) => entry !== undefined);
  const unknown = given.filter(([key]) => !(key in fields));
  return Object.fromEntries([...known, ...unknown]);
}
