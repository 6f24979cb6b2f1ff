import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';

/** A copy of plain data that may be changed. */
export function clone<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clone) as T;
  const copy: Mutable = {};
  for (const key of Object.keys(value)) {
    const field = (value as Mutable)[key];
    copy[key] = typeof field === 'object' ? clone(field) : field;
  }
  return copy as T;
}

export const mutable = (object: KubeObject): Mutable => clone(object);

/** Whether two pieces of plain data say the same. */
export function same(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((each, index) => same(each, right[index]));
  }
  const [ours, theirs] = [left as Mutable, right as Mutable];
  const keys = Object.keys(ours).filter((key) => ours[key] !== undefined);
  if (keys.length !== Object.keys(theirs).filter((key) => theirs[key] !== undefined).length) return false;
  return keys.every((key) => same(ours[key], theirs[key]));
}
