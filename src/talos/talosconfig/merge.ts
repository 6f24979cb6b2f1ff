import { isMap, parseDocument, type Document, type YAMLMap } from 'yaml';
import { Problem, Problems } from '../../model/problem.ts';
import { openSecretFile } from '../secrets/given.ts';
import { readTalosconfig } from './read.ts';
import { contextFields, type Talosconfig } from './talosconfig.ts';

type Rename = { readonly from: string; readonly to: string };

export type Merged = { readonly text: string; readonly renames: readonly Rename[] };

/** Adds contexts to a file and makes the added one current. A name that is taken gets -1, -2, …; nothing else changes. */
export function mergeTalosconfig(text: string, file: string, added: Talosconfig): Merged {
  const taken = new Set(readTalosconfig(text, file).contexts.keys());
  const document = editable(text, file);
  const contexts = contextsOf(document);
  const renames: Rename[] = [];
  for (const [name, context] of added.contexts) {
    const free = freeName(name, (other) => taken.has(other));
    taken.add(free);
    contexts.set(document.createNode(free), document.createNode(contextFields(context)));
    if (free !== name) renames.push({ from: name, to: free });
    if (name === added.context) document.set('context', document.createNode(free));
  }
  return { text: textOf(document), renames };
}

export function freeName(name: string, taken: (name: string) => boolean): string {
  if (!taken(name)) return name;
  for (let count = 1; ; count++) if (!taken(`${name}-${count}`)) return `${name}-${count}`;
}

/** The file as a document that can be changed in places; refused where it could not be read either. */
export function editable(text: string, file: string): Document {
  const [tree] = openSecretFile(text, file);
  if (tree === undefined) return parseDocument('{}');
  if (tree.kind === 'map') return parseDocument(text, { merge: true });
  const remedy = 'Name another file, or move this one away.';
  throw new Problems([new Problem('talosconfig-wrong', 'This is no talosconfig.', { at: tree.at, remedy })]);
}

function contextsOf(document: Document): YAMLMap {
  if (isMap(document.contents)) document.contents.flow = false;
  const contexts = document.get('contexts');
  if (isMap(contexts)) {
    // What talosctl leaves of an empty file is {}, and nothing that is added should stay on that line.
    if (contexts.items.length === 0) contexts.flow = false;
    return contexts;
  }
  const created = document.createNode({});
  if (document.get('context') === undefined) document.set('context', '');
  document.set('contexts', created);
  return created;
}

export const textOf = (document: Document): string => document.toString({ indent: 4, lineWidth: 0 });
