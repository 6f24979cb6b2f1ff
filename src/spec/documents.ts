import { nearest } from '../model/nearest.ts';
import { Problem } from '../model/problem.ts';
import { kindNames, kinds, type Kind } from './kinds.ts';
import { merge, parseSetting, underSpec } from './overlay.ts';
import { apiVersion } from './schema/platform.ts';
import type { Source } from './source.ts';
import { locate, type MapTree, type Tree } from './tree.ts';
import { vitiApiVersion } from './viti/schema.ts';
import { parseYaml } from './yaml.ts';

/** Everything a command was given: files in order, files of values, and single settings. Later wins. */
export type Input = {
  readonly sources: readonly Source[];
  readonly varFiles?: readonly Source[];
  readonly settings?: readonly string[];
};

export type FileDocument = { readonly kind: Kind; readonly name: string; readonly tree: MapTree };

export type Documents = {
  readonly documents: readonly FileDocument[];
  /** Resources of other kinds, which ichor leaves alone. */
  readonly others: readonly string[];
  readonly problems: readonly Problem[];
  readonly texts: ReadonlyMap<string, string>;
};

const kindsOf: Readonly<Record<string, readonly Kind[]>> = Object.fromEntries(
  [apiVersion, vitiApiVersion].map((version) => [
    version,
    kindNames.filter((kind) => kinds[kind].apiVersion === version),
  ]),
);
const described: readonly Kind[] = ['Platform', 'Substrate', 'KubernetesCluster'];

type Entry = FileDocument & { readonly source: string };

/** Reads all files and lays them over each other; what is wrong with the text or its form is said here, once. */
export function readDocuments(input: Input): Documents {
  const problems: Problem[] = [];
  const texts = new Map<string, string>();
  const others: string[] = [];
  const found = new Map<string, Entry>();

  for (const source of input.sources) {
    const parsed = parseYaml(source);
    texts.set(source.name, parsed.text);
    problems.push(...parsed.problems);
    if (parsed.documents.length === 0 && parsed.problems.length === 0) problems.push(emptyFile(source.name));
    for (const tree of parsed.documents.flatMap(itemsOf)) {
      const header = readHeader(tree);
      if ('problem' in header) problems.push(header.problem);
      else if ('other' in header) others.push(header.other);
      else {
        const key = `${header.kind}/${header.name}`;
        const before = found.get(key);
        if (before?.source === source.name) problems.push(twice(header));
        const merged = before === undefined ? header.tree : (merge(before.tree, header.tree) as MapTree);
        found.set(key, { ...header, tree: merged, source: source.name });
      }
    }
  }

  const overlays = readOverlays(input, texts, problems);
  const documents = laidOver([...found.values()], overlays, problems);
  if (documents.length === 0 && problems.length === 0)
    problems.push(nothingHere(input.sources[0]?.name ?? '-', others));
  return { documents, others, problems, texts };
}

/** `kubectl get -o yaml` of several resources gives one list of them. */
function itemsOf(tree: Tree): readonly Tree[] {
  const { node: items, depth } = locate(tree, ['items']);
  const isList = text(tree, ['apiVersion']) === 'v1' && text(tree, ['kind']) === 'List';
  return isList && depth === 1 && items.kind === 'list' ? items.items : [tree];
}

type Header =
  | (Omit<FileDocument, never> & { readonly tree: MapTree })
  | { readonly other: string }
  | { readonly problem: Problem };

function readHeader(tree: Tree): Header {
  if (tree.kind !== 'map') {
    return {
      problem: new Problem('not-a-resource', 'A document must be a mapping with apiVersion, kind, metadata and spec.', {
        at: tree.at,
        path: '',
        remedy: 'ichor init writes one to begin with.',
      }),
    };
  }
  const version = text(tree, ['apiVersion']);
  const kind = text(tree, ['kind']);
  const name = text(tree, ['metadata', 'name']);
  const known = version === undefined ? undefined : kindsOf[version];
  const ours = Object.values(kindsOf)
    .flat()
    .find((candidate) => candidate === kind);
  if (known && kind !== undefined && known.some((candidate) => candidate === kind))
    return { kind: kind as Kind, name: name ?? '', tree };
  if (
    version !== undefined &&
    kind !== undefined &&
    known === undefined &&
    ours === undefined &&
    !version.startsWith('ichor.dev/')
  ) {
    return { other: `${version} ${kind} ${name ?? ''}`.trim() };
  }
  if (version === vitiApiVersion && kind !== undefined && nearest(kind, known ?? []) === undefined)
    return { other: `${version} ${kind} ${name ?? ''}`.trim() };
  return { problem: wrongHeader(tree, version, kind, ours) };
}

