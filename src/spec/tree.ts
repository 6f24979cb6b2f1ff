import type { Position } from '../model/problem.ts';

/** YAML as a person wrote it: every value and every key knows its place. Aliases share one node. */
export type Tree = MapTree | ListTree | ScalarTree;
export type MapTree = { readonly kind: 'map'; readonly at: Position; readonly entries: ReadonlyMap<string, Entry> };
export type ListTree = { readonly kind: 'list'; readonly at: Position; readonly items: readonly Tree[] };
export type ScalarTree = { readonly kind: 'scalar'; readonly at: Position; readonly value: Scalar };
export type Entry = { readonly keyAt: Position; readonly value: Tree };
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

const plainKey = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** spec.cluster.workers.general.taints[0], zones["prod.example.org"] */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (plainKey.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

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
    else steps.push(String(JSON.parse(match[3] ?? '""')));
  }
  return steps.length === 0 ? undefined : steps;
}
