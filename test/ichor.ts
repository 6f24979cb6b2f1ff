import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** The built command line; `make test` builds it first. */
export const entry = fileURLToPath(new URL('../dist/ichor.js', import.meta.url));

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

export type RunOptions = {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
};

/** Runs ichor as a user would, without a terminal. */
export const ichor = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  run(process.execPath, [entry, ...args], options);

export function run(command: string, args: readonly string[], { cwd, input, env = {} }: RunOptions = {}): Promise<Ran> {
  const { promise, resolve, reject } = promiseOf<Ran>();
  const child = spawn(command, args, {
    cwd: cwd ?? repository,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.on('error', reject);
  child.on('close', (code) =>
    resolve({ code, out: Buffer.concat(out).toString('utf8'), err: Buffer.concat(err).toString('utf8') }),
  );
  // A child that does not read its input closes the pipe; that is its right.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  return promise;
}

function promiseOf<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
