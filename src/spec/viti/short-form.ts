import { locate, type MapTree, type Tree } from '../tree.ts';

const workers = ['spec', 'topology', 'workers'];

/** The short form of a KubernetesCluster writes the pools straight under workers; this is the whole form of it. */
export function withNodePools(tree: MapTree): MapTree {
  const { node, depth, keyAt } = locate(tree, workers);
  if (depth !== workers.length || node.kind !== 'list') return tree;
  const pools: Tree = {
    kind: 'map',
    at: node.at,
    entries: new Map([['nodePools', { keyAt: keyAt ?? node.at, value: node }]]),
  };
  return replaced(tree, workers, pools) as MapTree;
}

function replaced(tree: Tree, path: readonly string[], value: Tree): Tree {
  const [key, ...rest] = path;
  if (key === undefined || tree.kind !== 'map') return value;
  const entry = tree.entries.get(key);
  if (entry === undefined) return tree;
  return {
    ...tree,
    entries: new Map(tree.entries).set(key, { keyAt: entry.keyAt, value: replaced(entry.value, rest, value) }),
  };
}
