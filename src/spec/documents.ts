import { Problem, type Position } from '../model/problem.ts';
import { itemsOf, readHeader } from './header.ts';
import type { Kind } from './kinds.ts';
import { applySetting, merge, parseSetting, underSpec } from './overlay.ts';
import type { Source } from './source.ts';
import { locate, type MapTree, type Tree } from './tree.ts';
import { parseYaml } from './yaml.ts';

/** Everything a command was given: files in order, files of values, and single settings. Later wins. */
export type Input = {
  readonly sources: readonly Source[];
  readonly varFiles?: readonly Source[];
  readonly settings?: readonly string[];
};

export type FileDocument = { readonly kind: Kind; readonly name: string; readonly tree: MapTree };

/** What was read of one file, as it stands there. */
type Piece = {
  readonly tree: Tree;
  /** What the tree is a piece of; undefined when nobody knows. */
  readonly kind: Kind | undefined;
};
export type Read = { readonly text: string; readonly pieces: readonly Piece[]; readonly broken: boolean };

export type Documents = {
  readonly documents: readonly FileDocument[];
  /** Resources of other kinds, which ichor leaves alone. */
  readonly others: readonly string[];
  readonly problems: readonly Problem[];
  /** Every file by its name. */
  readonly files: ReadonlyMap<string, Read>;
};

/** What values and settings can belong to. */
const described: readonly Kind[] = ['Platform', 'Substrate', 'KubernetesCluster'];

/** Reads all files and lays them over each other; what is wrong with the text or its form is said here, once. */
export function readDocuments(input: Input): Documents {
  const found = readFiles(input.sources);
  const over = readOverlays(input);
  const { documents, problems } = laidOver(found.documents, over.overlays);
  const all = [...found.problems, ...over.problems, ...problems];
  const files = new Map([...found.files, ...over.files(targetOf(found.documents)?.kind)]);
  if (documents.length === 0 && all.length === 0) all.push(nothingHere(input.sources[0]?.name ?? '-', found.others));
  return { documents, others: found.others, problems: all, files };
}

function readFiles(sources: readonly Source[]) {
  const problems: Problem[] = [];
  const others: string[] = [];
  const files = new Map<string, Read>();
  const found = new Map<string, FileDocument & { readonly source: string }>();
  for (const { name: source, content } of sources) {
    const parsed = parseYaml({ name: source, content });
    const headers = parsed.documents.flatMap(itemsOf).map((tree) => ({ tree, header: readHeader(tree) }));
    files.set(source, {
      text: parsed.text,
      broken: parsed.broken,
      pieces: headers.map(({ tree, header }) => ({ tree, kind: 'kind' in header ? header.kind : undefined })),
    });
    problems.push(...parsed.problems);
    if (parsed.documents.length === 0 && parsed.problems.length === 0) problems.push(emptyFile(source));
    for (const { header } of headers) {
      if ('problem' in header) problems.push(header.problem);
      else if ('other' in header) others.push(header.other);
      else {
        const key = `${header.kind}/${header.name}`;
        const before = found.get(key);
        if (before?.source === source) problems.push(twice(header));
        problems.push(...strayOverlay(header, source, [...found.values()]));
        const tree = before === undefined ? header.tree : (merge(before.tree, header.tree) as MapTree);
        found.set(key, { kind: header.kind, name: header.name, tree, source });
      }
    }
  }
  return {
    documents: [...found.values()].map(({ kind, name, tree }) => ({ kind, name, tree })),
    others,
    problems,
    files,
  };
}

const emptyFile = (file: string): Problem =>
  new Problem('empty-file', 'There is nothing in this file.', {
    at: { file, line: 1, column: 1, length: 1 },
    path: '',
    remedy: 'Write one to begin with:\n    ichor init',
  });

const nothingHere = (file: string, others: readonly string[]): Problem =>
  new Problem(
    'nothing-here',
    `There is no Platform, Substrate or KubernetesCluster here${others.length > 0 ? `, only ${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}` : ''}.`,
    {
      at: { file, line: 1, column: 1, length: 1 },
      path: '',
      remedy: 'Write one to begin with:\n    ichor init',
    },
  );

const twice = ({ kind, name, tree }: FileDocument): Problem =>
  new Problem('duplicate-document', `${kind} "${name}" is already in this file.`, {
    at: locate(tree, ['metadata', 'name']).node.at,
    path: 'metadata.name',
    remedy: 'Give it another name; an overlay belongs in a file of its own.',
  });

