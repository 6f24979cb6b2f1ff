import { isError, type Problem } from '../model/problem.ts';
import { check } from './check.ts';
import { readDocuments, type FileDocument, type Input } from './documents.ts';
import type { PlatformDraft, PlatformSpec } from './expand.ts';
import { settlePlatform, type Platform } from './platform.ts';
import { betweenDocuments } from './rules/between.ts';
import { platformRules } from './rules/platform.ts';
import { said, sayAll } from './rules/rule.ts';
import { substrateRules, type SubstrateSpec } from './rules/substrate.ts';
import { platform } from './schema/platform.ts';
import { substrate } from './schema/substrate.ts';
import { shownFile } from './shown.ts';
import { settleSubstrate, type Substrate } from './substrate.ts';
import { checkMachineClass, checkNetworkNamespace, readKubernetesCluster, readSurroundings } from './viti/read.ts';
import type { Surroundings } from './viti/translate.ts';

export type Reading = {
  readonly platforms: readonly Platform[];
  readonly substrates: readonly Substrate[];
  /** Resources of other kinds in the same files, which ichor leaves alone. */
  readonly others: readonly string[];
  readonly problems: readonly Problem[];
  /** The documents as they were written and laid over each other, for `explain`. */
  readonly documents: readonly FileDocument[];
  /** Each file as it may be shown to anybody, for the lines that problems are about; empty when there are none. */
  readonly texts: ReadonlyMap<string, string>;
};

/** Text to model: everything wrong is reported at once, and what is right is settled. */
export function read(input: Input): Reading {
  const { documents, others, problems: textual, files } = readDocuments(input);
  const surroundings = readSurroundings(documents);
  const readings = documents.map((document) => readOne(document, surroundings));
  const problems = [
    ...textual,
    ...readings.flatMap((reading) => reading.problems),
    ...betweenDocuments(documents, readings),
  ];
  return {
    platforms: readings.flatMap((reading) => reading.platform ?? []),
    substrates: readings.flatMap((reading) => reading.substrate ?? []),
    others,
    documents,
    texts: new Map(problems.length === 0 ? [] : [...files].map(([name, file]) => [name, shownFile(file)])),
    problems: inOrder(problems, [...files.keys()]),
  };
}

type One = {
  readonly problems: readonly Problem[];
  readonly draft?: PlatformDraft;
  readonly platform?: Platform;
  readonly substrate?: Substrate;
};

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

function readPlatform({ tree }: FileDocument): One {
  const { draft, problems: own } = check(platform, tree);
  // Machines are named after the platform: with a broken name the rules about them still have something to go by.
  const name = draft.metadata?.name ?? 'platform';
  const given: PlatformDraft = { name, spec: draft.spec ?? {} };
  const problems = [...own, ...said(tree, sayAll(platformRules, given))];
  if (problems.some(isError)) return { problems, draft: given };
  return { problems, draft: given, platform: settlePlatform(name, draft.spec as PlatformSpec) };
}

function readSubstrate({ tree, name }: FileDocument): One {
  const { draft, problems: own } = check(substrate, tree);
  const problems = [...own, ...said(tree, sayAll(substrateRules, { name, spec: draft.spec ?? {} }))];
  if (problems.some(isError)) return { problems };
  return { problems, substrate: settleSubstrate(name, draft.spec as SubstrateSpec) };
}

/** As a person reads: file by file, from top to bottom. */
function inOrder(problems: readonly Problem[], files: readonly string[]): readonly Problem[] {
  const place = new Map(files.map((file, index) => [file, index]));
  const key = ({ at }: Problem) => [at ? (place.get(at.file) ?? -1) : -1, at?.line ?? 0, at?.column ?? 0] as const;
  return problems
    .map((problem) => ({ problem, key: key(problem) }))
    .toSorted(({ key: [a, b, c] }, { key: [d, e, f] }) => a - d || b - e || c - f)
    .map(({ problem }) => problem);
}
