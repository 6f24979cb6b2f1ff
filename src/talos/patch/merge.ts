import type { Fields, Value } from '../config/document.ts';
import { isArgument, leafNamed, SealedError } from '../fields/leaf.ts';
import type { FieldType, StructType } from '../fields/types.ts';
import { mergeAny } from './merge-any.ts';
import { MergeRefusal } from './merge-refusal.ts';
import { keyedLists } from './keyed-lists.ts';

/** What Talos makes of a structure and a patch for it. Neither is changed; what is the same in the result is shared. */
export function mergeStruct(type: StructType, left: Fields, right: Fields, path: readonly string[] = []): Fields {
  const merged: Record<string, Value> = {};
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const field = type.fields.get(key);
    if (field === undefined) continue;
    const value = merge(field.type, left[key], right[key], { replaced: field.replaced, overwrite: false }, [
      ...path,
      key,
    ]);
    if (value !== undefined) merged[key] = value;
  }
  for (const field of sealedFields(type)) refuse([...path, field]);
  return merged;
}

/** Talos fails on these even when neither side has them. */
const sealedFields = (type: StructType): readonly string[] =>
  [...type.fields.values()].flatMap(({ name, type: of }) =>
    of.kind === 'leaf' && leafNamed(of.name).sealed === 'always' ? [name] : [],
  );

type How = {
  /** The patch replaces the whole of a list, a mapping or a structure. */
  readonly replaced: boolean;
  /** Behind a pointer a zero value counts: it was written. */
  readonly overwrite: boolean;
};

function merge(
  type: FieldType,
  left: Value | undefined,
  right: Value | undefined,
  how: How,
  path: readonly string[],
): Value | undefined {
  switch (type.kind) {
    case 'pointer':
      if (isNothing(right)) return left;
      return isNothing(left) ? right : merge(type.to, left, right, { ...how, overwrite: true }, path);
    case 'struct':
      if (how.replaced) return isNothing(right) || isEmpty(right) ? left : right;
      if (isNothing(left)) return right;
      return mergeStruct(type, fieldsIn(left), fieldsIn(right), path);
    case 'list':
      return mergeLists(type, left, right, how, path);
    case 'map':
      return mergeMaps(type, left, right, how, path);
    case 'any':
      return mergeAny(left, right, path);
    case 'leaf':
      return mergeLeaves(type.name, left, right, how, path);
    case 'bool':
      // Copied even when it is absent: false.
      return right ?? (left === undefined || how.overwrite ? left : false);
    case 'string':
    case 'integer':
      return isNothing(right) || (isZero(right) && !how.overwrite) ? left : right;
  }
}

function mergeLists(
  type: Extract<FieldType, { kind: 'list' }>,
  left: Value | undefined,
  right: Value | undefined,
  how: How,
  path: readonly string[],
): Value | undefined {
  if (!Array.isArray(right)) return left;
  if (how.replaced) return itemsIn(right);
  const ours = itemsIn(left);
  const keyed = type.name === undefined ? undefined : keyedLists[type.name];
  const item = type.of.kind === 'pointer' ? type.of.to : type.of;
  if (keyed === undefined || item.kind !== 'struct') return [...ours, ...itemsIn(right)];
  return keyed(ours.map(fieldsIn), itemsIn(right).map(fieldsIn), (one, other) => mergeStruct(item, one, other, path));
}

function mergeMaps(
  type: Extract<FieldType, { kind: 'map' }>,
  left: Value | undefined,
  right: Value | undefined,
  how: How,
  path: readonly string[],
): Value | undefined {
  if (isNothing(right) || (type.of.kind === 'any' && isEmpty(right))) return left;
  if (how.replaced) return right;
  const merged: Record<string, Value> = { ...fieldsIn(left) };
  const wholeValues = type.of.kind === 'leaf' && isArgument(type.of.name);
  for (const [key, value] of Object.entries(fieldsIn(right))) {
    const before = merged[key];
    if (isNothing(before) || wholeValues) merged[key] = value;
    else merged[key] = merge(type.of, before, value, { replaced: false, overwrite: false }, [...path, key]) ?? null;
  }
  return merged;
}

function mergeLeaves(
  name: string,
  left: Value | undefined,
  right: Value | undefined,
  how: How,
  path: readonly string[],
): Value | undefined {
  const leaf = leafNamed(name);
  if (leaf.sealed === 'when-both' && !isNothing(left) && !isNothing(right)) refuse(path);
  if (leaf.merge) {
    try {
      return leaf.merge(left, right);
    } catch (error) {
      if (error instanceof SealedError) refuse(path);
      throw error;
    }
  }
  if (isNothing(right)) return left;
  const zero = !how.overwrite && typeof right === 'string' && leaf.zero?.(right) === true;
  return zero ? left : right;
}

function refuse(path: readonly string[]): never {
  throw new MergeRefusal('Talos cannot merge this value into one that is there already', path);
}

const isNothing = (value: Value | undefined): value is undefined | null => value === undefined || value === null;
const isZero = (value: Value): boolean => value === '' || value === 0;
const isEmpty = (value: Value): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const itemsIn = (value: Value | undefined): readonly Value[] =>
  Array.isArray(value) ? (value as readonly Value[]) : [];
export const fieldsIn = (value: Value | undefined): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
