import { decode } from './decode.ts';
import { kinds } from './fields/kinds.ts';
import { fieldsOf, type FieldType } from './fields/table.ts';
import type { Reading, Values } from './reading.ts';
import { unknownKeys } from './unknown-keys.ts';
import { conflictsOf } from './rules/conflicts.ts';
import { readDocuments, textOf, type MapNode } from './yaml-node.ts';

/** A document that was read as the type of its kind; `v1alpha1` is the one without a kind. */
export type Loaded = {
  readonly kind: string;
  readonly name: string | undefined;
  readonly type: string;
  readonly values: Values;
};

/** Why a configuration is not even read, in Talos’ words. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Reads every document strictly. */
export function loadConfig(text: string, minor: number): readonly Loaded[] {
  const { documents, problem } = readDocuments(text);
  const seen = new Set<string>();
  const loaded = documents.flatMap((node) => {
    if (node.kind === 'scalar' && node.tag === '!!null') return [];
    if (node.kind !== 'map')
      throw new Refusal(minor >= 12 ? `expected a YAML document at line ${node.line}` : 'expected a document');
    return [loadOne(node, minor, seen)];
  });
  if (problem !== undefined) throw new Refusal(`decode error: yaml: ${problem}`);
  if (loaded.length === 0) throw new Refusal('config not found');
  refuseConflicts(loaded);
  return loaded;
}

function loadOne(node: MapNode, minor: number, seen: Set<string>): Loaded {
  const idText = [
    textOf(node, 'apiVersion') ?? '',
    textOf(node, 'kind') || 'v1alpha1',
    textOf(node, 'name') ?? '',
  ].join('/');
  const line = minor >= 12 ? ` (line ${node.line})` : '';
  if (seen.has(idText)) throw new Refusal(`duplicate document ${idText} is not allowed${line}`);
  seen.add(idText);
  const wrap = (words: string): Refusal =>
    new Refusal(minor >= 12 ? `error decoding document ${idText}${line}: ${words}` : words);

  const kind = kindOf(node, minor);
  if ('fault' in kind) throw wrap(kind.fault);
  const target: FieldType = { kind: 'struct', name: kind.type };
  const reading: Reading = { minor, errors: [] };
  const values = decode(node, target, reading);
  if (reading.errors.length > 0)
    throw wrap(
      `error decoding ${kind.kind === 'v1alpha1' ? '' : kind.kind} to *${kind.type}: ${inYamlWords(reading, minor)}`,
    );
  const unknown = unknownKeys(node, target, minor);
  if (unknown !== undefined) throw wrap(unknown);
  const named = kind.kind !== 'v1alpha1' && fieldsOf(kind.type, minor).some(({ key }) => key === 'name');
  const name = named ? (((values as Values)['name'] as string | undefined) ?? '') : undefined;
  return { kind: kind.kind, type: kind.type, values: values as Values, name };
}

/** Older libraries say it in other words. */
const inYamlWords = ({ errors }: Reading, minor: number): string =>
  minor >= 13
    ? ['yaml: construct errors:', ...errors].join('\n  ')
    : ['yaml: unmarshal errors:', ...errors.map((error) => error.replace('cannot construct', 'cannot unmarshal'))].join(
        '\n  ',
      );

type Kind = { readonly kind: string; readonly type: string } | { readonly fault: string };

const oldKeys = ['machine', 'cluster', 'debug', 'persist'];

function kindOf(node: MapNode, minor: number): Kind {
  let [kind, version] = ['', ''];
  for (const [key, value] of node.entries) {
    const name = key.kind === 'scalar' ? key.text : '';
    if (name === 'kind' || name === 'apiVersion') {
      const reading: Reading = { minor, errors: [] };
      const text = decode(value, { kind: 'scalar', name: 'string' }, reading);
      const what = name === 'kind' ? 'kind' : 'version';
      if (reading.errors.length > 0) return { fault: `${what} decode: ${inYamlWords(reading, minor)}` };
      if (name === 'kind') kind = typeof text === 'string' ? text : '';
      else version = typeof text === 'string' ? text : '';
    }
    // Talos looks at values as if they were keys, too.
    for (const each of [key, value]) if (each.kind === 'scalar' && oldKeys.includes(each.text)) version = 'v1alpha1';
  }
  if (version === 'v1alpha1' && kind === '') return { kind: 'v1alpha1', type: 'v1alpha1.Config' };
  if (kind === '') return { fault: 'missing kind' };
  if (version === '') return { fault: 'missing apiVersion' };
  if (kind === 'v1alpha1' && version === '') return { kind, type: 'v1alpha1.Config' };
  const known = kinds[kind];
  const registered =
    known !== undefined && version === 'v1alpha1' && minor >= known.from && minor <= (known.to ?? minor);
  if (!registered) return { fault: `${JSON.stringify(kind)} ${JSON.stringify(version)}: not registered` };
  return { kind, type: known.type };
}

function refuseConflicts(loaded: readonly Loaded[]): void {
  const seen = new Set<string>();
  const excluded = new Map<string, string>();
  if (loaded.filter(({ kind }) => kind === 'v1alpha1').length > 1) throw new Refusal('duplicate v1alpha1.Config');
  for (const { kind, name } of loaded) {
    if (kind === 'v1alpha1') continue;
    const id = `${kind}/${name ?? ''}`;
    if (seen.has(id)) throw new Refusal(`duplicate document: ${id}`);
    seen.add(id);
    const by = excluded.get(id);
    if (by !== undefined) throw new Refusal(`conflicting documents: ${by} and ${id}`);
    for (const other of conflictsOf(kind)) {
      const otherId = `${other}/${name ?? ''}`;
      if (seen.has(otherId)) throw new Refusal(`conflicting documents: ${otherId} and ${id}`);
      excluded.set(otherId, id);
    }
  }
}
