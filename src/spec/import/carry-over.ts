import { isError, Problem, type Position } from '../../model/problem.ts';
import { readDocuments, type FileDocument } from '../documents.ts';
import { decode, type Source } from '../source.ts';
import { locate, type MapTree, type Tree } from '../tree.ts';
import { checkKubernetesCluster, readSurroundings } from '../viti/read.ts';
import { parseYaml } from '../yaml.ts';
import { Part, type Note } from './foreign.ts';
import { asGoReads } from './go-yaml.ts';
import { parseHcl } from './hcl.ts';
import type { Origin } from './recognise.ts';
import type { Sketch } from './sketch.ts';
import { fromTalhelper } from './talhelper.ts';
import { fromTfvars } from './tfvars.ts';
import { fromViti } from './viti.ts';

/** Without a sketch the problems say why. */
export type Carried = {
  readonly sketch?: Sketch;
  readonly notes: readonly Note[];
  readonly problems: readonly Problem[];
};

/** Reads foreign files and takes out of them what a Platform can say. */
export function carryOver(origin: Origin, sources: readonly Source[], name: string | undefined): Carried {
  switch (origin) {
    case 'tfvars':
      return carryTfvars(sources, name);
    case 'talhelper':
      return carryTalhelper(sources, name);
    case 'viti':
      return carryViti(sources, name);
  }
}

function carryTfvars(sources: readonly Source[], name: string | undefined): Carried {
  const parsed = sources.map((source) => (isJson(source) ? parseJson(source) : parseHcl(source)));
  const problems = parsed.flatMap((file) => file.problems);
  const trees = parsed.flatMap(({ tree }) => tree ?? []);
  const [first] = trees;
  if (problems.some(isError)) return { notes: [], problems };
  if (first === undefined) return { notes: [], problems: [nothingKnown(atTheTop(sources[0]))] };
  // As Terraform does it: a variable in a later file stands for the whole variable of an earlier one.
  const variables: MapTree = { ...first, entries: new Map(trees.flatMap(({ entries }) => [...entries])) };
  return carryPart(Part.whole(variables), problems, (root) => fromTfvars(root, name));
}

function carryTalhelper(sources: readonly Source[], name: string | undefined): Carried {
  const [source, another] = sources;
  if (source === undefined || another !== undefined) return { notes: [], problems: [oneFileOnly(another)] };
  const { documents, problems, text } = parseYaml(source);
  const [tree] = documents;
  if (tree?.kind !== 'map' || problems.some(isError))
    return { notes: [], problems: problems.length > 0 ? problems : [notATalconfig(source)] };
  return carryPart(Part.whole(asGoReads(tree, text)), problems, (root) => fromTalhelper(root, name));
}

function carryViti(sources: readonly Source[], name: string | undefined): Carried {
  const { documents, others, problems: textual } = readDocuments({ sources });
  const clusters = documents.filter(({ kind }) => kind === 'KubernetesCluster');
  const chosen = clusters.length === 1 ? clusters[0] : clusters.find((cluster) => isCalled(cluster, name));
  if (textual.some(isError)) return { notes: [], problems: textual };
  if (chosen === undefined) return { notes: [], problems: [whichCluster(sources[0], clusters)] };
  const surroundings = readSurroundings(documents);
  const cluster = checkKubernetesCluster(chosen, surroundings);
  const problems = [...textual, ...cluster.problems];
  if (problems.some(isError)) return { notes: [], problems };
  const wanted = clusters.length === 1 ? name : undefined;
  return { ...fromViti({ cluster, documents, surroundings, others }, wanted), problems };
}

function isCalled({ name: own, tree }: FileDocument, wanted: string | undefined): boolean {
  const { node, depth } = locate(tree, ['spec', 'data', 'clusterId']);
  return own === wanted || (depth === 3 && node.kind === 'scalar' && node.value === wanted);
}

const whichCluster = (source: Source | undefined, clusters: readonly FileDocument[]): Problem =>
  clusters.length === 0
    ? new Problem('nothing-here', 'There is no KubernetesCluster here.', {
        at: atTheTop(source),
        remedy: 'Give its file too; MachineClasses and NetworkNamespaces are read beside it.',
      })
    : new Problem('several-clusters', `There are ${clusters.length} clusters here, and a Platform is one.`, {
        at: atTheTop(source),
        remedy: `Choose one with --name: ${clusters.map((cluster) => cluster.name).join(', ')}.`,
      });

const atTheTop = (source: Source | undefined): Position => ({
  file: source?.name ?? '-',
  line: 1,
  column: 1,
  length: 1,
});

const oneFileOnly = (source: Source | undefined): Problem =>
  new Problem('several-files', 'A talconfig.yaml is one file.', {
    at: atTheTop(source),
    remedy: 'Import one file at a time.',
  });

const notATalconfig = (source: Source): Problem =>
  new Problem('not-a-mapping', 'A talconfig.yaml is a mapping with clusterName, endpoint and nodes.', {
    at: atTheTop(source),
    remedy: 'Name another file, or say what this one is with --from.',
  });

function carryPart(root: Part, problems: readonly Problem[], carry: (root: Part) => Sketch): Carried {
  const sketch = carry(root);
  if (!root.isUsed) return { notes: [], problems: [...problems, nothingKnown(root.at)] };
  root.noteTheRest();
  return { sketch, notes: root.notes, problems };
}

const nothingKnown = (at: Position): Problem =>
  new Problem('nothing-here', 'Nothing in this file is something that ichor knows.', {
    at,
    remedy: 'Name another file, or say what this one is with --from.',
  });

const isJson = (source: Source): boolean => /\.json$/i.test(source.name) || /^\s*\{/.test(decode(source));

function parseJson(source: Source): { readonly tree: MapTree | undefined; readonly problems: readonly Problem[] } {
  const { documents, problems } = parseYaml(source);
  const tree: Tree | undefined = documents[0];
  if (tree === undefined || tree.kind === 'map') return { tree, problems };
  const problem = new Problem('not-a-mapping', 'A file of variables is a mapping of names to values.', {
    at: tree.at,
    remedy: 'Write for example: { "cluster_name": "prod" }',
  });
  return { tree: undefined, problems: [...problems, problem] };
}
