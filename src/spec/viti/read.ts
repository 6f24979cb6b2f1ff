import type * as z from 'zod';
import type { Problem } from '../../model/problem.ts';
import { check, type Draft } from '../check.ts';
import type { FileDocument } from '../documents.ts';
import { said } from '../rules/rule.ts';
import { kubernetesCluster, machineClass, networkNamespace } from '../kinds.ts';
import type { MapTree } from '../tree.ts';
import type { networkNamespaceSpec } from './schema.ts';
import { withNodePools } from './short-form.ts';
import {
  classFrom,
  stockClasses,
  vitiRules,
  type KubernetesClusterDraft,
  type MachineClass,
  type Surroundings,
} from './translate.ts';

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
