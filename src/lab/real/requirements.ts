import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { env, getuid, platform } from 'node:process';

const packages: Readonly<Record<string, string>> = { ip: 'iproute2', nsenter: 'util-linux' };

/** Why no real node can run here, and what to type. */
export type Lack = { readonly message: string; readonly remedy: string };

/** Said before anything is begun; undefined: nodes can run. */
export async function lackForNodes(command: string): Promise<Lack | undefined> {
  if (platform !== 'linux')
    return {
      message: 'Real Talos nodes need Linux: namespaces, a bridge and control groups.',
      remedy: 'Use a Linux machine, or twins:\n    ichor lab start',
    };
  if (getuid?.() !== 0)
    return {
      message: 'Real Talos nodes need root: namespaces, mounts, a bridge.',
      remedy: `Start it as root:\n    sudo ${command}`,
    };
  const found = await Promise.all(
    Object.entries(packages).map(async ([tool, name]) => ({ name, path: await whereIs(tool) })),
  );
  const missing = found.filter(({ path }) => path === undefined).map(({ name }) => name);
  return missing.length === 0 ? undefined : lackOf(missing);
}

export const lackOf = (missing: readonly string[]): Lack => ({
  message: 'Real Talos nodes need programs that are not here.',
  remedy: `Install them:\n    apt-get install -y --no-install-recommends ${missing.join(' ')}`,
});

export async function whereIs(tool: string): Promise<string | undefined> {
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin', '/usr/bin', '/bin'];
  for (const folder of folders) {
    const path = join(folder, tool);
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return path;
  }
  return undefined;
}
