import type { Position } from '../../model/problem.ts';
import type { Machine } from '../../model/machine.ts';
import { machineNamed } from '../../spec/names.ts';
import type { Platform } from '../../spec/platform.ts';
import { formatPath, type Path } from '../../spec/tree.ts';
import { yamlText } from '../../spec/yaml-text.ts';
import type { Patch, PatchScope } from './patch.ts';

export type PatchSource = {
  /** The file’s name as people know it. */
  readonly file: string;
  /** Finds something in the file, by its path below `spec`. */
  readonly placeOf?: (path: Path) => Position | undefined;
};

/** The patches for one machine, widest scope first: all, then control planes or its pool, then its own. */
export function patchesFor(platform: Platform, machine: Machine, from: PatchSource): readonly Patch[] {
  const { cluster, name } = platform;
  const ofAll = patchesAt(cluster.patches, ['cluster', 'patches'], { kind: 'all' }, from);
  return [...ofAll, ...ofGroup(platform, machine, from), ...ofNode(cluster.nodes, name, machine, from)];
}

/** Those that every machine of a role gets, for a configuration that is nobody’s in particular. */
export function patchesForRole(platform: Platform, role: Machine['role'], from: PatchSource): readonly Patch[] {
  const { cluster } = platform;
  const ofAll = patchesAt(cluster.patches, ['cluster', 'patches'], { kind: 'all' }, from);
  if (role === 'worker') return ofAll;
  const path = ['cluster', 'controlPlane', 'patches'];
  return [...ofAll, ...patchesAt(cluster.controlPlane.patches, path, { kind: 'control-planes' }, from)];
}

function ofGroup({ cluster }: Platform, { pool }: Machine, from: PatchSource): readonly Patch[] {
  if (pool === null) {
    const path = ['cluster', 'controlPlane', 'patches'];
    return patchesAt(cluster.controlPlane.patches, path, { kind: 'control-planes' }, from);
  }
  return patchesAt(
    cluster.workers[pool]?.patches ?? [],
    ['cluster', 'workers', pool, 'patches'],
    { kind: 'pool', pool },
    from,
  );
}

/** Under `nodes` people may leave the platform’s name away. */
function ofNode(
  nodes: Platform['cluster']['nodes'],
  platform: string,
  machine: Machine,
  from: PatchSource,
): readonly Patch[] {
  const only = new Map([[machine.name, machine]]);
  return Object.entries(nodes).flatMap(([written, node]) =>
    machineNamed(written, platform, only) === undefined
      ? []
      : patchesAt(node.patches, ['cluster', 'nodes', written, 'patches'], { kind: 'node', node: machine.name }, from),
  );
}

type Written = string | Readonly<Record<string, unknown>>;

const patchesAt = (
  patches: readonly Written[],
  path: Path,
  scope: PatchScope,
  { file, placeOf }: PatchSource,
): readonly Patch[] =>
  patches.map((patch, index): Patch => {
    const own = [...path, index];
    const text = typeof patch === 'string' ? patch : yamlText([patch]);
    // Text has no paths of the file inside of it: its place is where it begins.
    const inFile = (inside: Path): Position | undefined =>
      placeOf?.(typeof patch === 'string' ? own : [...own, ...inside]);
    return {
      scope,
      source: `${file}: ${formatPath(own)}`,
      text,
      ...(placeOf === undefined ? {} : { placeOf: inFile }),
    };
  });
