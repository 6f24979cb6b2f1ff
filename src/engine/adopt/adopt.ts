import { isError, type Problem } from '../../model/problem.ts';
import type { Note } from '../../spec/import/foreign.ts';
import { platformFile } from '../../spec/import/platform-file.ts';
import type { Platform } from '../../spec/platform.ts';
import { read } from '../../spec/read.ts';
import { changedValues } from '../../talos/config/changes.ts';
import { readConfig } from '../../talos/config/read.ts';
import { patchTowards } from '../../talos/patch/towards.ts';
import { secretsFromControlPlaneConfig } from '../../talos/secrets/from-config.ts';
import type { SecretsBundle } from '../../talos/secrets/bundle.ts';
import { readSecrets } from '../../talos/secrets/read.ts';
import { secretsText } from '../../talos/secrets/text.ts';
import { formatPath } from '../../spec/tree.ts';
import { artifactOf, artifactPaths } from '../artifacts.ts';
import { configMaker } from '../talos-configs.ts';
import type { Making } from '../talos-identity.ts';
import { factsOf, type ClusterFacts } from './facts.ts';
import { putPatches, type Own } from './own-words.ts';
import type { RunningNode } from './running.ts';
import { sketchOf, vmOf, type Virtual } from './sketched.ts';

export type AdoptRequest = {
  readonly nodes: readonly RunningNode[];
  /** Undefined: the machines are where they are, and nobody is asked about them. */
  readonly virtual: Virtual | undefined;
  /** What the platform is to be called; undefined: as the cluster. */
  readonly name: string | undefined;
  /** What the file will be called. */
  readonly target: string;
};

export type Adopted = {
  readonly file: string;
  /** Undefined: the file is not right yet. */
  readonly platform: Platform | undefined;
  /** Text of secrets.yaml. Secret. */
  readonly secrets: string;
  readonly notes: readonly Note[];
  readonly problems: readonly Problem[];
  readonly texts: ReadonlyMap<string, string>;
  readonly machines: number;
};

/** A file and secrets for a cluster that runs, so that there is nothing left to do to it. */
export function adoptCluster(request: AdoptRequest): Adopted {
  const facts = factsOf(request.nodes);
  const [plane] = facts.nodes;
  const bundle = secretsFromControlPlaneConfig(plane?.config ?? '', plane?.address ?? '');
  const sketch = sketchOf(request.name ?? nameFrom(facts.name), facts, request.virtual);
  const header = `Written by ichor import from the running cluster ${facts.name}.`;
  const textNow = (): string => platformFile(sketch, header);
  const notes: Note[] = [...missingVms(facts, request.virtual)];

  const first = platformIn(textNow(), request.target);
  if (first !== undefined) notes.push(...putPatches(sketch, ownOf(first, facts, bundle)));
  const file = textNow();
  const reading = read({ sources: [{ name: request.target, content: file }] });
  const platform = reading.problems.some(isError) ? undefined : reading.platforms[0];
  if (platform !== undefined) notes.push(...left(platform, facts, bundle, notes));
  return {
    file,
    platform,
    secrets: secretsText(bundle),
    notes,
    problems: reading.problems,
    texts: reading.texts,
    machines: facts.nodes.length,
  };
}

function platformIn(content: string, name: string): Platform | undefined {
  const reading = read({ sources: [{ name, content }] });
  return reading.problems.some(isError) ? undefined : reading.platforms[0];
}

const nameFrom = (cluster: string): string =>
  cluster
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'cluster';

/** What each node has that the file would not give it. */
function ownOf(platform: Platform, facts: ClusterFacts, bundle: SecretsBundle): readonly Own[] {
  const maker = configMaker({ platform, bundle, resolved: new Map() });
  return facts.nodes.flatMap((node) => {
    const machine = platform.machines.find(({ name }) => name === `${platform.name}-${node.name}`);
    if (machine === undefined) return [];
    const wanted = readConfig(maker.ofMachine(machine).text, 'the file', facts.contract);
    return [{ node, units: patchTowards(wanted, node.read) }];
  });
}

/** What ichor up would still change, however hard the import tried. */
function left(platform: Platform, facts: ClusterFacts, bundle: SecretsBundle, said: readonly Note[]): readonly Note[] {
  const maker = configMaker({ platform, bundle, resolved: new Map() });
  const paths = facts.nodes.flatMap((node) => {
    const machine = platform.machines.find(({ name }) => name === `${platform.name}-${node.name}`);
    if (machine === undefined) return [];
    const wanted = readConfig(maker.ofMachine(machine).text, 'the file', facts.contract);
    return changedValues(node.read, wanted).map(({ path }) => formatPath(path));
  });
  return [...new Set(paths)]
    .filter((path) => !said.some((note) => path.startsWith(note.path)))
    .map((path) => ({ path, at: undefined, message: 'A file cannot say this yet: ichor up would change it.' }));
}

const missingVms = ({ nodes }: ClusterFacts, virtual: Virtual | undefined): readonly Note[] =>
  virtual === undefined
    ? []
    : nodes
        .filter((node) => vmOf(node, virtual.vms)?.uuid === undefined)
        .map(({ name, address }) => ({
          path: `cluster.nodes.${name}`,
          at: undefined,
          message: `No VM with a UUID has a network card of ${address}: give it vmid and uuid by hand, or ichor would make another one.`,
        }));

/** The files that people get, by their name: as ichor up would write them, so that it has no reason to. Secret. */
export async function adoptedFiles(
  { platform, secrets }: Pick<Adopted, 'platform' | 'secrets'>,
  making: Making,
): Promise<readonly (readonly [path: string, text: string])[]> {
  if (platform === undefined) return [];
  const request = { platform, bundle: readSecrets(secrets, 'secrets.yaml'), resolved: new Map() };
  const planes = platform.machines.filter(({ role }) => role === 'control-plane');
  const endpoints = planes.flatMap(({ fixed }) => fixed.address ?? []);
  const given = { present: undefined, endpoints, request, maker: () => Promise.resolve(configMaker(request)) };
  return Promise.all(artifactPaths.map(async (path) => [path, await artifactOf(path, given, making)] as const));
}
