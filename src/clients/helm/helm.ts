import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../model/problem.ts';
import type { Helm } from '../helm.ts';
import { kubeconfigOf } from './kubeconfig.ts';

/** The helm on the PATH; undefined where there is none. */
export async function findHelm(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  command = 'helm',
): Promise<Helm | undefined> {
  const { code, output } = await run(command, ['version', '--short'], env, signal);
  const version = /v\d+\.\d+[^\s+]*/.exec(output)?.[0];
  if (code !== 0 || version === undefined) return undefined;
  return {
    version,
    run: async ({ words, values }, target, stop) => {
      // Keys and values may be secret: files for us alone, gone with the command.
      const folder = await mkdtemp(join(tmpdir(), 'ichor-helm-'));
      try {
        const [kubeconfig, file] = [join(folder, 'kubeconfig'), join(folder, 'values.yaml')];
        await Promise.all([
          writeFile(kubeconfig, kubeconfigOf(target), { mode: 0o600 }),
          writeFile(file, values, { mode: 0o600 }),
        ]);
        const ran = await run(command, words(file), { ...withoutHelm(env), KUBECONFIG: kubeconfig }, stop);
        stop.throwIfAborted();
        if (ran.code !== 0) throw failed(words('VALUES'), ran.output);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Settings of helm that would send it to another cluster or another namespace. */
const withoutHelm = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^HELM_(KUBE|NAMESPACE|DRIVER|MAX_HISTORY)/.test(name)));

const failed = (words: readonly string[], output: string): Problem =>
  new Problem('helm-failed', `helm ${words.join(' ')} failed:\n${indented(output)}`, {
    recovery: 'retry',
    remedy: 'Solve what helm says, and run this again.',
  });

const indented = (output: string): string =>
  output
    .trim()
    .split('\n')
    .slice(-20)
    .map((line) => `  ${line}`)
    .join('\n');

type Ran = { readonly code: number | null; readonly output: string };

/** A command that is told to end in an orderly way: helm then notes down how far it came. */
function run(command: string, words: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const end = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', end, { once: true });
    let output = '';
    const hear = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-100_000);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => {
      signal.removeEventListener('abort', end);
      resolve({ code, output });
    });
  });
}
