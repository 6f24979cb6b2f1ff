import type { Value } from '../config/document.ts';
import { MergeRefusal } from './merge-refusal.ts';

/** Values of which Talos knows no type: both sides must be of one, lists are appended, zero values do not count. */
export function mergeAny(
  left: Value | undefined,
  right: Value | undefined,
  path: readonly string[],
): Value | undefined {
  if (right === undefined) return left;
  if (left === undefined || left === null) return right;
  const [ours, theirs] = [kindOf(left), kindOf(right)];
  if (ours !== theirs) throw new MergeRefusal(`Talos does not replace ${ours} by ${theirs} here`, path);
  if (Array.isArray(left)) return [...(left as readonly Value[]), ...(right as readonly Value[])];
  if (typeof left === 'object') return mergeMaps(left as Map, right as Map, path);
  return right === '' || right === 0 ? left : right;
}

type Map = { readonly [key: string]: Value };

function mergeMaps(left: Map, right: Map, path: readonly string[]): Value {
  const merged: Record<string, Value> = { ...left };
  for (const [key, value] of Object.entries(right)) merged[key] = mergeAny(left[key], value, [...path, key]) ?? null;
  return merged;
}

function kindOf(value: Value): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'true or false';
    case 'number':
      return Number.isInteger(value) ? 'a whole number' : 'a number with a fraction';
    default:
      return 'a mapping';
  }
}
