import { spawn } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { peerProgram } from './peers.ts';

export type RealHelm = AsyncDisposable & {
  /** For whoever looks for helm there. */
  readonly path: string;
  /** What it prints; refused with what it complains about. */
  readonly run: (words: readonly string[], kubeconfig?: string) => Promise<string>;
};

/** Real helm, with folders of its own. */
export async function realHelm(): Promise<RealHelm> {
  const program = await peerProgram('helm');
  const folder = await mkdtemp(join(tmpdir(), 'ichor-helm-'));
  await symlink(program, join(folder, 'helm'));
  const run = (words: readonly string[], kubeconfig?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(program, words, {
        env: {
          PATH: dirname(process.execPath),
          HOME: folder,
          ...(kubeconfig === undefined ? {} : { KUBECONFIG: kubeconfig }),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [out, complaints] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
      child.on('error', reject);
      child.on('close', (code) =>
        code === 0 ? resolve(out) : reject(new Error(`helm ${words.join(' ')}: ${complaints}`)),
      );
    });
  return { path: folder, run, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
