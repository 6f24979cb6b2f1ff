import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** Runs a program to its end and gives what it printed; what it complained about is in the error. */
export async function sh(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await exec(program, args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** The same for what may fail because there is nothing to do. */
export const tryTo = (program: string, ...args: readonly string[]): Promise<string | undefined> =>
  sh(program, ...args).catch(() => undefined);
