import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realCache } from '../../src/lab/real/cache.ts';
import { lockFile } from '../../src/lab/real/lock-file.ts';

const requirements = fileURLToPath(new URL('python/requirements.txt', import.meta.url));

type Ran = { readonly code: number | null; readonly output: string };

const run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(command, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });

/** A Python with the pinned packages of requirements.txt, kept as long as those stay the same. */
async function interpreter(): Promise<string> {
  const stamp = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = realCache(`python-${stamp}`);
  const program = join(home, 'bin', 'python');
  if (existsSync(program)) return program;
  await mkdir(dirname(home), { recursive: true });
  await using _lock = await lockFile(`${home}.lock`, () => undefined);
  if (existsSync(program)) return program;
  const beside = `${home}.${process.pid}.tmp`;
  try {
    const made = await run('python3', ['-m', 'venv', '--without-pip', beside]);
    if (made.code !== 0)
      throw new Error(
        `The real tier runs Python programs, and no environment for them could be made. Install the Debian package python3-venv.\n${made.output}`,
      );
    const filled = await run('python3', [
      '-m',
      'pip',
      '--python',
      join(beside, 'bin', 'python'),
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--require-hashes',
      '--no-deps',
      '-r',
      requirements,
    ]);
    if (filled.code !== 0)
      throw new Error(
        `The Python packages of ${requirements} could not be installed. They need pip (Debian: python3-pip) and a package index.\n${filled.output}`,
      );
    await rename(beside, home);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
  return program;
}

/** Runs a program of test/real/python; what it prints is JSON. */
export async function python(program: string, environment: Readonly<Record<string, string>>): Promise<unknown> {
  const file = fileURLToPath(new URL(`python/${program}`, import.meta.url));
  const { code, output } = await run(await interpreter(), [file], { PATH: process.env['PATH'], ...environment });
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${output}`);
  return JSON.parse(output) as unknown;
}
