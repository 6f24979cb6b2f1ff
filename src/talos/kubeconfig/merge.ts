import { isMap, isSeq, parseDocument, type Document, type YAMLSeq } from 'yaml';
import { settleNames, type Conflict, type Rename, type Section } from './names.ts';
import { readKubeconfig, type Fields } from './read.ts';

const parts = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;

export type MergedKubeconfig = {
  readonly text: string;
  readonly context: string;
  readonly renames: readonly Rename[];
};

/** Puts what `added` has into a file, and makes its context current. Nothing of another cluster is touched. */
export function mergeKubeconfig(
  existing: { readonly text: string; readonly file: string },
  added: string,
  conflict: Conflict = 'renew',
): MergedKubeconfig {
  const before = readKubeconfig(existing.text, existing.file);
  const adding = readKubeconfig(added, 'kubeconfig');
  const names = settleNames(before, adding, conflict);
  const document = parseDocument(existing.text.trim() === '' ? '{}' : existing.text, { compat: 'yaml-1.1' });
  if (isMap(document.contents)) document.contents.flow = false;
  for (const [key, value] of Object.entries({ apiVersion: 'v1', kind: 'Config' }))
    if (!document.has(key)) document.set(key, value);
  for (const { name, cluster } of adding.clusters) put(document, 'clusters', names.nameIn('clusters', name), cluster);
  for (const { name, user } of adding.users) put(document, 'users', names.nameIn('users', name), user);
  for (const { name, context } of adding.contexts)
    put(document, 'contexts', names.nameIn('contexts', name), { ...context, ...names.references(context) });
  const context = names.nameIn('contexts', adding.currentContext);
  document.set('current-context', document.createNode(context));
  return { text: document.toString({ lineWidth: 0, indentSeq: false }), context, renames: names.renames };
}

function put(document: Document, section: Section, name: string, fields: Fields | undefined): void {
  const list = listIn(document, section);
  const part = parts[section];
  const found = list.items.find((item) => isMap(item) && item.get('name') === name);
  if (isMap(found)) found.set(part, document.createNode(fields));
  else list.items.push(document.createNode(section === 'users' ? { name, [part]: fields } : { [part]: fields, name }));
}

function listIn(document: Document, section: Section): YAMLSeq {
  const list = document.get(section);
  if (isSeq(list)) {
    if (list.items.length === 0) list.flow = false;
    return list;
  }
  const created = document.createNode([]);
  document.set(section, created);
  return created;
}
