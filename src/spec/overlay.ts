import { Problem, type Position } from '../model/problem.ts';
import { parsePath, type Entry, type Path, type Tree } from './tree.ts';
import { parseYaml } from './yaml.ts';

/** Later wins: maps merge key by key, everything else is replaced, and null takes a key away. Each value keeps its place. */
export function merge(base: Tree, over: Tree): Tree {
  if (base.kind !== 'map' || over.kind !== 'map') return over;
  const entries = new Map(base.entries);
  for (const [key, entry] of over.entries) {
    const before = entries.get(key);
    if (before !== undefined && isNull(entry.value)) entries.delete(key);
    else
      entries.set(key, before === undefined ? entry : { keyAt: entry.keyAt, value: merge(before.value, entry.value) });
  }
  return { kind: 'map', at: base.at, entries };
}

const isNull = (tree: Tree): boolean => tree.kind === 'scalar' && tree.value === null;

/** A map of maps down to `value`, to be merged over something. */
function nest(path: Path, at: Position, value: Tree): Tree {
  return path.reduceRight<Tree>(
    (inner, step) => ({
      kind: 'map',
      at,
      entries: new Map<string, Entry>([[String(step), { keyAt: at, value: inner }]]),
    }),
    value,
  );
}

const topLevel = new Set(['apiVersion', 'kind', 'metadata', 'spec']);

export type Setting = { readonly over: Tree } | { readonly problem: Problem };

/** One `--set path=value` as an overlay. The path begins at spec unless it says otherwise; the value is YAML. */
export function parseSetting(text: string, line: number): Setting {
  const at = (column: number, length: number): Position => ({
    file: '--set',
    line,
    column,
    length: Math.max(1, length),
  });
  const equals = indexOfEquals(text);
  const written = equals === -1 ? undefined : parsePath(text.slice(0, equals).trim());
  if (written === undefined) {
    return {
      problem: new Problem('set', 'This is not of the form path=value.', {
        at: at(1, text.length),
        remedy:
          'Write for example --set cluster.controlPlane.replicas=3; quote keys with dots: --set \'…zones["example.org"].ttl=60\'',
      }),
    };
  }
  const path = topLevel.has(String(written[0])) ? written : ['spec', ...written];
  const value = text.slice(equals + 1);
  const parsed = parseYaml({ name: '--set', content: value });
  const moved = (position: Position): Position => ({ ...position, line, column: position.column + equals + 1 });
  const [broken] = parsed.problems;
  if (broken?.at)
    return { problem: new Problem(broken.code, broken.message, { at: moved(broken.at), remedy: broken.remedy }) };
  const valueAt = at(equals + 2, value.length);
  const tree: Tree = parsed.documents[0]
    ? move(parsed.documents[0], moved)
    : { kind: 'scalar', at: valueAt, value: value.trim() === '' ? '' : null };
  return { over: nest(path, at(1, equals), tree) };
}

function indexOfEquals(text: string): number {
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '"' && text[index - 1] !== '\\') quoted = !quoted;
    if (text[index] === '=' && !quoted) return index;
  }
  return -1;
}

function move(tree: Tree, moved: (position: Position) => Position): Tree {
  switch (tree.kind) {
    case 'scalar':
      return { ...tree, at: moved(tree.at) };
    case 'list':
      return { ...tree, at: moved(tree.at), items: tree.items.map((item) => move(item, moved)) };
    case 'map': {
      const entries = [...tree.entries].map(([key, entry]): [string, Entry] => [
        key,
        { keyAt: moved(entry.keyAt), value: move(entry.value, moved) },
      ]);
      return { kind: 'map', at: moved(tree.at), entries: new Map(entries) };
    }
  }
}

/** A file of values (`--var-file`) holds a piece of spec; this puts it where it belongs. */
export const underSpec = (values: Tree): Tree => nest(['spec'], values.at, values);
