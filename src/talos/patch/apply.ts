import { Problem, Problems, type Position } from '../../model/problem.ts';
import { formatPath, treeOf, type Path, type Tree } from '../../spec/tree.ts';
import { parseYaml } from '../../spec/yaml.ts';
import type { Contract } from '../config/contract.ts';
import type { Complain } from '../config/decode.ts';
import type { ConfigDocument, MachineConfig, Value } from '../config/document.ts';
import {
  documentId,
  documentPath,
  documentWords,
  isMain,
  sameDocument,
  textIn,
  type DocumentId,
} from '../config/identity.ts';
import { complainOfRivals, isNamed, readDocuments } from '../config/read.ts';
import { fieldsOf, type Fields as KnownFields, type StructType } from '../fields/types.ts';
import { deleteIn, NothingToDelete } from './delete.ts';
import { takeDeletions, type Deletion } from './deletions.ts';
import { applyOperation, operationOf, OperationRefusal } from './json-patch.ts';
import { fieldsIn, mergeStruct } from './merge.ts';
import { MergeRefusal } from './merge-refusal.ts';
import type { Patch, Patched, Provenance } from './patch.ts';
import { traceChange } from './provenance.ts';

export type ToPatch = {
  readonly config: MachineConfig;
  /** Who decided the fields of `config`. */
  readonly provenance: Provenance;
  readonly contract: Contract;
};

/** Lays patches over a configuration, in order, as Talos would. Throws Problems with the place of what is wrong. */
export function applyPatches({ config, provenance, contract }: ToPatch, patches: readonly Patch[]): Patched {
  let patched: Patched = { config, provenance };
  for (const patch of patches) {
    const next = applyPatch(patched.config, patch, contract);
    patched = { config: next, provenance: traceChange(patched.config, next, patched.provenance, patch.source) };
  }
  if (patches.length > 0) refuseUnreadable(patched.config);
  return patched;
}

function applyPatch(config: MachineConfig, patch: Patch, contract: Contract): MachineConfig {
  const parsed = parseYaml({ name: patch.source, content: patch.text });
  const problems: Problem[] = parsed.problems.map((problem) => inPatch(patch, problem.at, [], problem));
  const complain: Complain = (given) => {
    const { code, message, at, path, remedy } = given;
    const inside = withoutDocument(path, contract);
    problems.push(inPatch(patch, at, inside, new Problem(code, message, { path: formatPath(path), remedy })));
  };
  const stopWhenWrong = (): void => {
    if (problems.length > 0) throw new Problems(problems, new Map([[patch.source, patch.text]]));
  };
  stopWhenWrong();
  const [first] = parsed.documents;
  if (first?.kind === 'list') {
    const after = applyJsonPatch(config, first.items, contract, complain);
    stopWhenWrong();
    return after;
  }
  const steps = readSteps(parsed.documents, contract, complain);
  if (problems.length === 0 && steps.length === 0) complain(saysNothing(patch));
  stopWhenWrong();
  const after = inOrder(steps.reduce((before, step) => step(before, complain), config));
  if (problems.length === 0) complainOfRivals(after, first?.at, complain);
  stopWhenWrong();
  return after;
}

/** What no node would take, whoever made it so. */
function refuseUnreadable(config: MachineConfig): void {
  if (config.length === 0) throw new Problem('no-config', 'The patches delete every document of the configuration.');
  for (const document of config.filter(({ kind }) => kind === 'NetworkRuleConfig')) {
    // Talos writes a rule without one with a word that it does not read again.
    if ((fieldsIn(document['portSelector'])['protocol'] ?? '') !== '') continue;
    const path = formatPath([...documentPath(document), 'portSelector', 'protocol']);
    const remedy = 'Give a protocol: tcp, udp, icmp or icmpv6.';
    throw new Problem('missing-value', `${path} is missing.`, { path, remedy });
  }
}

/** The path inside of its document. */
function withoutDocument(path: Path, contract: Contract): Path {
  const document = fieldsOf(contract).documents.get(String(path[0]));
  return document === undefined ? path : path.slice(document.named ? 2 : 1);
}

/** What was found in the patch, placed in the file that a person wrote where that is known. */
function inPatch(patch: Patch, at: Position | undefined, inside: Path, problem: Problem): Problem {
  const place = patch.placeOf?.(inside) ?? at;
  return new Problem(problem.code, `${patch.source}: ${problem.message}`, {
    remedy: problem.remedy,
    ...(place === undefined ? {} : { at: place }),
    ...(problem.path === undefined ? {} : { path: problem.path }),
  });
}

const saysNothing = (patch: Patch): Parameters<Complain>[0] => ({
  code: 'empty-patch',
  message: 'This patch says nothing.',
  at: { file: patch.source, line: 1, column: 1, length: 1 },
  path: [],
  remedy: 'Write fields of the configuration, or take the patch out.',
});

const inOrder = (config: MachineConfig): MachineConfig => [
  ...config.filter(isMain).map(recognizable),
  ...config.filter((document) => !isMain(document)),
];

