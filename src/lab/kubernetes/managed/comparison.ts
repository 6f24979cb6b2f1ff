import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../schema/schema.ts';
import { type Element, field } from './element.ts';
import { FieldSet } from './field-set.ts';
import { anything, elementsOf, fieldOf, isMap, itemsOf, shapeOf, type Shape } from './shape.ts';

/** What became of each field from one object to the next. */
export type Comparison = { readonly removed: FieldSet; readonly modified: FieldSet; readonly added: FieldSet };

export function compareTyped(schema: Schema, before: unknown, after: unknown): Comparison {
  const comparison = { removed: new FieldSet(), modified: new FieldSet(), added: new FieldSet() };
  compare(comparison, schema, before, after, []);
  return comparison;
}

/** Undefined: there is none on that side. */
function compare(into: Comparison, schema: Schema, before: unknown, after: unknown, path: readonly Element[]): void {
  const shapes = [before, after].filter((value) => value !== undefined).map((value) => shapeOf(schema, value));
  const [first, second] = shapes;
  let isLeaf = first !== undefined && compareAs(first, into, schema, before, after, path);
  if (second !== undefined && second.kind !== first?.kind)
    isLeaf = compareAs(second, into, schema, before, after, path);
  if (isLeaf) return;
  if (before === undefined) into.added.insert(path);
  else if (after === undefined) into.removed.insert(path);
}

function compareAs(
  shape: Shape,
  into: Comparison,
  schema: Schema,
  before: unknown,
  after: unknown,
  path: readonly Element[],
): boolean {
  if (shape.kind === 'scalar' || shape.atomic || (isHollow(shape, before) && isHollow(shape, after))) {
    if (before === undefined) into.added.insert(path);
    else if (after === undefined) into.removed.insert(path);
    else if (!isDeepStrictEqual(before, after)) into.modified.insert(path);
    return true;
  }
  if (shape.kind === 'list') {
    compareItems(into, schema, Array.isArray(before) ? before : [], Array.isArray(after) ? after : [], path);
  } else {
    const [left, right] = [isMap(before) ? before : {}, isMap(after) ? after : {}];
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      compare(into, fieldOf(schema, name) ?? anything, left[name], right[name], [...path, field(name)]);
    }
  }
  return false;
}

/** Of nothing inside nothing can be told: then null and empty differ. */
const isHollow = (shape: Shape, value: unknown): boolean =>
  shape.kind === 'list'
    ? !Array.isArray(value) || value.length === 0
    : !isMap(value) || Object.keys(value).length === 0;

function compareItems(
  into: Comparison,
  schema: Schema,
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly Element[],
): void {
  const [left, right] = [grouped(schema, before), grouped(schema, after)];
  const items = itemsOf(schema) ?? anything;
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const [old, next] = [left.get(element) ?? [], right.get(element) ?? []];
    const below = [...path, element];
    if (old.length <= 1 && next.length <= 1) {
      compare(into, items, old[0], next[0], below);
    } else if (old.length > 1 && next.length > 1) {
      if (!isDeepStrictEqual(old, next)) into.modified.insert(below);
    } else if (old.length > 1) {
      if (next.length > 0) compare(into, items, undefined, next[0], below);
      into.removed.insert(below);
    } else {
      if (old.length > 0) compare(into, items, old[0], undefined, below);
      into.added.insert(below);
    }
  }
}

function grouped(schema: Schema, items: readonly unknown[]): ReadonlyMap<Element, readonly unknown[]> {
  const groups = new Map<Element, unknown[]>();
  for (const [at, element] of elementsOf(schema, items).entries()) {
    const group = groups.get(element) ?? [];
    group.push(items[at]);
    groups.set(element, group);
  }
  return groups;
}
