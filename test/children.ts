import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from './cli.ts';

/** A script of test/ as one file that Node runs by itself. */
export async function bundled(name: string, into: string): Promise<string> {
  const outfile = join(into, `${basename(name)}.mjs`);
  await build({
    entryPoints: [join(root, 'test', `${name}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'silent',
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  return outfile;
}

export type Ended = {
  readonly signal: NodeJS.Signals | null;
  readonly lines: readonly string[];
  readonly stderr: string;
};

export const ended = (script: string, words: readonly string[], env = process.env): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    child.on('error', reject).on('close', (code, signal) => {
      if (code !== null && code !== 0) reject(new Error(`${script} ${words.join(' ')}: ${said.err}`));
      else resolve({ signal, lines: said.out.split('\n').filter((line) => line !== ''), stderr: said.err });
    });
  });
