import { Problem, type Position } from '../model/problem.ts';
import { clip, formatPath, parsePath, type Entry, type Path, type Tree } from './tree.ts';
import { parseYaml } from './yaml.ts';

/** Later wins: maps merge key by key, everything else is replaced, and null takes a key away. Each value keeps its place. */
export function merge(base: Tree | undefined, over: Tree): Tree {
  if (over.kind !== 'map') return over;
  const below = base?.kind === 'map' ? base : undefined;
  const entries = new Map(below?.entries);
  for (const [key, entry] of over.entries) {
    const before = entries.get(key);
    if (isNull(entry.value)) entries.delete(key);
    else entries.set(key, { keyAt: keyOf(before, entry), value: merge(before?.value, entry.value) });
  }
  return { kind: 'map', at: (below ?? over).at, entries };
}

/** What is wrong with a mapping that two files share is looked for in the first. */
const keyOf = (before: Entry | undefined, over: Entry): Position =>
  before?.value.kind === 'map' && over.value.kind === 'map' ? before.keyAt : over.keyAt;

const isNull = (tree: Tree): boolean => tree.kind === 'scalar' && tree.value === null;

/** A file of values (`--var-file`) holds a piece of spec, or a whole document without its header. */
export const underSpec = (values: Tree): Tree =>
  values.kind === 'map' && values.entries.has('spec')
    ? values
    : {
        kind: 'map',
        at: values.at,
        entries: new Map([['spec', { keyAt: { ...values.at, length: 1 }, value: values }]]),
      };

/** One `--set path=value`, read. */
export type Setting = { readonly path: Path; readonly at: Position; readonly value: Tree };

const topLevel = new Set(['apiVersion', 'kind', 'metadata', 'spec']);
const howTo =
  'Write for example --set cluster.controlPlane.replicas=3; quote keys with dots: --set \'…zones["example.org"].ttl=60\'';

/** The path begins at spec unless it says otherwise; the value is YAML. */
export function parseSetting(text: string, line: number): Setting | Problem {
  const at = (column: number, length: number): Position => ({
    file: '--set',
    line,
    column,
    length: Math.max(1, length),
  });
  const equals = indexOfEquals(text);
  const written = equals === -1 ? undefined : parsePath(text.slice(0, equals).trim());
  if (written === undefined)
    return new Problem('set', 'This is not of the form path=value.', {
      at: at(1, text.length),
      path: '',
      remedy: howTo,
    });
  const path = topLevel.has(String(written[0])) ? written : ['spec', ...written];
  const value = text.slice(equals + 1);
  const { documents, problems } = parseYaml({ name: '--set', content: value });
  const moved = (position: Position): Position => ({
    ...position,
    line: position.line + line - 1,
    column: position.line === 1 ? position.column + equals + 1 : position.column,
  });
  const valueAt = at(equals + 2, value.length);
  const [broken] = problems;
  if (broken) {
    const { code, message, remedy, at: place } = broken;
    return new Problem(code, message, { at: place ? moved(place) : valueAt, path: formatPath(path), remedy });
  }
  if (documents.length > 1) {
    const message = 'A value is one document, and here are several.';
    return new Problem('set', message, { at: valueAt, path: formatPath(path), remedy: 'Leave the --- out.' });
  }
  const [document] = documents;
  const empty: Tree = { kind: 'scalar', at: valueAt, value: value.trim() === '' ? '' : null };
  return { path, at: at(1, equals), value: document ? move(document, moved) : empty };
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
        { ...entry, keyAt: moved(entry.keyAt), value: move(entry.value, moved) },
      ]);
      return { kind: 'map', at: moved(tree.at), entries: new Map(entries) };
    }
  }
}

/** Lays a setting over a document. [3] is the fourth item of a list, or a new one where the list has three. */
export function applySetting(base: Tree, { path, at, value }: Setting): Tree | Problem {
  const wrong = (depth: number, message: string, remedy: string): Problem =>
    new Problem('set', message, { at, path: formatPath(path.slice(0, depth + 1)), remedy });

  const place = (below: Tree | undefined, depth: number): Tree | Problem => {
    const step = path[depth];
    if (step === undefined) return merge(below, value);
    const known = below === undefined || isNull(below) ? undefined : below;
    const where = formatPath(path.slice(0, depth));
    if (typeof step === 'number') {
      const items = known?.kind === 'list' ? known.items : [];
      if (known !== undefined && known.kind !== 'list')
        return wrong(depth, `${where} is not a list, so it has no [${step}].`, `Name a key: ${where}.KEY=…`);
      if (step > items.length)
        return wrong(
          depth,
          `${where} has ${items.length} items, so [${step}] would leave a gap.`,
          `Use [${items.length}] to add one.`,
        );
      const item = place(items[step], depth + 1);
      return item instanceof Problem
        ? item
        : { kind: 'list', at: known?.at ?? at, items: [...items.slice(0, step), item, ...items.slice(step + 1)] };
    }
    if (known?.kind === 'list')
      return wrong(depth, `${where} is a list, so it has no "${clip(step)}".`, `Count from 0: ${where}[0]=…`);
    const entries = new Map(known?.kind === 'map' ? known.entries : []);
    const mapAt = known?.kind === 'map' ? known.at : at;
    if (depth === path.length - 1 && isNull(value)) {
      entries.delete(step);
      return { kind: 'map', at: mapAt, entries };
    }
    const before = entries.get(step);
    const inner = place(before?.value, depth + 1);
    if (inner instanceof Problem) return inner;
    const keyAt = before?.value.kind === 'map' && inner.kind === 'map' ? before.keyAt : at;
    entries.set(step, { keyAt, value: inner });
    return { kind: 'map', at: mapAt, entries };
  };
  return place(base, 0);
}
