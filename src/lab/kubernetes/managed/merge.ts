import type { Schema } from '../schema/schema.ts';
import type { Element } from './element.ts';
import { anything, elementsOf, fieldOf, isMap, itemsOf, shapeOf } from './shape.ts';

/** A configuration laid over an object: nothing is removed, and where both say something the configuration is right. */
export function mergeTyped(schema: Schema, live: unknown, config: unknown): unknown {
  if (config === undefined) return live;
  if (live === undefined) return config;
  const shape = shapeOf(schema, config);
  if (shape.kind === 'scalar' || shape.atomic) return config;
  if (shape.kind === 'list') {
    const [left, right] = [Array.isArray(live) ? live : [], Array.isArray(config) ? config : []];
    return left.length === 0 && right.length === 0 ? config : mergeItems(schema, left, right);
  }
  const [left, right] = [isMap(live) ? live : {}, isMap(config) ? config : {}];
  if (Object.keys(left).length === 0 && Object.keys(right).length === 0) return config;
  return Object.fromEntries(
    [...new Set([...Object.keys(left), ...Object.keys(right)])].map((name) => [
      name,
      mergeTyped(fieldOf(schema, name) ?? anything, left[name], right[name]),
    ]),
  );
}

/** Items stay in the live order unless the configuration orders those that both have otherwise. */
function mergeItems(schema: Schema, live: readonly unknown[], config: readonly unknown[]): readonly unknown[] {
  const items = itemsOf(schema) ?? anything;
  const [left, right] = [elementsOf(schema, live), elementsOf(schema, config)];
  const wanted = new Map(right.map((element, at) => [element, config[at]]));
  // Of items that share a key none is the one to merge with.
  const present = new Map<Element, unknown>();
  for (const [at, element] of left.entries()) present.set(element, present.has(element) ? null : live[at]);
  const shared = right.filter((element) => present.has(element));
  const merged = new Set<Element>();
  const out: unknown[] = [];
  const take = (element: Element): void => {
    merged.add(element);
    out.push(mergeTyped(items, present.get(element) ?? undefined, wanted.get(element)));
    if (shared[0] === element) shared.shift();
  };

  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const [mine, theirs] = [left[l], right[r]];
    if (mine !== undefined && mine === theirs) {
      take(mine);
      l++;
      r++;
    } else if (
      mine !== undefined &&
      theirs !== undefined &&
      wanted.has(mine) &&
      shared[0] !== undefined &&
      shared[0] !== mine
    ) {
      l++;
    } else if (mine !== undefined && !wanted.has(mine)) {
      out.push(live[l]);
      l++;
    } else {
      if (mine !== undefined && merged.has(mine)) l++;
      if (theirs !== undefined) {
        take(theirs);
        r++;
      } else if (mine !== undefined && !merged.has(mine)) {
        l++;
      }
    }
  }
  return out;
}
