import { Document, visit } from 'yaml';
import type { Manifest } from '../../model/manifest.ts';
import type { Network } from './network.ts';

type Cilium = Extract<Network, { readonly kind: 'cilium' }>;

/** A file of values for helm, in which every value says who decided it. */
export function valuesText({ release, decided }: Cilium): string {
  const document = new Document(release.values);
  document.commentBefore = ` ${release.chart} ${release.version} of ${release.repository}, as release ${release.name} in ${release.namespace}`;
  const reasons = new Map(decided.map(({ path, because }) => [path, because]));
  visit(document, {
    Pair: (_, pair, above) => {
      const path = [...above, pair]
        .flatMap((node) => (node !== null && 'key' in node ? [String(node.key).replaceAll('.', '\\.')] : []))
        .join('.');
      const because = reasons.get(path);
      const { key } = pair as { readonly key: { commentBefore?: string | null } };
      if (because !== undefined) key.commentBefore = ` ${because}`;
    },
  });
  return document.toString({ lineWidth: 0 });
}

export const manifestsText = (manifests: readonly Manifest[]): string =>
  manifests.map((manifest) => `---\n${new Document(manifest).toString({ lineWidth: 0 })}`).join('');
