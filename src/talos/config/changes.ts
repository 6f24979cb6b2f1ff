import { isDeepStrictEqual } from 'node:util';
import { formatPath, type Path } from '../../spec/tree.ts';
import type { ConfigDocument, MachineConfig, Value } from './document.ts';
import { documentPath } from './identity.ts';

/** One value that is new, gone or another one. */
export type ValueChange = {
  readonly path: Path;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
};

/** What differs between two configurations, value by value; documents find each other by kind and name. */
export function changedValues(before: MachineConfig, after: MachineConfig): readonly ValueChange[] {
  const paths = new Map([...before, ...after].map((document) => [keyOf(document), documentPath(document)]));
  return [...paths].flatMap(([key, path]) => changesIn(documentIn(before, key), documentIn(after, key), path));
}

const keyOf = (document: ConfigDocument): string => formatPath(documentPath(document));
const documentIn = (config: MachineConfig, key: string): ConfigDocument | undefined =>
  config.find((document) => keyOf(document) === key);

function changesIn(before: Value | undefined, after: Value | undefined, path: Path): readonly ValueChange[] {
  if (isDeepStrictEqual(before, after) || (saysNothing(before) && saysNothing(after))) return [];
  const steps = stepsOf(before, after);
  if (steps === undefined) return [{ path, before, after }];
  return steps.flatMap((step) => changesIn(childOf(before, step), childOf(after, step), [...path, step]));
}

/** Talos reads these alike where a value cannot be absent. */
const saysNothing = (value: Value | undefined): boolean => value === undefined || value === null || value === '';

/** The steps to take into both; undefined where one of them is a plain value, or where nothing is inside. */
function stepsOf(before: Value | undefined, after: Value | undefined): readonly (string | number)[] | undefined {
  const present = [before, after].filter((value) => !saysNothing(value));
  if (present.every(isList)) {
    const longest = Math.max(...present.map((list) => list.length));
    return longest === 0 ? undefined : Array.from({ length: longest }, (_, index) => index);
  }
  if (!present.every(isMap)) return undefined;
  const keys = new Set(present.flatMap((map) => Object.keys(map)));
  return keys.size === 0 ? undefined : [...keys];
}

function childOf(value: Value | undefined, step: string | number): Value | undefined {
  if (isList(value)) return value[Number(step)];
  return isMap(value) ? value[String(step)] : undefined;
}

const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);
const isMap = (value: Value | undefined): value is { readonly [key: string]: Value } =>
  typeof value === 'object' && value !== null && !isList(value);
