import type { Sketch } from '../../spec/import/sketch.ts';
import type { Note } from '../../spec/import/foreign.ts';
import { holdsSecret, isSecret } from '../../spec/import/secrets.ts';
import type { Path } from '../../spec/tree.ts';
import type { Value } from '../../talos/config/document.ts';
import { isSecretName } from '../../talos/redact.ts';
import { patchesOf, type PatchUnit } from '../../talos/patch/towards.ts';
import { pool, type AdoptedNode } from './facts.ts';

/** What a node has that ichor would not have given it. */
export type Own = { readonly node: AdoptedNode; readonly units: readonly PatchUnit[] };

/** Puts what is particular into patches: of everybody who has it, of a role, or of one machine. */
export function putPatches(sketch: Sketch, owns: readonly Own[]): readonly Note[] {
  const notes = new Map<string, Note>();
  const safe = owns.map(({ node, units }) => ({
    node,
    units: units.filter((unit) => {
      if (!givesAway(unit)) return true;
      notes.set(unit.path, { path: unit.path, at: undefined, message: secretLeftOut });
      return false;
    }),
  }));
  const groups: readonly { readonly path: Path; readonly members: readonly Own[] }[] = [
    { path: ['cluster', 'patches'], members: safe },
    { path: ['cluster', 'controlPlane', 'patches'], members: safe.filter(({ node }) => node.role === 'control-plane') },
    { path: ['cluster', 'workers', pool, 'patches'], members: safe.filter(({ node }) => node.role === 'worker') },
    ...safe.map((own) => ({ path: ['cluster', 'nodes', own.node.name, 'patches'], members: [own] })),
  ];
  const said = new Map<string, Set<string>>();
  for (const { path, members } of groups) {
    const [first, ...others] = members;
    if (first === undefined) continue;
    const common = first.units.filter(
      (unit) => others.every(({ units }) => units.some(sameAs(unit))) && !isSaid(said, first.node, unit),
    );
    for (const { node } of members) for (const unit of common) remember(said, node, unit);
    const patches = patchesOf(common).flat();
    if (patches.length > 0) sketch.put(path, patches);
  }
  return [...notes.values()];
}

const secretLeftOut =
  'Not carried over: it looks like a secret. ichor up would take it away from the node; give it a place of its own first.';

const keyOf = (unit: PatchUnit): string => JSON.stringify(unit);
const sameAs =
  (unit: PatchUnit) =>
  (other: PatchUnit): boolean =>
    keyOf(unit) === keyOf(other);
const isSaid = (said: ReadonlyMap<string, ReadonlySet<string>>, { name }: AdoptedNode, unit: PatchUnit): boolean =>
  said.get(name)?.has(keyOf(unit)) === true;
function remember(said: Map<string, Set<string>>, { name }: AdoptedNode, unit: PatchUnit): void {
  said.set(name, (said.get(name) ?? new Set()).add(keyOf(unit)));
}

const givesAway = ({ set = {} }: PatchUnit): boolean => hasSecret(set, '');

function hasSecret(value: Value, key: string): boolean {
  if (Array.isArray(value)) return (value as readonly Value[]).some((item) => hasSecret(item, key));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([name, inner]) => hasSecret(inner, name));
  if (value === null || typeof value === 'boolean' || value === '') return false;
  return isSecretName(key) || isSecret(key, value) || holdsSecret(String(value));
}
