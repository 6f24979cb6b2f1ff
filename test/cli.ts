import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

type Options = { readonly input?: string | Uint8Array; readonly env?: Record<string, string>; readonly cwd?: string };

/** The built command line, as a user runs it. */
export function ichor(args: readonly string[], { input, env, cwd = root }: Options = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [`${root}dist/ichor.js`, ...args], {
    cwd,
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    maxBuffer: 1 << 26,
  });
  if (error) throw error;
  return { status, stdout, stderr };
}
