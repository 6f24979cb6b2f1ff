import type { Schema } from '../schema/schema.ts';
import { type Element, itemByKeys, itemByValue } from './element.ts';

/** How a value is owned: as one, item by item, or field by field. */
export type Shape =
  | { readonly kind: 'scalar'; readonly scalar: 'numeric' | 'string' | 'boolean' | 'untyped' }
  | { readonly kind: 'list'; readonly schema: Schema; readonly atomic: boolean }
  | { readonly kind: 'map'; readonly schema: Schema; readonly atomic: boolean };

export const anything: Schema = { type: 'any' };

/** Where a schema leaves the type open, the value decides. */
export function shapeOf(schema: Schema, value: unknown): Shape {
  switch (schema.type) {
    case 'object':
    case 'map':
      return { kind: 'map', schema, atomic: schema.atomic === true };
    case 'array':
      return { kind: 'list', schema, atomic: (schema.listType ?? 'atomic') === 'atomic' };
    case 'string':
      return { kind: 'scalar', scalar: schema.format === 'quantity' ? 'untyped' : 'string' };
    case 'integer':
    case 'number':
      return { kind: 'scalar', scalar: 'numeric' };
    case 'boolean':
      return { kind: 'scalar', scalar: 'boolean' };
    case 'int-or-string':
      return { kind: 'scalar', scalar: 'untyped' };
    case 'any':
      if (Array.isArray(value)) return { kind: 'list', schema, atomic: true };
      if (isMap(value) || value === null) return { kind: 'map', schema, atomic: schema.atomic === true };
      return { kind: 'scalar', scalar: 'untyped' };
  }
}

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands in a field; undefined when the type has none of that name. */
export function fieldOf(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema?.type === 'object') {
    return schema.property?.(name) ?? (schema.preserveUnknown === true ? anything : schema.values?.());
  }
  if (schema?.type === 'map') return schema.values?.() ?? anything;
  return schema?.type === 'any' ? anything : undefined;
}

/** Whether the type itself names a field, so that it needs no owner to be there. */
export const isNamed = (schema: Schema, name: string): boolean =>
  schema.type === 'object' && schema.property?.(name) !== undefined;

export const itemsOf = (schema: Schema | undefined): Schema | undefined =>
  schema?.type === 'array' ? (schema.items?.() ?? anything) : schema?.type === 'any' ? anything : undefined;

/** How an item of a set or of a list with keys is told from the others; a text says why it cannot be. */
export function elementOf(schema: Schema, item: unknown): { readonly element: Element } | { readonly wrong: string } {
  return schema.listType === 'map' ? elementByKeys(schema, item) : elementByValue(item);
}

function elementByKeys(schema: Schema, item: unknown): { readonly element: Element } | { readonly wrong: string } {
  if (item === null) return { wrong: 'associative list with keys may not have a null element' };
  if (!isMap(item)) return { wrong: 'associative list with keys may not have non-map elements' };
  const names = schema.listMapKeys ?? [];
  const keys: Record<string, unknown> = {};
  for (const name of names) {
    const value = name in item ? item[name] : schema.items?.().property?.(name)?.default;
    if (value !== undefined) keys[name] = value;
  }
  if (Object.keys(keys).length === 0) {
    const quoted = names.map((name) => JSON.stringify(name)).join(' ');
    return {
      wrong: `associative list with keys has an element that omits all key fields [${quoted}] (and doesn't have default values for any key fields)`,
    };
  }
  return { element: itemByKeys(keys) };
}

function elementByValue(item: unknown): { readonly element: Element } | { readonly wrong: string } {
  if (isMap(item)) return { wrong: "associative list without keys has an element that's a map type" };
  if (Array.isArray(item)) return { wrong: 'not supported: associative list with lists as elements' };
  if (item === null) return { wrong: "associative list without keys has an element that's an explicit null" };
  return { element: itemByValue(item) };
}

/** Of a list whose items can all be told apart by themselves; others have been refused before. */
export function elementsOf(schema: Schema, items: readonly unknown[]): readonly Element[] {
  return items.map((item) => {
    const found = elementOf(schema, item);
    return 'element' in found ? found.element : itemByValue(item);
  });
}
