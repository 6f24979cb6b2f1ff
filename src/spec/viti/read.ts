import type * as z from 'zod';
import { isError, type Problem } from '../../model/problem.ts';
import { check, type Draft } from '../check.ts';
import type { FileDocument } from '../documents.ts';
import { kubernetesCluster, machineClass, networkNamespace } from '../kinds.ts';
import { machinesOf, settleCluster, type Platform, type Provider } from '../platform.ts';
import { addressRanges, networksApart } from '../rules/addresses.ts';
import { bigEnough, fewEnough, oddControlPlanes } from '../rules/control-plane.ts';
import { said, sayAll } from '../rules/rule.ts';
import { cluster } from '../schema/cluster.ts';
import { configuration } from '../schema/configuration.ts';
import { identity } from '../schema/identity.ts';
import { services } from '../schema/services.ts';
import { formatPath, locate, treeOf, type MapTree, type Path } from '../tree.ts';
import { networkRules, vitiRules } from './rules.ts';
import { withNodePools } from './short-form.ts';
import {
  classFrom,
  clusterSection,
  machineProviders,
  networkFrom,
  stockClasses,
  vitiName,
  writtenAt,
  type KubernetesClusterDraft,
  type MachineClass,
  type Network,
  type Surroundings,
} from './translate.ts';

/** The same rules as for a Platform, where a KubernetesCluster can break them. */
const clusterRules = [oddControlPlanes, fewEnough, bigEnough, networksApart, addressRanges];

export type CheckedCluster = {
  /** With the pools where the long form has them. */
  readonly tree: MapTree;
  readonly given: KubernetesClusterDraft;
  /** The cluster section of a Platform that is the same cluster, as far as it could be read. */
  readonly cluster: Draft<z.output<typeof cluster>>;
  readonly problems: readonly Problem[];
};

export function checkKubernetesCluster(document: FileDocument, surroundings: Surroundings): CheckedCluster {
  const tree = withNodePools(document.tree);
  const { draft, problems: own } = check(kubernetesCluster, tree);
  const given: KubernetesClusterDraft = { name: document.name, spec: draft.spec ?? {} };
  const translated = translate(tree, given, surroundings);
  const problems = onePerPlace([
    ...own,
    ...said(tree, sayAll([(known) => vitiRules(known, surroundings)], given)),
    ...translated.problems,
  ]);
  return { tree, given, cluster: translated.cluster, problems };
}

export function readKubernetesCluster(
  document: FileDocument,
  surroundings: Surroundings,
): { readonly problems: readonly Problem[]; readonly platform?: Platform } {
  const { given, cluster: section, problems } = checkKubernetesCluster(document, surroundings);
  if (problems.some(isError)) return { problems };
  const platformName = vitiName(given);
  const provider: Provider = { kind: 'vitistack', providers: machineProviders(given) };
  const spec = { cluster: section as z.output<typeof cluster> };
  return {
    problems,
    platform: {
      kind: 'Platform',
      name: platformName,
      environment: given.spec.data?.environment,
      identity: identity.parse({}),
      provider,
      via: undefined,
      cluster: settleCluster(platformName, spec.cluster),
      services: services.parse({}),
      configuration: configuration.parse({}),
      machines: machinesOf(platformName, spec, provider),
    },
  };
}

/** What the Viti schema accepts and ichor cannot build is said here, at the place in the file that it comes from. */
function translate(tree: MapTree, given: KubernetesClusterDraft, surroundings: Surroundings) {
  const placeOf = (path: Path) => {
    const { node, keyAt } = locate(tree, writtenAt(given, path));
    return node.kind === 'scalar' ? node.at : (keyAt ?? node.at);
  };
  const section = treeOf(clusterSection(given, surroundings), placeOf);
  const { draft, problems } = check(cluster, section, (path) => formatPath(writtenAt(given, path)));
  const complaints = sayAll(clusterRules, { name: vitiName(given), spec: { cluster: draft } });
  return {
    cluster: draft,
    problems: [
      ...problems,
      ...said(
        tree,
        complaints.map((complaint) => ({ ...complaint, path: writtenAt(given, complaint.path.slice(2)) })),
      ),
    ],
  };
}

/** One mistake can be wrong to Viti and to ichor: the first says enough. */
function onePerPlace(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ at, code }) => {
    const place = `${at?.file}:${at?.line}:${at?.column}${code === 'unknown-key' || code === 'missing' ? code : ''}`;
    const first = !seen.has(place);
    seen.add(place);
    return first || code === 'unknown-key' || code === 'missing';
  });
}

export const checkMachineClass = ({ tree }: FileDocument): readonly Problem[] => check(machineClass, tree).problems;

export function checkNetworkNamespace({ tree }: FileDocument): readonly Problem[] {
  const { draft, problems } = check(networkNamespace, tree);
  return [...problems, ...said(tree, sayAll([networkRules], { spec: draft.spec ?? {} }))];
}

/** The classes and networks that KubernetesClusters in the same input refer to. */
export function readSurroundings(documents: readonly FileDocument[]): Surroundings {
  const classes = new Map<string, MachineClass>(Object.entries(stockClasses));
  const networks = new Map<string, Network>();
  for (const { kind, name, tree } of documents) {
    if (kind === 'MachineClass') {
      const known = classFrom(check(machineClass, tree).draft.spec ?? {});
      if (known) classes.set(name, known);
    }
    const network =
      kind === 'NetworkNamespace' ? networkFrom(check(networkNamespace, tree).draft.spec ?? {}) : undefined;
    if (network) networks.set(name, network);
  }
  return { classes, networks };
}
