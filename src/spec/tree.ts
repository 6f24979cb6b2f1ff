import type { Position } from '../model/problem.ts';

/** YAML as a person wrote it: every value and every key knows its place. Aliases share one node. */
export type Tree = MapTree | ListTree | ScalarTree;
export type MapTree = { readonly kind: 'map'; readonly at: Position; readonly entries: ReadonlyMap<string, Entry> };
type ListTree = { readonly kind: 'list'; readonly at: Position; readonly items: readonly Tree[] };
export type ScalarTree = {
  readonly kind: 'scalar';
  readonly at: Position;
  readonly value: Scalar;
  /** A number as it stands in the file: 1.30 is not 1.3 to whoever meant a version. */
  readonly written?: string;
};
export type Entry = {
  readonly keyAt: Position;
  readonly value: Tree;
  /** A word without a colon, as in { word }: not always meant to be a key. */
  readonly bare?: true;
};
export type Scalar = string | number | boolean | null;

export type PathStep = string | number;
export type Path = readonly PathStep[];

/** Plain data. What was shared by an alias stays shared. */
export function toValue(tree: Tree, seen = new Map<Tree, unknown>()): unknown {
  const before = seen.get(tree);
  if (before !== undefined) return before;
  switch (tree.kind) {
    case 'scalar':
      return tree.value;
    case 'list': {
      const list = tree.items.map((item) => toValue(item, seen));
      seen.set(tree, list);
      return list;
    }
    case 'map': {
      // A null prototype: a key called __proto__ or toString is a key like any other.
      const map = Object.create(null) as Record<string, unknown>;
      for (const [key, entry] of tree.entries) map[key] = toValue(entry.value, seen);
      seen.set(tree, map);
      return map;
    }
  }
}

/** Data that nobody wrote as it stands, with the places of what it was made from. */
export function treeOf(value: unknown, placeOf: (path: Path) => Position, path: Path = []): Tree {
  const at = placeOf(path);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return { kind: 'list', at, items: items.map((item, index) => treeOf(item, placeOf, [...path, index])) };
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]: [string, unknown]): [string, Entry] => {
      const inner = [...path, key];
      return [key, { keyAt: placeOf(inner), value: treeOf(item, placeOf, inner) }];
    });
    return { kind: 'map', at, entries: new Map(entries) };
  }
  return { kind: 'scalar', at, value: isScalarValue(value) ? value : null };
}

const isScalarValue = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

export function childOf(tree: Tree, step: PathStep): Tree | undefined {
  if (tree.kind === 'map') return tree.entries.get(String(step))?.value;
  return tree.kind === 'list' ? tree.items[Number(step)] : undefined;
}

export type Located = {
  /** How many steps of the path are there. */
  readonly depth: number;
  readonly node: Tree;
  /** Where the key of `node` stands; undefined at the root and for items of a list. */
  readonly keyAt: Position | undefined;
};

/** As far along the path as the file goes. */
export function locate(root: Tree, path: Path): Located {
  let found: Located = { depth: 0, node: root, keyAt: undefined };
  for (const step of path) {
    const node = childOf(found.node, step);
    if (node === undefined) break;
    const keyAt = found.node.kind === 'map' ? found.node.entries.get(String(step))?.keyAt : undefined;
    found = { depth: found.depth + 1, node, keyAt };
  }
  return found;
}

/** No name that ichor accepts is longer. */
const longestStep = 253;

const plainKey = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** spec.cluster.workers.general.taints[0], zones["prod.example.org"] */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (step.length > longestStep) text += `[${JSON.stringify(clip(step, longestStep))}]`;
    else if (plainKey.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** So much of a text as fits into a sentence. */
export const clip = (text: string, longest = 60): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text;

/** The reverse of formatPath; undefined when it is not a path. */
export function parsePath(text: string): Path | undefined {
  const steps: PathStep[] = [];
  const token = /\.?([^.[\]"=\s]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const match = token.exec(text);
    if (!match || (start > 0 && match[1] !== undefined && text[start] !== '.')) return undefined;
    if (match[1] !== undefined) steps.push(match[1]);
    else if (match[2] !== undefined) steps.push(Number(match[2]));
    else {
      const key = unquoted(match[3] ?? '');
      if (key === undefined) return undefined;
      steps.push(key);
    }
  }
  return steps.length === 0 ? undefined : steps;
}

function unquoted(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}
