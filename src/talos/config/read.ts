import { nearest } from '../../model/nearest.ts';
import { Problem, Problems, type Position } from '../../model/problem.ts';
import { clip, type MapTree, type ScalarTree, type Tree } from '../../spec/tree.ts';
import { parseYaml } from '../../spec/yaml.ts';
import { fieldsOf, type Fields as KnownFields, type StructType } from '../fields/types.ts';
import type { Contract } from './contract.ts';
import { decodeStruct, problemFrom, type Complain } from './decode.ts';
import type { ConfigDocument, MachineConfig } from './document.ts';
import { documentId, documentPath, documentWords, isMain, sameDocument, textIn } from './identity.ts';
import { rivalriesIn } from './rivals.ts';

/**
 * A machine configuration, read as strictly as Talos reads it: several documents, no unknown key, no duplicate.
 * Throws Problems with the place of everything that is wrong.
 */
export function readConfig(text: string, file: string, contract: Contract): MachineConfig {
  const parsed = parseYaml({ name: file, content: text });
  const problems = [...parsed.problems];
  const documents = readDocuments(parsed.documents, contract, (given) => problems.push(problemFrom(given)));
  if (problems.length === 0 && documents.length === 0) {
    const at = { file, line: 1, column: 1, length: 1 };
    problems.push(new Problem('no-config', 'There is no machine configuration here.', { at }));
  }
  if (problems.length > 0) throw new Problems(problems, new Map([[file, text]]));
  return [...documents.filter(isMain), ...documents.filter((document) => !isMain(document))];
}

/** Each document in the order of the text. */
export function readDocuments(
  trees: readonly Tree[],
  contract: Contract,
  complain: Complain,
): readonly ConfigDocument[] {
  const fields = fieldsOf(contract);
  const documents: ConfigDocument[] = [];
  for (const tree of trees) {
    const document = readDocument(tree, fields, contract, complain);
    if (document === undefined) continue;
    const named = isNamed(document, fields);
    const id = documentId(document, named);
    if (documents.some((other) => sameDocument(documentId(other, named), id)))
      complain({
        code: 'duplicate-document',
        message: `There are two documents for ${documentWords(id)}.`,
        at: tree.at,
        path: documentPath(document),
        remedy: 'Put their fields into one document.',
      });
    documents.push(document);
  }
  complainOfRivals(documents, trees[0]?.at, complain);
  return documents;
}

/** Of documents that exclude each other, which no single document shows. */
export function complainOfRivals(config: MachineConfig, at: Position | undefined, complain: Complain): void {
  for (const { name, kinds } of rivalriesIn(config)) {
    complain({
      code: 'rival-documents',
      message: `"${clip(name)}" cannot be a ${kinds[0]} and a ${kinds[1]} at once.`,
      at: at ?? { file: '', line: 1, column: 1, length: 1 },
      path: [kinds[1], name],
      remedy: 'Keep one of the two documents; a patch can delete the other one with $patch: delete.',
    });
  }
}

export const isNamed = (document: ConfigDocument, fields: KnownFields): boolean =>
  fields.documents.get(textIn(document, 'kind'))?.named ?? false;

function readDocument(
  tree: Tree,
  fields: KnownFields,
  contract: Contract,
  complain: Complain,
): ConfigDocument | undefined {
  if (tree.kind !== 'map') {
    const remedy = 'Write fields of a machine configuration.';
    complain({ code: 'wrong-type', message: 'A document must be a mapping.', at: tree.at, path: [], remedy });
    return undefined;
  }
  const type = typeOfDocument(tree, fields, contract, complain);
  if (type === undefined) return undefined;
  const kind = scalarIn(tree, 'kind');
  const name = scalarIn(tree, 'name');
  const path = kind === undefined ? [] : [String(kind.value), ...(name === undefined ? [] : [String(name.value)])];
  return decodeStruct(tree, type, path, complain);
}

const mainKeys = ['machine', 'cluster', 'debug', 'persist'];

function typeOfDocument(
  tree: MapTree,
  fields: KnownFields,
  contract: Contract,
  complain: Complain,
): StructType | undefined {
  const kind = scalarIn(tree, 'kind');
  const apiVersion = scalarIn(tree, 'apiVersion');
  if (kind === undefined) {
    if (mainKeys.some((key) => tree.entries.has(key)) || apiVersion?.value === 'v1alpha1') return fields.main;
    const entry = [...tree.entries].at(0);
    complain({
      code: 'missing-kind',
      message: 'This document has neither a kind nor machine or cluster.',
      at: entry?.[1].keyAt ?? tree.at,
      path: [],
      remedy: 'Give apiVersion and kind, or put the fields under machine or cluster.',
    });
    return undefined;
  }
  if (apiVersion?.value !== 'v1alpha1' && !mainKeys.some((key) => tree.entries.has(key))) {
    complain({
      code: apiVersion === undefined ? 'missing-api-version' : 'unknown-api-version',
      message: `A document of Talos has apiVersion: v1alpha1.`,
      at: (apiVersion ?? kind).at,
      path: [String(kind.value), 'apiVersion'],
      remedy: 'Write apiVersion: v1alpha1.',
    });
    return undefined;
  }
  const document = fields.documents.get(String(kind.value));
  if (document === undefined) unknownKind(kind, fields, contract, complain);
  return document?.type;
}

function unknownKind(kind: ScalarTree, fields: KnownFields, contract: Contract, complain: Complain): void {
  const written = String(kind.value);
  const meant = nearest(written, fields.documents.keys());
  complain({
    code: 'unknown-kind',
    message: `Talos ${contract} has no kind "${clip(written)}".`,
    at: kind.at,
    path: ['kind'],
    remedy:
      meant === undefined
        ? 'The kinds are listed in the configuration reference of Talos.'
        : `Did you mean "${meant}"?`,
  });
}

function scalarIn(tree: MapTree, key: string): ScalarTree | undefined {
  const value = tree.entries.get(key)?.value;
  return value?.kind === 'scalar' && value.value !== null ? value : undefined;
}
