import { readFile } from 'node:fs/promises';
import { Problem, Problems } from '../model/problem.ts';
import { quoted } from './command-line.ts';

/** Where a secret is, and where the platform file says so. */
export type Wanted = {
  readonly key: string;
  readonly path: string;
  readonly reference: Readonly<Partial<Record<'env' | 'file' | 'age' | 'keyring' | 'vault', string | undefined>>>;
};

/** Fetches what a platform file refers to, by its key; everything that cannot be had is said at once. */
export async function fetchReferences(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, string>> {
  const fetched = await Promise.all(
    wanted.map(async ({ key, path, reference }) => {
      const text = await fetchOne(reference);
      return typeof text === 'string'
        ? { key, text }
        : { problem: new Problem('secret-missing', text.message, { path, remedy: text.remedy }) };
    }),
  );
  const problems = fetched.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) throw new Problems(problems);
  return new Map(fetched.flatMap(({ key, text }) => (key === undefined || text === undefined ? [] : [[key, text]])));
}

type Missing = { readonly message: string; readonly remedy: string };

async function fetchOne({ env, file, ...others }: Wanted['reference']): Promise<string | Missing> {
  if (env !== undefined) {
    const text = process.env[env];
    if (text !== undefined && text !== '') return text;
    return {
      message: `The environment variable ${env} is not set.`,
      remedy: `Set it before you run ichor, without writing it into your shell’s history:\n    read -rs ${env} && export ${env}`,
    };
  }
  if (file !== undefined) return fromFile(file);
  const [kind = 'this kind'] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return {
    message: `ichor does not fetch secrets from ${kind} yet.`,
    remedy: 'Use { env: NAME } or { file: PATH } for it.',
  };
}

/** The last line break is the editor’s. */
async function fromFile(file: string): Promise<string | Missing> {
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return {
      message: `"${file}" ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`,
      remedy:
        code === 'ENOENT'
          ? 'Put it there, or name another file; paths are taken from the folder that ichor runs in.'
          : `Check its owner and mode:\n    ls -l ${quoted(file)}`,
    };
  }
}
