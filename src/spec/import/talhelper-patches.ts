import { stringify } from 'yaml';
import { parseVersion } from '../../model/version.ts';
import { childOf } from '../tree.ts';
import { parseYaml } from '../yaml.ts';
import { textOf, type Configuration } from './configuration.ts';
import type { Part } from './foreign.ts';
import { asGoReads } from './go-yaml.ts';
import { lift } from './lift.ts';
import { carry, carryWhole } from './prune.ts';
import type { Sketch } from './sketch.ts';
import { groupPlace, ofRole, type Node } from './talhelper-node.ts';
import { unfinished } from './talhelper-text.ts';

/** Patches that people wrote, for all machines, for a group and for one machine. */
export function putPatches(root: Part, nodes: readonly Node[], sketch: Sketch): void {
  const general = root.find('patches');
  for (const patch of patchesIn(general, sketch, true)) sketch.add('cluster.patches', patch);
  let narrower = 0;
  for (const role of ['controlPlane', 'worker'] as const) {
    if (ofRole(nodes, role).length === 0) continue;
    const patches = patchesIn(root.find(role)?.find('patches'), sketch, false);
    for (const patch of patches) sketch.add(`${groupPlace[role]}.patches`, patch);
    narrower += patches.length;
  }
  for (const { part, machine, role } of nodes) {
    const patches = patchesIn(part.find('patches'), sketch, false);
    for (const patch of patches) sketch.add(['cluster', 'nodes', machine, 'patches'], patch);
    narrower += patches.length;
    const alone = part.find('overridePatches');
    if (alone?.flag() === true && root.find(role)?.find('patches'))
      alone.note('Not carried over: the patches of its group apply to this machine too.');
  }
  if (general && general.parts().length > 0 && narrower > 0)
    general.remark(
      'talhelper applies these after those of groups and machines, ichor before them: look where two set the same value.',
    );
}

function patchesIn(list: Part | undefined, sketch: Sketch, forAll: boolean): readonly unknown[] {
  return (list?.parts() ?? []).flatMap((item) => patchesOf(item, sketch, forAll));
}

function patchesOf(item: Part, sketch: Sketch, forAll: boolean): readonly unknown[] {
  const text = item.text();
  if (text === undefined) return [];
  if (text.startsWith('@')) {
    item.note('Stands in a file of its own, which is not read: put it under patches.');
    return [];
  }
  const { documents, problems } = parseYaml({ name: item.at.file, content: text });
  if (problems.length > 0) {
    item.note('Not carried over: it is not YAML as it stands.');
    return [];
  }
  return documents.flatMap((document): readonly unknown[] => {
    const configuration = textOf(asGoReads(document, text), item);
    switch (document.kind) {
      case 'scalar':
        item.note('Not carried over: it is neither a mapping nor a list.');
        return [];
      case 'list':
        return operationsOf(configuration, sketch);
      case 'map': {
        const value = carry(forAll ? lift(configuration, sketch) : configuration, unfinished);
        return value === undefined || Object.keys(value as object).length === 0 ? [] : [value];
      }
    }
  });
}

/** A JSON patch is text in a Platform too: operations, each of which says by its path what its value is. */
function operationsOf({ tree, from, say }: Configuration, sketch: Sketch): readonly string[] {
  const operations = tree.kind === 'list' ? tree.items : [];
  const kept = operations.flatMap((operation, index) => {
    const path = childOf(operation, 'path');
    const target = path?.kind === 'scalar' ? String(path.value).split('/').at(-1) : undefined;
    const value = carryWhole(
      { tree: operation, from, say: (inside, message) => say([index, ...inside], message) },
      (key, scalar) => unfinished(key === 'value' ? (target ?? key) : key, scalar),
    );
    return value === undefined ? [] : [value];
  });
  if (kept.length === 0) return [];
  const version = parseVersion(String(sketch.get('cluster.talos.version')));
  if (version === undefined || version.minor >= 12)
    from.remark('Talos 1.12 and later refuse JSON patches: write it as the configuration that it makes.');
  return [stringify(kept)];
}