function wrongHeader(
  tree: MapTree,
  version: string | undefined,
  kind: string | undefined,
  ours: Kind | undefined,
): Problem {
  const keyOf = (key: string) => locate(tree, [key]).node.at;
  const versionOf = (wanted: Kind): string => kinds[wanted].apiVersion;
  if (kind === undefined)
    return new Problem('missing', 'This document needs "kind".', {
      at: tree.at,
      path: 'kind',
      remedy: `Add "kind: Platform".`,
    });
  if (version === undefined)
    return new Problem('missing', 'This document needs "apiVersion".', {
      at: tree.at,
      path: 'apiVersion',
      remedy: `Add "apiVersion: ${versionOf(ours ?? 'Platform')}".`,
    });
  if (ours !== undefined)
    return new Problem('unknown-value', `"${version}" is not an apiVersion of ${ours} that ichor knows.`, {
      at: keyOf('apiVersion'),
      path: 'apiVersion',
      remedy: `Use "${versionOf(ours)}".`,
    });
  const possible = kindsOf[version] ?? kindsOf[apiVersion] ?? [];
  const meant = nearest(kind, possible);
  return new Problem('unknown-value', `"${kind}" is not a kind that ichor knows.`, {
    at: keyOf('kind'),
    path: 'kind',
    remedy: meant === undefined ? `Use ${possible.join(' or ')}.` : `Did you mean "${meant}"?`,
  });
}

function text(tree: Tree, path: readonly string[]): string | undefined {
  const { node, depth } = locate(tree, path);
  return depth === path.length && node.kind === 'scalar' && node.value !== null ? String(node.value) : undefined;
}

const emptyFile = (file: string): Problem =>
  new Problem('empty-file', 'There is nothing in this file.', {
    at: { file, line: 1, column: 1, length: 1 },
    path: '',
    remedy: 'ichor init writes a file to begin with.',
  });

const nothingHere = (file: string, others: readonly string[]): Problem =>
  new Problem(
    'nothing-here',
    `There is no Platform, Substrate or KubernetesCluster here${others.length > 0 ? `, only ${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}` : ''}.`,
    {
      at: { file, line: 1, column: 1, length: 1 },
      path: '',
      remedy: 'ichor init writes a file to begin with.',
    },
  );

const twice = ({ kind, name, tree }: FileDocument): Problem =>
  new Problem('duplicate-document', `${kind} "${name}" is already in this file.`, {
    at: locate(tree, ['metadata', 'name']).node.at,
    path: 'metadata.name',
    remedy: 'Give it another name; an overlay belongs in a file of its own.',
  });

function readOverlays(input: Input, texts: Map<string, string>, problems: Problem[]): readonly Tree[] {
  const overlays: Tree[] = [];
  for (const source of input.varFiles ?? []) {
    const parsed = parseYaml(source);
    texts.set(source.name, parsed.text);
    problems.push(...parsed.problems);
    if (parsed.documents.length === 0 && parsed.problems.length === 0) problems.push(emptyFile(source.name));
    for (const tree of parsed.documents) {
      if (tree.kind === 'map') overlays.push(tree.entries.has('spec') ? tree : underSpec(tree));
      else
        problems.push(
          new Problem('not-a-mapping', 'A file of values must be a mapping: a piece of spec.', {
            at: tree.at,
            path: '',
            remedy: 'For example: cluster: { controlPlane: { replicas: 3 } }',
          }),
        );
    }
  }
  const settings = input.settings ?? [];
  if (settings.length > 0) texts.set('--set', settings.join('\n'));
  for (const [index, setting] of settings.entries()) {
    const parsed = parseSetting(setting, index + 1);
    if ('problem' in parsed) problems.push(parsed.problem);
    else overlays.push(parsed.over);
  }
  return overlays;
}

/** Values and settings belong to the one document that describes something to build. */
function laidOver(entries: readonly Entry[], overlays: readonly Tree[], problems: Problem[]): readonly FileDocument[] {
  const [overlay] = overlays;
  if (overlay === undefined) return entries;
  const candidates = entries.filter(({ kind }) => described.includes(kind));
  const platforms = candidates.filter(({ kind }) => kind === 'Platform');
  const target = candidates.length === 1 ? candidates[0] : platforms.length === 1 ? platforms[0] : undefined;
  if (target === undefined) {
    if (candidates.length > 1) {
      problems.push(
        new Problem(
          'ambiguous-overlay',
          `There are ${candidates.length} documents (${candidates.map(({ kind, name }) => `${kind} ${name}`).join(', ')}): it is not clear which one this belongs to.`,
          {
            at: overlay.at,
            path: '',
            remedy: 'Give one file at a time, or an overlay with apiVersion, kind and metadata.name by -f.',
          },
        ),
      );
    }
    return entries;
  }
  return entries.map((entry) =>
    entry === target ? { ...entry, tree: overlays.reduce<Tree>(merge, entry.tree) as MapTree } : entry,
  );
}
