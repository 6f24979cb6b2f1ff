import type { Position } from '../../model/problem.ts';
import { formatPath, type Entry, type Path, type Tree } from '../tree.ts';
import type { Part } from './foreign.ts';

/** A piece of Talos configuration in a foreign file, and how to say something about what is inside. */
export type Configuration = {
  readonly tree: Tree;
  readonly from: Part;
  readonly say: (path: Path, message: string) => void;
};

/** Values in the file's own language that stand somewhere in the configuration, such as machine.files. */
export const under = (place: readonly string[], from: Part): Configuration => ({
  tree: place.reduceRight<Tree>((inner, key) => mapping(from.at, { [key]: inner }), from.tree),
  from,
  say: (path, message) => from.inside(path.slice(place.length)).remark(message),
});

/** A document that stands in the file as text, where nothing inside has a place of its own. */
export const textOf = (tree: Tree, from: Part): Configuration => ({
  tree,
  from,
  say: (path, message) => from.remark(path.length === 0 ? message : `${formatPath(path)}: ${message}`),
});

const mapping = (at: Position, values: Readonly<Record<string, Tree>>): Tree => ({
  kind: 'map',
  at,
  entries: new Map(Object.entries(values).map(([key, value]): [string, Entry] => [key, { keyAt: at, value }])),
});

/** Without what stands at the path, and without the mappings that are empty then. */
export function without(tree: Tree, path: Path): Tree {
  const [step, ...rest] = path;
  const entry = tree.kind === 'map' ? tree.entries.get(String(step)) : undefined;
  if (tree.kind !== 'map' || entry === undefined) return tree;
  const entries = new Map(tree.entries);
  const inner = rest.length === 0 ? undefined : without(entry.value, rest);
  if (inner === undefined || (inner.kind === 'map' && inner.entries.size === 0)) entries.delete(String(step));
  else entries.set(String(step), { ...entry, value: inner });
  return { ...tree, entries };
}
