import type { Schema } from '../schema/schema.ts';
import { type Element, field } from './element.ts';
import { FieldSet } from './field-set.ts';
import { anything, elementsOf, fieldOf, isMap, isNamed, itemsOf, shapeOf } from './shape.ts';

/** Every leaf of a value, every item of its lists, and every entry of its maps. */
export function fieldsOf(schema: Schema, value: unknown): FieldSet {
  const set = new FieldSet();
  collect(schema, value, [], set);
  return set;
}

function collect(schema: Schema, value: unknown, path: readonly Element[], set: FieldSet): void {
  const shape = shapeOf(schema, value);
  if (shape.kind === 'scalar' || shape.atomic) set.insert(path);
  else if (shape.kind === 'list' && Array.isArray(value)) collectItems(schema, value, path, set);
  else if (shape.kind === 'map' && isMap(value)) collectFields(schema, value, path, set);
}

function collectItems(schema: Schema, items: readonly unknown[], path: readonly Element[], set: FieldSet): void {
  const elements = elementsOf(schema, items);
  for (const [at, element] of elements.entries()) {
    set.insert([...path, element]);
    // Items with the same key cannot be told apart: they are owned as one.
    const isAlone = elements.indexOf(element) === elements.lastIndexOf(element);
    if (isAlone) collect(itemsOf(schema) ?? anything, items[at], [...path, element], set);
  }
}

function collectFields(
  schema: Schema,
  fields: Readonly<Record<string, unknown>>,
  path: readonly Element[],
  set: FieldSet,
): void {
  for (const [name, value] of Object.entries(fields)) {
    const below = [...path, field(name)];
    collect(fieldOf(schema, name) ?? anything, value, below, set);
    const isHollow = value === null || (isMap(value) && Object.keys(value).length === 0);
    if (isHollow || !isNamed(schema, name)) set.insert(below);
  }
}
