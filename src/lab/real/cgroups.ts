import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

export const cgroupOf = (node: string): string => `ichor-real/${node}`;

/** Takes away the control groups of a node, or of all of them, in every hierarchy. */
export async function removeCgroups(node?: string): Promise<void> {
  const top = '/sys/fs/cgroup';
  const hierarchies = [top, ...(await foldersIn(top)).map((name) => join(top, name))];
  const below = node === undefined ? ['ichor-real'] : [cgroupOf(node), `${cgroupOf(node)}.supervisor`];
  for (const hierarchy of hierarchies) for (const path of below) await removeDeepestFirst(join(hierarchy, path));
}

async function removeDeepestFirst(folder: string): Promise<void> {
  for (const name of await foldersIn(folder)) await removeDeepestFirst(join(folder, name));
  await rmdir(folder).catch(() => undefined);
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