/** Without a kind a document is known by these keys; Talos writes them even when they are empty. */
const recognizable = (main: ConfigDocument): ConfigDocument =>
  ['machine', 'cluster', 'debug', 'persist'].some((key) => key in main) ? main : { ...main, machine: null };

type Step = (config: MachineConfig, complain: Complain) => MachineConfig;

/** Talos deletes in the v1alpha1 document and merges it first; then document by document, deletions before the rest. */
function readSteps(trees: readonly Tree[], contract: Contract, complain: Complain): readonly Step[] {
  const fields = fieldsOf(contract);
  const parts = trees.map((tree) =>
    tree.kind === 'map' ? takeDeletions(tree, complain) : { deletions: [], rest: tree },
  );
  const rests = parts.flatMap(({ rest }) => rest ?? []);
  const documents = readDocuments(rests, contract, complain);
  if (documents.length !== rests.length) return [];
  const settled = new Map<Tree, ConfigDocument>(rests.map((rest, index) => [rest, documents[index] ?? {}]));
  const [deletesInMain, main, others]: [Step[], Step[], Step[]] = [[], [], []];
  for (const { deletions, rest } of parts) {
    for (const deletion of deletions)
      (deletion.document.kind === 'v1alpha1' ? deletesInMain : others).push(deleteStep(deletion, fields));
    const document = rest === undefined ? undefined : settled.get(rest);
    if (rest !== undefined && document !== undefined)
      (isMain(document) ? main : others).push(mergeStep(document, rest, fields));
  }
  return [...deletesInMain, ...main, ...others];
}

const mergeStep =
  (document: ConfigDocument, tree: Tree, fields: KnownFields): Step =>
  (config, complain) => {
    const type = typeOf(document, fields);
    const at = findDocument(config, documentId(document, isNamed(document, fields)), fields);
    const before = config[at];
    if (before === undefined) return [...config, document];
    try {
      return config.with(at, mergeStruct(type, before, document));
    } catch (error) {
      if (!(error instanceof MergeRefusal)) throw error;
      const path = [...documentPath(document), ...error.path];
      complain({
        code: 'not-mergeable',
        message: `${formatPath(path)}: ${error.message}.`,
        at: placeIn(tree, error.path),
        path,
        remedy: 'Delete the old value in a patch before this one ($patch: delete), and set the new one here.',
      });
      return config;
    }
  };

const deleteStep =
  (deletion: Deletion, fields: KnownFields): Step =>
  (config, complain) => {
    const at = findDocument(config, deletion.document, fields);
    const before = config[at];
    const missing = (what: string): MachineConfig => {
      complain({
        code: 'nothing-to-delete',
        message: `${what} is to be deleted, and it is not there.`,
        at: deletion.at,
        path: deletion.path,
        remedy: 'Take this part out of the patch.',
      });
      return config;
    };
    if (before === undefined) return missing(documentWords(deletion.document));
    if (deletion.path.length === 0) return config.toSpliced(at, 1);
    try {
      return config.with(at, deleteIn(typeOf(before, fields), before, deletion.path, deletion.item));
    } catch (error) {
      if (error instanceof NothingToDelete) return missing(formatPath([...documentPath(before), ...deletion.path]));
      throw error;
    }
  };

function typeOf(document: ConfigDocument, fields: KnownFields): StructType {
  if (isMain(document)) return fields.main;
  const known = fields.documents.get(textIn(document, 'kind'));
  if (known === undefined) throw new Error(`There is no kind ${textIn(document, 'kind')} in this contract.`);
  return known.type;
}

const findDocument = (config: MachineConfig, id: DocumentId, fields: KnownFields): number =>
  config.findIndex((document) => sameDocument(documentId(document, isNamed(document, fields)), id));

function placeIn(tree: Tree, path: readonly string[]): Position {
  let found: Tree = tree;
  for (const step of path) {
    const next: Tree | undefined = found.kind === 'map' ? found.entries.get(step)?.value : undefined;
    if (next === undefined) break;
    found = next;
  }
  return found.at;
}

/** Talos refuses JSON patches for several documents; the result is read as strictly as anything else. */
function applyJsonPatch(
  config: MachineConfig,
  operations: readonly Tree[],
  contract: Contract,
  complain: Complain,
): MachineConfig {
  const at = operations[0]?.at ?? { file: '', line: 1, column: 1, length: 1 };
  const [document] = config;
  if (document === undefined || config.length !== 1) {
    complain({
      code: 'json-patch',
      message: `A JSON patch works on one document, and this configuration has ${config.length}.`,
      at,
      path: [],
      remedy: 'Write it as the configuration that it should make: Talos merges that.',
    });
    return config;
  }
  let value: Value = document;
  for (const [index, tree] of operations.entries()) {
    try {
      value = applyOperation(value, operationOf(tree));
    } catch (error) {
      if (!(error instanceof OperationRefusal)) throw error;
      complain({
        code: 'json-patch',
        message: `Operation ${index + 1} cannot be applied: ${error.message}.`,
        at: tree.at,
        path: [index],
        remedy: 'Correct the operation, or take it out.',
      });
      return config;
    }
  }
  return inOrder(readDocuments([treeOf(value, () => at)], contract, complain));
}
