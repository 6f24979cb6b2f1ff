import { spawn, spawnSync } from 'node:child_process';
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

/** The same without standing still: whoever it talks to may live in this process. */
export function ichorBeside(args: readonly string[], { input, env, cwd = root }: Options = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`${root}dist/ichor.js`, ...args], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    child.on('error', reject).on('close', (status) => resolve({ status, ...said }));
    child.stdin.end(input);
  });
}
