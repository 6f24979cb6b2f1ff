import type { Manifest } from '../model/manifest.ts';
import { groupOf, textAt } from './live.ts';

/** A kind as discovery lists it. */
type Kind = { readonly kind: string; readonly group?: string; readonly namespaced: boolean };

/** Gives objects the namespace that their kind needs and their text leaves out, by discovery and by the set's own definitions. */
export function scopesOf(
  set: readonly Manifest[],
  known: readonly Kind[],
): (manifest: Manifest, namespace: string) => Manifest {
  const namespaced = new Map(known.map(({ group = '', kind, namespaced: has }) => [`${group}/${kind}`, has]));
  for (const manifest of set)
    if (manifest.kind === 'CustomResourceDefinition')
      namespaced.set(
        `${textAt(manifest, 'spec', 'group')}/${textAt(manifest, 'spec', 'names', 'kind')}`,
        textAt(manifest, 'spec', 'scope') === 'Namespaced',
      );
  return (manifest, namespace) =>
    manifest.metadata.namespace === undefined &&
    namespaced.get(`${groupOf(manifest.apiVersion)}/${manifest.kind}`) === true
      ? { ...manifest, metadata: { ...manifest.metadata, namespace } }
      : manifest;
}
