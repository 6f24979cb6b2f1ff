import { isError, type Problem } from '../model/problem.ts';
import { check } from './check.ts';
import { readDocuments, type FileDocument, type Input } from './documents.ts';
import type { PlatformSpec } from './expand.ts';
import { machinesOf, settleCluster, settlePlatform, type Platform, type Provider } from './platform.ts';
import { platformRules } from './rules/platform.ts';
import { betweenDocuments } from './rules/between.ts';
import { said } from './rules/rule.ts';
import { substrateRules, type SubstrateSpec } from './rules/substrate.ts';
import { cluster } from './schema/cluster.ts';
import { configuration } from './schema/configuration.ts';
import { identity } from './schema/identity.ts';
import { platform } from './schema/platform.ts';
import { services } from './schema/services.ts';
import { substrate } from './schema/substrate.ts';
import { settleSubstrate, type Substrate } from './substrate.ts';
import { checkKubernetesCluster, checkMachineClass, checkNetworkNamespace, readSurroundings } from './viti/read.ts';
import { clusterSection, machineProviders, vitiName, type Surroundings } from './viti/translate.ts';

export type Reading = {
  readonly platforms: readonly Platform[];
  readonly substrates: readonly Substrate[];
  /** Resources of other kinds in the same files, which ichor leaves alone. */
  readonly others: readonly string[];
  readonly problems: readonly Problem[];
  /** The documents as they were written and laid over each other, for `explain`. */
  readonly documents: readonly FileDocument[];
  /** The text of each file, to show the line that a problem is about. */
  readonly texts: ReadonlyMap<string, string>;
};

/** Text to model: everything wrong is reported at once, and what is right is settled. */
export function read(input: Input): Reading {
  const { documents, others, problems: textual, texts } = readDocuments(input);
  const surroundings = readSurroundings(documents);
  const platforms: Platform[] = [];
  const substrates: Substrate[] = [];
  const problems = [...textual];
  for (const document of documents) {
    const result = readOne(document, surroundings);
    problems.push(...result.problems);
    if (result.platform) platforms.push(result.platform);
    if (result.substrate) substrates.push(result.substrate);
  }
  problems.push(...betweenDocuments(documents, platforms));
  return { platforms, substrates, others, documents, texts, problems: inOrder(problems, [...texts.keys()]) };
}

type One = { readonly problems: readonly Problem[]; readonly platform?: Platform; readonly substrate?: Substrate };

function readOne(document: FileDocument, surroundings: Surroundings): One {
  switch (document.kind) {
    case 'Platform':
      return readPlatform(document);
    case 'Substrate':
      return readSubstrate(document);
    case 'KubernetesCluster':
      return readKubernetesCluster(document, surroundings);
    case 'MachineClass':
      return { problems: checkMachineClass(document) };
    case 'NetworkNamespace':
      return { problems: checkNetworkNamespace(document) };
  }
}

function readPlatform({ tree, name }: FileDocument): One {
  const { draft, problems: own } = check(platform, tree);
  const problems = [
    ...own,
    ...said(
      tree,
      platformRules.flatMap((rule) => [...rule({ name, spec: draft.spec ?? {} })]),
    ),
  ];
  if (problems.some(isError)) return { problems };
  return { problems, platform: settlePlatform(name, draft.spec as PlatformSpec) };
}

function readSubstrate({ tree, name }: FileDocument): One {
  const { draft, problems: own } = check(substrate, tree);
  const problems = [
    ...own,
    ...said(
      tree,
      substrateRules.flatMap((rule) => [...rule({ name, spec: draft.spec ?? {} })]),
    ),
  ];
  if (problems.some(isError)) return { problems };
  return { problems, substrate: settleSubstrate(name, draft.spec as SubstrateSpec) };
}

function readKubernetesCluster(document: FileDocument, surroundings: Surroundings): One {
  const { given, problems } = checkKubernetesCluster(document, surroundings);
  if (problems.some(isError)) return { problems };
  const platformName = vitiName(given);
  const spec = {
    cluster: cluster.parse(clusterSection(given, surroundings)),
    identity: identity.parse({}),
    services: services.parse({}),
    configuration: configuration.parse({}),
  };
  const provider: Provider = { kind: 'vitistack', providers: machineProviders(given) };
  return {
    problems,
    platform: {
      kind: 'Platform',
      name: platformName,
      environment: given.spec.data?.environment,
      identity: spec.identity,
      provider,
      via: undefined,
      cluster: settleCluster(platformName, spec.cluster),
      services: spec.services,
      configuration: spec.configuration,
      machines: machinesOf(platformName, spec, provider),
    },
  };
}

/** As a person reads: file by file, from top to bottom. */
function inOrder(problems: readonly Problem[], files: readonly string[]): readonly Problem[] {
  const place = ({ at }: Problem): readonly number[] => [
    at ? files.indexOf(at.file) : -1,
    at?.line ?? 0,
    at?.column ?? 0,
  ];
  return problems.toSorted((one, other) => {
    const [a, b] = [place(one), place(other)];
    return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0) || (a[2] ?? 0) - (b[2] ?? 0);
  });
}
