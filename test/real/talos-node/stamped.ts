import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realCache } from '../../../src/lab/real/cache.ts';
import { lockFile } from '../../../src/lab/real/lock-file.ts';

/** A folder that is made once for what it is made of: programs by their stamped names, and the file that says how. */
export async function stampedFolder(
  name: string,
  programs: readonly string[],
  recipe: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const how = await readFile(fileURLToPath(recipe), 'utf8');
  const parts = JSON.stringify([...programs.map((program) => basename(program)), how]);
  const stamp = createHash('sha256').update(parts).digest('hex').slice(0, 12);
  const folder = realCache(`talos-${name}-${stamp}`);
  if (await exists(folder)) return folder;
  await mkdir(realCache('.'), { recursive: true });
  await using _lock = await lockFile(
    `${folder}.lock`,
    (owner) => void process.stderr.write(`${name}: waiting for process ${owner} …\n`),
  );
  if (await exists(folder)) return folder;
  const beside = `${folder}.tmp`;
  await rm(beside, { recursive: true, force: true });
  await make(beside);
  await rename(beside, folder);
  return folder;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
