import { isDeepStrictEqual } from 'node:util';
import { clip, type Tree } from '../../spec/tree.ts';
import { toValue } from '../../spec/tree.ts';
import type { Value } from '../config/document.ts';

/** One operation of RFC 6902, as Talos applies it. */
export type Operation = {
  readonly op: string;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: Value;
};

/** Why an operation cannot be applied; never repeats a value. */
export class OperationRefusal extends Error {}

export function operationOf(tree: Tree): Operation {
  const fields = toValue(tree) as Readonly<Record<string, Value>> | null;
  if (tree.kind !== 'map' || fields === null) throw new OperationRefusal('an operation is a mapping with op and path');
  const text = (key: string): string | undefined => (typeof fields[key] === 'string' ? fields[key] : undefined);
  return { op: text('op') ?? '', path: text('path'), from: text('from'), value: copyOf(fields['value'] ?? null) };
}

/** The document after the operation; the one before is not changed. */
export function applyOperation(document: Value, { op, path, from, value }: Operation): Value {
  if (path === undefined) throw new OperationRefusal('it has no path');
  const source = (): string => {
    if (from === undefined) throw new OperationRefusal('it has no from');
    return from;
  };
  switch (op) {
    case 'add':
      return put(document, pointer(path), value, 'add');
    case 'remove':
      return removeAt(document, pointer(path));
    case 'replace':
      return path === '' ? whole(value) : put(document, pointer(path), value, 'replace');
    case 'move': {
      const moved = valueAt(document, pointer(source()));
      return put(removeAt(document, pointer(source())), pointer(path), moved, 'add');
    }
    case 'copy':
      return put(document, pointer(path), valueAt(document, pointer(source())), 'add');
    case 'test': {
      const found = path === '' ? document : valueAt(document, pointer(path));
      if (!isDeepStrictEqual(found, value)) throw new OperationRefusal('the value there is another one');
      return document;
    }
    default:
      throw new OperationRefusal(`there is no operation "${clip(op)}"; add, remove, replace, move, copy and test are`);
  }
}

function pointer(text: string): readonly string[] {
  if (!text.startsWith('/')) throw new OperationRefusal('a path begins with /');
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function whole(value: Value): Value {
  if (typeof value !== 'object' || value === null) throw new OperationRefusal('a whole document is a mapping');
  return value;
}

/** What lies at a path. An object without the key has null there, as in Talos. */
function valueAt(document: Value, steps: readonly string[]): Value {
  return steps.reduce<Value>((value, step, index) => {
    if (Array.isArray(value)) return (value as readonly Value[])[indexIn(value as readonly Value[], step)] ?? null;
    if (isMap(value)) {
      const found = value[step] ?? null;
      if (found === null && index < steps.length - 1) throw missing(steps);
      return found;
    }
    throw missing(steps);
  }, document);
}

function put(document: Value, steps: readonly string[], value: Value, how: 'add' | 'replace'): Value {
  return changed(document, steps, (parent, step) => {
    if (isMap(parent)) return { ...parent, [step]: value };
    if (how === 'replace') return parent.with(indexIn(parent, step), value);
    if (step === '-') return [...parent, value];
    return parent.toSpliced(indexIn([...parent, null], step), 0, value);
  });
}

const removeAt = (document: Value, steps: readonly string[]): Value =>
  changed(document, steps, (parent, step) => {
    if (!isMap(parent)) return parent.toSpliced(indexIn(parent, step), 1);
    if (!Object.hasOwn(parent, step)) throw missing(steps);
    const { [step]: _, ...others } = parent;
    return others;
  });

type Map = { readonly [key: string]: Value };

function changed(
  document: Value,
  steps: readonly string[],
  change: (parent: Map | readonly Value[], step: string) => Value,
): Value {
  const [step = '', ...rest] = steps;
  const isList = Array.isArray(document);
  if (!isList && !isMap(document)) throw missing(steps);
  if (rest.length === 0) return change(isList ? (document as readonly Value[]) : document, step);
  if (isList) {
    const list = document as readonly Value[];
    const at = indexIn(list, step);
    return list.with(at, changed(list[at] ?? null, rest, change));
  }
  return { ...document, [step]: changed(document[step] ?? null, rest, change) };
}

/** Counts from the end when it is negative, which RFC 6902 does not know and Talos does. */
function indexIn(list: readonly Value[], step: string): number {
  const index = /^[-+]?\d+$/.test(step) ? Number(step) : Number.NaN;
  const at = index < 0 ? index + list.length : index;
  if (!(at >= 0 && at < list.length)) throw new OperationRefusal(`there is no item ${clip(step)} in that list`);
  return at;
}

const missing = (steps: readonly string[]): OperationRefusal =>
  new OperationRefusal(`there is nothing at /${clip(steps.join('/'), 200)}`);

const isMap = (value: Value): value is Map => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Plain objects, as the rest of a configuration has them. */
function copyOf(value: Value): Value {
  if (Array.isArray(value)) return (value as readonly Value[]).map(copyOf);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]));
  return value;
}
