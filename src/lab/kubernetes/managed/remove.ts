import type { Schema } from '../schema/schema.ts';
import { field } from './element.ts';
import type { FieldSet } from './field-set.ts';
import { anything, elementsOf, fieldOf, isMap, itemsOf, shapeOf } from './shape.ts';

/** A value without these fields. What becomes empty by it is null: it is the server that drops it then. */
export function removeFields(schema: Schema, value: unknown, set: FieldSet): unknown {
  const shape = shapeOf(schema, value);
  if (shape.kind === 'scalar') return value;
  if (shape.kind === 'list') return Array.isArray(value) && !shape.atomic ? removeItems(schema, value, set) : null;
  if (!isMap(value) || shape.atomic) return null;
  const rest = Object.entries(value).flatMap(([name, inner]) => {
    const element = field(name);
    if (set.members.has(element)) return [];
    const below = set.children.get(element);
    return [
      [name, below === undefined ? inner : removeFields(fieldOf(schema, name) ?? anything, inner, below)] as const,
    ];
  });
  return rest.length === 0 ? null : Object.fromEntries(rest);
}

function removeItems(schema: Schema, items: readonly unknown[], set: FieldSet): unknown {
  const elements = elementsOf(schema, items);
  const rest = items.flatMap((item, at) => {
    const element = elements[at] ?? '';
    if (set.members.has(element)) return [];
    const below = set.children.get(element);
    return [below === undefined ? item : removeFields(itemsOf(schema) ?? anything, item, below)];
  });
  return rest.length === 0 ? null : rest;
}
