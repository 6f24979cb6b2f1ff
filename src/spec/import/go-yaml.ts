import type { Entry, Tree } from '../tree.ts';

/** Go's YAML reader takes 0644 for an octal number, as YAML 1.1 did; file modes are written so. */
export function asGoReads(tree: Tree, text: string): Tree {
  const lines = text.split('\n');
  const convert = (node: Tree): Tree => {
    switch (node.kind) {
      case 'list':
        return { ...node, items: node.items.map(convert) };
      case 'map': {
        const entries = [...node.entries].map(([key, entry]): [string, Entry] => [
          key,
          { ...entry, value: convert(entry.value) },
        ]);
        return { ...node, entries: new Map(entries) };
      }
      case 'scalar': {
        const { line, column, length } = node.at;
        const written = lines[line - 1]?.slice(column - 1, column - 1 + length) ?? '';
        const octal = typeof node.value === 'number' && /^0[0-7]+$/.test(written);
        return octal ? { ...node, value: Number.parseInt(written, 8) } : node;
      }
    }
  };
  return convert(tree);
}
