import { badRequest } from '../refusal.ts';
import type { Schema } from '../schema/schema.ts';
import { goPlain } from '../managed/check.ts';
import { isMap } from '../managed/shape.ts';
import { jsonType, unprocessable } from './json-patch.ts';
import { inOrder, type Item } from './order.ts';
import { serverError } from '../managed/server-error.ts';

const deleteFrom = '$deleteFromPrimitiveList/';
const order = '$setElementOrder/';

/** A patch that knows the types: lists with a merge key are merged item by item, and directives say what else is meant. */
export function strategicMergePatch(schema: Schema, document: unknown, patch: unknown): unknown {
  if (!isMap(patch)) {
    throw badRequest(`json: cannot unmarshal ${jsonType(patch)} into Go value of type map[string]interface {}`);
  }
  return mergeMap(schema, (structuredClone(document) ?? {}) as Item, structuredClone(patch));
}

function mergeMap(schema: Schema | undefined, original: Item, patch: Item): Item {
  if ('$patch' in patch) return directed(patch);
  retainKeys(original, patch);
  setElementOrders(schema, original, patch);
  for (const [key, value] of Object.entries(patch)) mergeField(schema, original, key, value);
  return original;
}

function directed(patch: Item): Item {
  const { $patch: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw unknownDirective(directive, patch);
}

const unknownDirective = (directive: unknown, patch: Item): Error =>
  serverError(`unknown patch type: ${goPlain(directive)} in map: ${goPlain(patch)}`);

function mergeField(schema: Schema | undefined, original: Item, name: string, value: unknown): void {
  const isDeletion = name.startsWith(deleteFrom.slice(0, -1));
  if (isDeletion && !name.startsWith(deleteFrom)) throw badRequest('invalid patch format of primitive list');
  const key = isDeletion ? name.slice(deleteFrom.length) : name;
  if (value === null) {
    delete original[key];
    return;
  }
  const current = original[key];
  const below = fieldIn(schema, key);
  if (isMap(current) && isMap(value)) {
    original[key] = strategyOf(below) === 'replace' ? value : mergeMap(below, current, value);
  } else if (Array.isArray(current) && Array.isArray(value)) {
    original[key] = mergeList(below, current, value, isDeletion);
  } else if (!isDeletion) {
    const kept = withoutDirectives(withoutNulls(value));
    if (kept === undefined) delete original[key];
    else original[key] = kept;
  }
}

const fieldIn = (schema: Schema | undefined, name: string): Schema | undefined =>
  schema?.property?.(name) ?? (schema?.type === 'map' ? schema.values?.() : undefined);

const strategyOf = (schema: Schema | undefined): 'merge' | 'replace' | undefined =>
  schema?.patchStrategy?.find((strategy) => strategy !== 'retainKeys');

/** `$retainKeys`: whatever is not named goes; a patch must name all that it sets. */
function retainKeys(original: Item, patch: Item): void {
  if (!('$retainKeys' in patch)) return;
  const keys = patch['$retainKeys'];
  delete patch['$retainKeys'];
  if (!Array.isArray(keys)) throw badRequest('invalid patch format of retainKeys');
  for (const [name, value] of Object.entries(patch)) {
    const isDirective = name.startsWith(deleteFrom) || name.startsWith(order);
    if (value !== null && !isDirective && !keys.includes(name)) throw badRequest('invalid patch format of retainKeys');
  }
  for (const name of Object.keys(original)) if (!keys.includes(name)) delete original[name];
}

/** `$setElementOrder/…`: the list of that name is merged here and now, and sorted as it says. */
function setElementOrders(schema: Schema | undefined, original: Item, patch: Item): void {
  for (const [name, wanted] of Object.entries(patch)) {
    if (!name.startsWith(order.slice(0, -1))) continue;
    delete patch[name];
    if (!name.startsWith(order)) throw badRequest('invalid patch format of setElementOrder list');
    if (!Array.isArray(wanted)) throw serverError(`expected a []interface {}, but received a ${goType(wanted)}`);
    const key = name.slice(order.length);
    const [before, change] = [listOf(original[key]), listOf(patch[key])];
    delete patch[key];
    const below = fieldIn(schema, key);
    const mergeKey = below?.patchMergeKey ?? '';
    if (change !== undefined) agree(change, wanted, mergeKey);
    if (before === undefined && change === undefined) continue;
    const merged =
      before === undefined
        ? (withoutDirectives(change) as unknown[])
        : change === undefined
          ? before
          : mergeList(below, before, change, false);
    original[key] = inOrder(merged, wanted, before ?? [], mergeKey);
  }
}

function listOf(value: unknown): unknown[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw serverError(`expected a []interface {}, but received a ${goType(value)}`);
  return value as unknown[];
}

/** The items of a patch stand in the order’s list, and in its order. */
function agree(change: readonly unknown[], wanted: readonly unknown[], mergeKey: string): void {
  const own = change.filter((item) => !isMap(item) || !('$patch' in item));
  if (wanted.length === 0 || own.length === 0) return;
  const keyOf = (item: unknown): unknown => (mergeKey === '' ? item : keyed(item, mergeKey));
  let at = 0;
  for (const item of wanted) if (at < own.length && keyOf(own[at]) === keyOf(item)) at++;
  if (at === own.length) return;
  throw serverError(
    `The order in patch list:\n${goPlain(change)}\n doesn't match $setElementOrder list:\n${goPlain(wanted)}\n`,
  );
}

function keyed(item: unknown, mergeKey: string): unknown {
  if (!isMap(item)) throw serverError(`expected a map[string]interface {}, but received a ${goType(item)}`);
  if (!(mergeKey in item)) throw noMergeKey(item, mergeKey);
  return item[mergeKey];
}

const noMergeKey = (item: unknown, mergeKey: string): Error =>
  serverError(`map: ${goPlain(item)} does not contain declared merge key: ${mergeKey}`);

function mergeList(schema: Schema | undefined, original: unknown[], patch: unknown[], isDeletion: boolean): unknown[] {
  if (strategyOf(schema) !== 'merge' && !isDeletion) return patch;
  if (original.length === 0 && patch.length === 0) return original;
  if (!isMap([...original, ...patch][0])) {
    if (isDeletion) return original.filter((item) => !patch.includes(item));
    return inOrder([...new Set([...original, ...patch])], patch, original, '');
  }
  const mergeKey = schema?.patchMergeKey ?? '';
  if (mergeKey === '') throw serverError(`cannot merge lists without merge key for ${schema?.items?.().name ?? ''}`);
  return mergeItems(schema, original, patch as Item[], mergeKey);
}

function mergeItems(schema: Schema | undefined, original: unknown[], patch: Item[], mergeKey: string): unknown[] {
  if ([...original, ...patch].some(Array.isArray)) throw unprocessable();
  let base = original;
  let isReplaced = false;
  const plain: Item[] = [];
  for (const item of patch) {
    const directive = item['$patch'];
    if (directive === undefined) plain.push(item);
    else if (directive === 'replace') isReplaced = true;
    else if (directive === 'merge') throw serverError('merging lists cannot yet be specified in the patch');
    else if (directive !== 'delete') throw unknownDirective(directive, item);
    else if (!(mergeKey in item)) throw noMergeKey(item, mergeKey);
    else base = base.filter((other) => (other as Item)[mergeKey] !== item[mergeKey]);
  }
  if (isReplaced) return plain;
  const merged = [...base];
  for (const item of plain) {
    const key = keyed(item, mergeKey);
    const at = merged.findIndex((other) => (other as Item)[mergeKey] === key);
    if (at === -1) merged.push(item);
    else merged[at] = mergeMap(schema?.items?.(), merged[at] as Item, item);
  }
  return inOrder(merged, plain, base, mergeKey);
}

/** What is new is taken as it is, but nulls and directives are for the server only. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isMap(value)) return value;
  if ('$patch' in value) return undefined;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, withoutDirectives(inner)] as const)
      .filter(([, inner]) => inner !== undefined),
  );
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, withoutNulls(inner)]),
  );
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  if (value === null) return '%!s(<nil>)';
  return typeof value === 'number'
    ? Number.isInteger(value)
      ? 'int64'
      : 'float64'
    : typeof value === 'boolean'
      ? 'bool'
      : 'string';
}