/** A later file without machines was meant to lie over an earlier one, and has another name. */
function strayOverlay(
  { kind, name, tree }: FileDocument,
  source: string,
  earlier: readonly (FileDocument & { readonly source: string })[],
): readonly Problem[] {
  const bases = earlier.filter((base) => base.kind === 'Platform' && base.source !== source);
  const isOverlay = kind === 'Platform' && locate(tree, ['spec', 'machines']).depth < 2;
  const [base] = bases;
  if (!isOverlay || base === undefined || bases.some((known) => known.name === name)) return [];
  return [
    new Problem('other-name', `This does not lie over the Platform "${base.name}", because its name is "${name}".`, {
      severity: 'warning',
      at: locate(tree, ['metadata', 'name']).node.at,
      path: 'metadata.name',
      remedy: `Write "name: ${base.name}" to change that one, or add machines to make another.`,
    }),
  ];
}

/** Something to lay over a document, and where it stands. */
type Overlay = { readonly at: Position; readonly apply: (base: Tree) => Tree | Problem };

function readOverlays(input: Input) {
  const problems: Problem[] = [];
  const overlays: Overlay[] = [];
  const values: {
    readonly name: string;
    readonly text: string;
    readonly broken: boolean;
    readonly trees: readonly Tree[];
  }[] = [];
  for (const source of input.varFiles ?? []) {
    const { documents, problems: own, text, broken } = parseYaml(source);
    problems.push(...own);
    if (documents.length === 0 && own.length === 0) problems.push(emptyFile(source.name));
    values.push({ name: source.name, text, broken, trees: documents.map(underSpec) });
    for (const tree of documents) {
      if (tree.kind === 'map') overlays.push({ at: tree.at, apply: (base) => merge(base, underSpec(tree)) });
      else problems.push(notValues(tree));
    }
  }
  const settings = input.settings ?? [];
  const trees: Tree[] = [];
  let line = 1;
  for (const text of settings) {
    const setting = parseSetting(text, line);
    line += text.split('\n').length;
    if (setting instanceof Problem) problems.push(setting);
    else {
      const alone = applySetting({ kind: 'map', at: setting.at, entries: new Map() }, setting);
      if (!(alone instanceof Problem)) trees.push(alone);
      overlays.push({ at: setting.at, apply: (base) => applySetting(base, setting) });
    }
  }
  if (settings.length > 0)
    values.push({ name: '--set', text: settings.join('\n'), broken: trees.length < settings.length, trees });
  const files = (kind: Kind | undefined): readonly (readonly [string, Read])[] =>
    values.map(({ name, text, broken, trees: own }) => [
      name,
      { text, broken, pieces: own.map((tree) => ({ tree, kind })) },
    ]);
  return { problems, overlays, files };
}

const notValues = (tree: Tree): Problem =>
  new Problem('not-a-mapping', 'A file of values must be a mapping: a piece of spec.', {
    at: tree.at,
    path: '',
    remedy: 'For example: cluster: { controlPlane: { replicas: 3 } }',
  });

/** Values and settings belong to the one document that describes something to build. */
function targetOf(documents: readonly FileDocument[]): FileDocument | undefined {
  const candidates = documents.filter(({ kind }) => described.includes(kind));
  const platforms = candidates.filter(({ kind }) => kind === 'Platform');
  return candidates.length === 1 ? candidates[0] : platforms.length === 1 ? platforms[0] : undefined;
}

function laidOver(documents: readonly FileDocument[], overlays: readonly Overlay[]) {
  const problems: Problem[] = [];
  const target = targetOf(documents);
  const [first] = overlays;
  if (first === undefined) return { documents, problems };
  if (target === undefined) {
    const candidates = documents.filter(({ kind }) => described.includes(kind));
    if (candidates.length > 1) problems.push(ambiguous(first.at, candidates));
    return { documents, problems };
  }
  let tree: Tree = target.tree;
  for (const { apply } of overlays) {
    const result = apply(tree);
    if (result instanceof Problem) problems.push(result);
    else tree = result;
  }
  const header = readHeader(tree);
  const laid: FileDocument = { ...target, ...('kind' in header ? header : { tree: tree as MapTree }) };
  return { documents: documents.map((document) => (document === target ? laid : document)), problems };
}

const ambiguous = (at: Position, candidates: readonly FileDocument[]): Problem =>
  new Problem(
    'ambiguous-overlay',
    `There are ${candidates.length} documents (${candidates
      .slice(0, 5)
      .map(({ kind, name }) => `${kind} ${name}`)
      .join(', ')}${candidates.length > 5 ? ', …' : ''}): it is not clear which one this belongs to.`,
    {
      at,
      path: '',
      remedy: 'Give one file at a time, or an overlay with apiVersion, kind and metadata.name by -f.',
    },
  );
