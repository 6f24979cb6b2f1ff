import { nearest } from '../model/nearest.ts';
import { Problem } from '../model/problem.ts';
import { kindNames, kinds, type Kind } from './kinds.ts';
import { apiVersion } from './schema/platform.ts';
import { clip, locate, type MapTree, type Tree } from './tree.ts';
import { vitiApiVersion } from './viti/schema.ts';

const kindsOf: ReadonlyMap<string, readonly Kind[]> = new Map(
  [apiVersion, vitiApiVersion].map((version) => [
    version,
    kindNames.filter((kind) => kinds[kind].apiVersion === version),
  ]),
);

export type Header =
  | { readonly kind: Kind; readonly name: string; readonly tree: MapTree }
  /** A resource that is somebody else's, in words. */
  | { readonly other: string }
  | { readonly problem: Problem };

/** What a document says that it is. */
export function readHeader(tree: Tree): Header {
  if (tree.kind !== 'map') return { problem: notAResource(tree) };
  const version = text(tree, ['apiVersion']);
  const kind = text(tree, ['kind']);
  const name = text(tree, ['metadata', 'name']) ?? '';
  const known = kindsOf.get(version ?? '') ?? [];
  const ours = kindNames.find((candidate) => candidate === kind);
  if (ours !== undefined && known.includes(ours)) return { kind: ours, name, tree };
  if (version !== undefined && kind !== undefined && isForeign(version, kind, ours))
    return { other: `${clip(version)} ${clip(kind)} ${clip(name)}`.trim() };
  return { problem: wrongHeader(tree, version, kind, ours) };
}

/** Another group's resource, or one of Viti's that ichor does not need; but not a slip of ours. */
function isForeign(version: string, kind: string, ours: Kind | undefined): boolean {
  if (version === vitiApiVersion) return nearest(kind, kindsOf.get(version) ?? []) === undefined;
  return ours === undefined && !version.startsWith('ichor.dev/') && !kindsOf.has(version);
}

const notAResource = (tree: Tree): Problem =>
  new Problem('not-a-resource', 'A document must be a mapping with apiVersion, kind, metadata and spec.', {
    at: tree.at,
    path: '',
    remedy: 'Write one to begin with:\n    ichor init',
  });

function wrongHeader(
  tree: MapTree,
  version: string | undefined,
  kind: string | undefined,
  ours: Kind | undefined,
): Problem {
  const problem = (code: string, key: string, message: string, remedy: string): Problem =>
    new Problem(code, message, { at: locate(tree, [key]).node.at, path: key, remedy });
  const versionOf = (wanted: Kind): string => kinds[wanted].apiVersion;
  if (kind === undefined) return problem('missing', 'kind', 'This document needs "kind".', 'Add "kind: Platform".');
  if (version === undefined) {
    const wanted = versionOf(ours ?? 'Platform');
    return problem('missing', 'apiVersion', 'This document needs "apiVersion".', `Add "apiVersion: ${wanted}".`);
  }
  if (ours !== undefined) {
    const message = `"${clip(version)}" is not an apiVersion of ${ours} that ichor knows.`;
    return problem('unknown-value', 'apiVersion', message, `Use "${versionOf(ours)}".`);
  }
  const possible = kindsOf.get(version) ?? kindsOf.get(apiVersion) ?? [];
  const meant = nearest(kind, possible);
  const remedy = meant === undefined ? `Use ${possible.join(' or ')}.` : `Did you mean "${meant}"?`;
  return problem('unknown-value', 'kind', `"${clip(kind)}" is not a kind that ichor knows.`, remedy);
}

function text(tree: Tree, path: readonly string[]): string | undefined {
  const { node, depth } = locate(tree, path);
  if (depth < path.length || node.kind !== 'scalar' || node.value === null) return undefined;
  return node.written ?? String(node.value);
}

/** `kubectl get -o yaml` of several resources gives one list of them. */
export function itemsOf(tree: Tree): readonly Tree[] {
  const { node: items, depth } = locate(tree, ['items']);
  const isList = text(tree, ['apiVersion']) === 'v1' && text(tree, ['kind']) === 'List';
  return isList && depth === 1 && items.kind === 'list' ? items.items : [tree];
}
