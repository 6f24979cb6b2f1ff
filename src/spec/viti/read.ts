import * as z from 'zod';
import type { Problem } from '../../model/problem.ts';
import { check, type Draft } from '../check.ts';
import type { FileDocument } from '../documents.ts';
import { said } from '../rules/rule.ts';
import { metadata } from '../schema/platform.ts';
import { locate, type MapTree, type Tree } from '../tree.ts';
import { kubernetesClusterSpec, machineClassSpec, networkNamespaceSpec, vitiApiVersion } from './schema.ts';
import {
  classFrom,
  stockClasses,
  vitiRules,
  type KubernetesClusterDraft,
  type MachineClass,
  type Surroundings,
} from './translate.ts';

const resource = <S extends z.ZodType>(kind: string, spec: S) =>
  z.strictObject({
    apiVersion: z.literal(vitiApiVersion),
    kind: z.literal(kind),
    metadata,
    spec,
    status: z.unknown().optional(),
  });

const kubernetesCluster = resource('KubernetesCluster', kubernetesClusterSpec('short'));
const machineClass = resource('MachineClass', machineClassSpec);
const networkNamespace = resource('NetworkNamespace', networkNamespaceSpec);

export const checkMachineClass = ({ tree }: FileDocument): readonly Problem[] => check(machineClass, tree).problems;
export const checkNetworkNamespace = ({ tree }: FileDocument): readonly Problem[] =>
  check(networkNamespace, tree).problems;

export type CheckedCluster = {
  /** With the pools where the long form has them. */
  readonly tree: MapTree;
  readonly given: KubernetesClusterDraft;
  readonly problems: readonly Problem[];
};

export function checkKubernetesCluster(document: FileDocument, surroundings: Surroundings): CheckedCluster {
  const tree = withNodePools(document.tree);
  const { draft, problems } = check(kubernetesCluster, tree);
  const given: KubernetesClusterDraft = { name: document.name, spec: draft.spec ?? {} };
  return { tree, given, problems: [...problems, ...said(tree, [...vitiRules(given, surroundings)])] };
}

/** What a cluster refers to: classes of machines and networks in the same input. */
export function readSurroundings(documents: readonly FileDocument[]): Surroundings {
  const classes = new Map<string, MachineClass>(Object.entries(stockClasses));
  const networks = new Map<string, Draft<z.output<typeof networkNamespaceSpec>>>();
  for (const { kind, name, tree } of documents) {
    if (kind === 'MachineClass') {
      const known = classFrom(check(machineClass, tree).draft.spec ?? {});
      if (known) classes.set(name, known);
    }
    if (kind === 'NetworkNamespace') networks.set(name, check(networkNamespace, tree).draft.spec ?? {});
  }
  return { classes, networks };
}

/** The short form writes the pools straight under workers. */
function withNodePools(tree: MapTree): MapTree {
  const { node: workers, depth, keyAt } = locate(tree, ['spec', 'topology', 'workers']);
  if (depth !== 3 || workers.kind !== 'list') return tree;
  const pools: Tree = {
    kind: 'map',
    at: workers.at,
    entries: new Map([['nodePools', { keyAt: keyAt ?? workers.at, value: workers }]]),
  };
  return replaced(tree, ['spec', 'topology', 'workers'], pools) as MapTree;
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
