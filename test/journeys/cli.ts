import { spawn } from 'node:child_process';
import { join } from 'node:path';

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
export type RunOptions = {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
};

const entry = join(import.meta.dirname, '../../dist/ichor.js');

/** The built command line, as a person runs it in a pipe. */
export function ichor(args: readonly string[], { cwd, input = '', env = {} }: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, ...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ICHOR_FILE: '', ...env },
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
