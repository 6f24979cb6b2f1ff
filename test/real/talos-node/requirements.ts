import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const packages: Readonly<Record<string, string>> = { ip: 'iproute2', nsenter: 'util-linux', busybox: 'busybox-static' };

/** Says what is missing, and how to get it, before anything is begun. */
export async function requireNodeTools(): Promise<void> {
  if (process.platform !== 'linux') throw new Error('Real Talos nodes need Linux: namespaces, a bridge and cgroups.');
  if (process.getuid?.() !== 0)
    throw new Error('Real Talos nodes need root (namespaces, mounts, a bridge):\n    sudo make test-real');
  const found = await Promise.all(
    Object.entries(packages).map(async ([tool, name]) => ({ name, path: await whereIs(tool) })),
  );
  const missing = found.filter(({ path }) => path === undefined).map(({ name }) => name);
  if (missing.length > 0) throw new Error(install(missing));
  await busyboxProgram();
}

/** busybox as one file without libraries: it goes into images that have none. */
export async function busyboxProgram(): Promise<string> {
  const path = await whereIs('busybox');
  if (path === undefined || (await wantsLibraries(path))) throw new Error(install(['busybox-static']));
  return path;
}

const install = (missing: readonly string[]): string =>
  `Real Talos nodes need programs that are not here:\n    apt-get install -y --no-install-recommends ${missing.join(' ')}`;

async function whereIs(tool: string): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin', '/usr/bin', '/bin'];
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

/** A program for the dynamic loader names the loader in its first page. */
async function wantsLibraries(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
  return buffer.subarray(0, bytesRead).includes('/ld-linux');
}
