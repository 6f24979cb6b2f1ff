import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Problem } from '../../model/problem.ts';

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Undefined: it is not there. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw new Problem('unreadable-file', `"${path}" cannot be read (${codeOf(cause) ?? String(cause)}).`, {
      cause,
      remedy: `Check its owner and mode:\n    ls -l '${path}'`,
    });
  }
}

/** Whole or not at all: written beside, flushed, put in its place, and its place flushed. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await orProblem(path, async () => {
    const beside = await written(path, text);
    try {
      await rename(beside, path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
    await flushFolder(dirname(path));
  });
}

/** Whole, and only where nothing is; whether it was this call that wrote it. */
export async function writeNew(path: string, text: string): Promise<boolean> {
  return orProblem(path, async () => {
    const beside = await written(path, text);
    try {
      await link(beside, path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(beside, { force: true });
    }
    await flushFolder(dirname(path));
    return true;
  });
}

export async function remove(path: string): Promise<void> {
  await orProblem(path, async () => {
    try {
      await rm(path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw error;
    }
    await flushFolder(dirname(path));
  });
}

/** Everything that lies here is for its owner alone. */
export const makeFolder = (path: string): Promise<void> =>
  orProblem(path, async () => {
    await mkdir(path, { recursive: true, mode: 0o700 });
  });

/** So that `git add -A` takes nothing of it. A file that is there is somebody’s decision, and stays. */
export async function keepOutOfGit(path: string): Promise<void> {
  await makeFolder(path);
  const ignore = join(path, '.gitignore');
  if ((await textOf(ignore)) === undefined) await writeNew(ignore, '*\n');
}

/** None where there is no folder. */
export const namesIn = (path: string): Promise<readonly string[]> => readdir(path).catch(() => []);

/** After a crash a name is there for sure only when its folder was flushed. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const left = /^\.(?!lock\b).+\.[0-9a-f]{16}\.ichor-tmp$/;

/** What writers that were killed left behind. Only for whoever holds the lock: nobody else writes then, but those who want it. */
export async function tidy(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  await Promise.all(
    names.filter((name) => left.test(basename(name))).map((name) => rm(join(folder, name), { force: true })),
  );
}

async function written(path: string, text: string): Promise<string> {
  await makeFolder(dirname(path));
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.ichor-tmp`);
  const file = await open(beside, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return beside;
}

export async function orProblem<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    const code = codeOf(cause);
    const why = code === 'ENOSPC' ? 'the disk is full' : (code ?? String(cause));
    throw new Problem('unwritable-file', `"${path}" cannot be written (${why}).`, {
      cause,
      remedy:
        code === 'ENOSPC'
          ? `Make room, and run it again:\n    df -h '${dirname(path)}'`
          : `Check that the folder is yours:\n    ls -ld '${dirname(path)}'`,
    });
  }
}
