import { access, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Problem } from '../model/problem.ts';

export type FileSource = { readonly name: string; readonly content: Uint8Array };

const readable = /\.(ya?ml|json)$/;

/** Files, folders (their YAML and JSON files in the order of their names) and - for standard input. */
export async function readSources(paths: readonly string[]): Promise<readonly FileSource[]> {
  const read = await Promise.all(paths.map(readSource));
  return read.flat();
}

async function readSource(path: string): Promise<readonly FileSource[]> {
  if (path === '-') return [{ name: '-', content: await readStdin() }];
  const found = await orProblem(path, () => stat(path));
  if (!found.isDirectory()) return [{ name: path, content: await orProblem(path, () => readFile(path)) }];
  const names = (await orProblem(path, () => readdir(path))).filter((name) => readable.test(name)).toSorted();
  if (names.length === 0) {
    throw new Problem('empty-folder', `There is no .yaml, .yml or .json file in "${path}".`, {
      remedy: 'Name a file, or another folder.',
    });
  }
  return Promise.all(
    names.map(async (name) => ({
      name: join(path, name),
      content: await orProblem(join(path, name), () => readFile(join(path, name))),
    })),
  );
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

async function orProblem<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const why =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'EACCES'
          ? 'may not be read by you'
          : `cannot be read (${code ?? String(cause)})`;
    throw new Problem('unreadable-file', `"${path}" ${why}.`, {
      cause,
      remedy:
        code === 'ENOENT' ? 'Check the name; ichor init writes a file to begin with.' : 'Check its owner and mode.',
    });
  }
}

/** What somebody wrote is not written over by accident. */
export async function mustNotExist(path: string, flag: string): Promise<void> {
  try {
    await access(path);
  } catch {
    return;
  }
  throw new Problem('file-exists', `"${path}" is already there.`, {
    remedy: `Choose another name with ${flag}, or write over it with --force.`,
  });
}

/** For secrets: its owner’s alone, and Git takes nothing of it. One that is there is as somebody wants it. */
export async function makeSecretFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await writeWhole(join(path, '.gitignore'), '*\n', 0o600);
}

/** The folder that a file is to lie in; one that is made is its owner’s alone. */
export async function makeFolderOf(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Problem(
      'unwritable-file',
      `The folder "${folder}" cannot be made (${(cause as NodeJS.ErrnoException).code ?? String(cause)}).`,
      { cause, remedy: 'Name a file in a folder that is yours.' },
    );
  }
}

/** Whole or not at all: written beside, flushed, and put in its place. */
export async function writeWhole(path: string, text: string, mode = 0o644): Promise<void> {
  await writeStream(path, [Buffer.from(text)], mode);
}

/** Whole, and only where nothing is: what somebody else wrote meanwhile stays. */
export async function writeNew(path: string, text: string, mode: number): Promise<void> {
  const whole = `${path}.${process.pid}.new`;
  await writeWhole(whole, text, mode);
  try {
    await link(whole, path);
  } catch (cause) {
    throw new Problem('file-exists', `"${path}" was written by somebody else meanwhile.`, {
      cause,
      remedy: 'Run it again: what is there is used.',
    });
  } finally {
    await rm(whole, { force: true });
  }
}

/** The same for what arrives in pieces; how many bytes it was. */
export async function writeStream(
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  mode = 0o644,
): Promise<number> {
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  let written = 0;
  try {
    const file = await open(beside, 'wx', mode);
    try {
      for await (const piece of pieces) {
        await file.writeFile(piece);
        written += piece.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
    return written;
  } catch (cause) {
    await rm(beside, { force: true });
    if (cause instanceof Problem) throw cause;
    throw new Problem(
      'unwritable-file',
      `"${path}" cannot be written (${(cause as NodeJS.ErrnoException).code ?? String(cause)}).`,
      { cause, remedy: 'Check that the folder exists and is yours.' },
    );
  }
}
