import { isDeepStrictEqual } from 'node:util';
import type { Path } from '../../spec/tree.ts';
import { formatPath } from '../../spec/tree.ts';
import type { ConfigDocument, Fields, MachineConfig, Value } from '../config/document.ts';
import { documentPath, isMain, textIn } from '../config/identity.ts';

/**
 * One difference between two configurations as patches that take it away: `remove` goes first, `set` comes in a patch of its
 * own after it. Units of one pair of configurations are about different things and may be put together in any order.
 */
export type PatchUnit = { readonly path: string; readonly remove?: Fields; readonly set?: Fields };

/** What has to be laid over `from` so that it says what `to` says. */
export function patchTowards(from: MachineConfig, to: MachineConfig): readonly PatchUnit[] {
  const documents = new Map([...from, ...to].map((document) => [formatPath(documentPath(document)), document]));
  return [...documents.keys()].flatMap((path): readonly PatchUnit[] => {
    const [before, after] = [at(from, path), at(to, path)];
    if (before !== undefined && after !== undefined && isMain(before)) return within(before, after, []);
    if (isDeepStrictEqual(before, after)) return [];
    // Some documents cannot be merged, and of others Talos takes half: whole ones always can be exchanged.
    return [
      {
        path,
        ...(before === undefined ? {} : { remove: { ...nameOf(before), $patch: 'delete' } }),
        ...(after === undefined ? {} : { set: after }),
      },
    ];
  });
}

const at = (config: MachineConfig, path: string): ConfigDocument | undefined =>
  config.find((document) => formatPath(documentPath(document)) === path);

function nameOf(document: ConfigDocument): Fields {
  const name = textIn(document, 'name');
  return {
    apiVersion: textIn(document, 'apiVersion'),
    kind: textIn(document, 'kind'),
    ...(name === '' ? {} : { name }),
  };
}

function within(before: Fields, after: Fields, path: Path): readonly PatchUnit[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => between(before[key], after[key], [...path, key]));
}

function between(before: Value | undefined, after: Value | undefined, path: Path): readonly PatchUnit[] {
  if (isDeepStrictEqual(before, after) || (isBlank(before) && isBlank(after))) return [];
  if (isMap(before) && isMap(after)) return within(before, after, path);
  const remove = before === undefined || before === null ? {} : { remove: nested(path, { $patch: 'delete' }) };
  const set = after === undefined || after === null || isBlank(after) ? {} : { set: nested(path, after) };
  const merges = after !== undefined && !isBlank(after) && typeof after !== 'object';
  return [{ path: formatPath(path), ...(merges && isPlain(before) ? {} : remove), ...set }];
}

/** Talos reads these alike, and a patch cannot set them. */
const isBlank = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === '' || value === 0;
const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
const isPlain = (value: Value | undefined): boolean => typeof value !== 'object';
const isMap = (value: Value | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nested = (path: Path, value: Value): Fields =>
  path.reduceRight<Value>((inner, step) => ({ [String(step)]: inner }), value) as Fields;

/** Units as the patches of one place, in their order: what is taken away, then what is set. */
export function patchesOf(units: readonly PatchUnit[]): readonly (readonly ConfigDocument[])[] {
  const removed = units.flatMap(({ remove }): readonly Fields[] => (remove === undefined ? [] : [remove]));
  const set = units.flatMap((unit): readonly Fields[] => (unit.set === undefined ? [] : [unit.set]));
  return [removed, set].map(gathered).filter((documents) => documents.length > 0);
}

/** All that is about the v1alpha1 document stands in one. */
function gathered(documents: readonly Fields[]): readonly ConfigDocument[] {
  const main = documents.filter(isMain).reduce<Fields>((sum, each) => merged(sum, each), {});
  return [...(isEmpty(main) ? [] : [main]), ...documents.filter((document) => !isMain(document))];
}

const merged = (one: Fields, other: Fields): Fields =>
  Object.entries(other).reduce<Fields>((sum, [key, value]) => {
    const there = sum[key];
    return { ...sum, [key]: isMap(there) && isMap(value) ? merged(there, value) : value };
  }, one);
