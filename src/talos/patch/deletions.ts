import type { Position } from '../../model/problem.ts';
import { clip, formatPath, type Entry, type MapTree, type Path, type ScalarTree, type Tree } from '../../spec/tree.ts';
import type { Complain } from '../config/decode.ts';
import type { DocumentId } from '../config/identity.ts';

/** `$patch: delete`, taken out of the patch that it was written in. */
export type Deletion = {
  readonly document: DocumentId;
  /** Empty for the whole document. A number stands for an item of a list, whichever `item` selects. */
  readonly path: Path;
  readonly item?: { readonly key: string; readonly value: string };
  readonly at: Position;
};

export type WithoutDeletions = { readonly deletions: readonly Deletion[]; readonly rest: MapTree | undefined };

/** Separates what a document of a patch deletes from what it sets. `rest` is undefined when it sets nothing. */
export function takeDeletions(root: MapTree, complain: Complain): WithoutDeletions {
  const deletions: Deletion[] = [];
  const found = (path: Path, at: Position, item?: MapTree): void => {
    const deletion = deletionAt(root, path, at, item, complain);
    if (deletion) deletions.push(deletion);
  };
  const rest = without(root, [], false, found);
  return { deletions, rest: rest?.kind === 'map' && !isOnlyAName(rest) ? rest : undefined };
}

type Found = (path: Path, at: Position, item?: MapTree) => void;

/** The tree with everything gone that deletes, and with what held nothing else. */
function without(tree: Tree, path: Path, isItem: boolean, found: Found): Tree | undefined {
  if (tree.kind === 'scalar') return tree;
  if (tree.kind === 'list') {
    const items = tree.items.flatMap((item, index) => without(item, [...path, index], true, found) ?? []);
    return items.length === 0 && tree.items.length > 0 ? undefined : { ...tree, items };
  }
  const entries = new Map<string, Entry>();
  for (const [key, entry] of tree.entries) {
    if (isDelete(key, entry)) {
      const left = [...tree.entries].filter(([other]) => entries.has(other) || !seenBefore(tree, other, key));
      found(path, entry.keyAt, isItem ? { ...tree, entries: new Map(left) } : undefined);
      return undefined;
    }
    const value = without(entry.value, [...path, key], false, found);
    if (value !== undefined) entries.set(key, { ...entry, value });
  }
  return entries.size === 0 && tree.entries.size > 0 ? undefined : { ...tree, entries };
}

const seenBefore = (tree: MapTree, key: string, until: string): boolean => {
  for (const other of tree.entries.keys()) {
    if (other === until) return false;
    if (other === key) return true;
  }
  return false;
};

const isDelete = (key: string, { value }: Entry): boolean =>
  key === '$patch' && value.kind === 'scalar' && value.value === 'delete';

function deletionAt(
  root: MapTree,
  path: Path,
  at: Position,
  item: MapTree | undefined,
  complain: Complain,
): Deletion | undefined {
  const [apiVersion, kind, name] = ['apiVersion', 'kind', 'name'].map((key) => textIn(root, key));
  const refuse = (message: string, remedy: string): undefined =>
    complain({ code: 'wrong-delete', message, at, path, remedy }) as undefined;
  if ((apiVersion === '') !== (kind === '') || (path.length === 0 && kind === ''))
    return refuse(
      'What a patch deletes needs both apiVersion and kind, or neither for fields of machine and cluster.',
      'Give apiVersion and kind of the document; the v1alpha1 document itself cannot be deleted.',
    );
  const document = { apiVersion: apiVersion ?? '', kind: kind === '' ? 'v1alpha1' : (kind ?? ''), name: name ?? '' };
  if (item === undefined) {
    if (path.some((step) => typeof step === 'number'))
      return refuse(
        `${formatPath(path)} is inside of an item of a list, and Talos deletes only whole items.`,
        'Delete the item, and add it again as it should be.',
      );
    return { document, path, at };
  }
  const selected = [...item.entries].find(([key, entry]) => !isDelete(key, entry));
  if (selected === undefined)
    return refuse('An item to delete needs a field that tells which one.', 'Add such a field beside $patch: delete.');
  const [key, { value }] = selected;
  return { document, path, at, item: { key: clip(key, 200), value: value.kind === 'scalar' ? written(value) : '' } };
}

const written = (scalar: ScalarTree): string => scalar.written ?? (scalar.value === null ? '' : String(scalar.value));

function textIn(root: MapTree, key: string): string {
  const value = root.entries.get(key)?.value;
  return value?.kind === 'scalar' ? written(value) : '';
}

/** Talos drops such a document without a word. */
const isOnlyAName = (tree: MapTree): boolean =>
  [...tree.entries].every(([key, { value }]) => ['version', 'kind', 'name'].includes(key) && value.kind === 'scalar');
