import type { Tree } from '../tree.ts';
import type { Part } from './foreign.ts';

/** A machine of a talconfig.yaml, and what ichor calls it. */
export type Node = {
  readonly part: Part;
  readonly machine: string;
  readonly role: Role;
  /** The setting of the machine itself, else that of its group, as talhelper has it. */
  readonly setting: (field: string) => Part | undefined;
};

export type Role = 'controlPlane' | 'worker';

const pool = 'worker';

/** Where the settings of all machines of a role stand. */
export const groupPlace: Readonly<Record<Role, string>> = {
  controlPlane: 'cluster.controlPlane',
  worker: `cluster.workers.${pool}`,
};

/** Control planes are cp-0, cp-1, …, workers worker-0, …, each in the order of the file. */
export function nodesOf(root: Part): readonly Node[] {
  const counts = { controlPlane: 0, worker: 0 };
  return (root.find('nodes')?.parts() ?? []).map((part): Node => {
    const role = part.find('controlPlane')?.flag() === true ? 'controlPlane' : 'worker';
    const index = counts[role]++;
    const group = root.find(role);
    return {
      part,
      role,
      machine: role === 'controlPlane' ? `cp-${index}` : `${pool}-${index}`,
      setting: (field) => [part.find(field), group?.find(field)].find((found) => found && !isZero(found.tree)),
    };
  });
}

/** What Go cannot tell from an absent value. */
const isZero = (tree: Tree): boolean =>
  tree.kind === 'map'
    ? tree.entries.size === 0
    : tree.kind === 'list'
      ? tree.items.length === 0
      : tree.value === false || tree.value === '' || tree.value === 0;

export const ofRole = (nodes: readonly Node[], role: Role): readonly Node[] =>
  nodes.filter((node) => node.role === role);

/** The value that all of them have, if it is one. */
export function shared<T>(values: readonly T[]): T | undefined {
  const [first, ...rest] = values;
  const same = JSON.stringify(first);
  return rest.every((value) => JSON.stringify(value) === same) ? first : undefined;
}
