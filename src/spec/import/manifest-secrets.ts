import type { Tree } from '../tree.ts';
import { parseYaml } from '../yaml.ts';
import { isSecret, mayHoldSecret } from './secrets.ts';

/** Whether Kubernetes manifests bring a secret along: as a Secret, or as any value that is called one. */
export function manifestHoldsSecret(text: string): boolean {
  const { documents, problems } = parseYaml({ name: '', content: text });
  if (problems.length > 0) return mayHoldSecret(text);
  return documents.some((document) => isFilledSecret(document) || holdsSecretValue(document, ''));
}

function isFilledSecret(tree: Tree): boolean {
  if (tree.kind !== 'map') return false;
  const kind = tree.entries.get('kind')?.value;
  const filled = ['data', 'stringData'].some((key) => tree.entries.has(key));
  return kind?.kind === 'scalar' && kind.value === 'Secret' && filled;
}

function holdsSecretValue(tree: Tree, key: string): boolean {
  switch (tree.kind) {
    case 'scalar':
      return isSecret(key, tree.value);
    case 'list':
      return tree.items.some((item) => holdsSecretValue(item, key));
    case 'map':
      return [...tree.entries].some(([name, { value }]) => holdsSecretValue(value, name));
  }
}
