import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ichorBeside, root, type Ran } from '../cli.ts';
import { hiddenIn, leaks } from '../leaks.ts';
import { peerProgram } from './peers.ts';

const run = promisify(execFile);

type NodeItem = {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
};

/** A folder in which somebody builds a platform, with the built command line and the programs of others. */
export type Story = AsyncDisposable & {
  readonly folder: string;
  readonly write: (name: string, text: string) => void;
  readonly ichor: (...args: readonly string[]) => Promise<Ran>;
  /** Must end well. */
  readonly must: (...args: readonly string[]) => Promise<string>;
  /** Killed, without a word, when a step of this kind has begun. */
  readonly killedAt: (step: string, ...args: readonly string[]) => Promise<void>;
  /** The real ones, with the files in ./talos and nothing else. */
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  readonly talosctl: (...args: readonly string[]) => Promise<string>;
  /** Names of the nodes that are Ready. */
  readonly ready: () => Promise<readonly string[]>;
  readonly nodes: () => Promise<readonly NodeItem[]>;
  readonly until: <T>(look: () => Promise<T>, good: (seen: T) => boolean) => Promise<T>;
};

const patienceMs = 240_000;

export async function startStory(environment: Readonly<Record<string, string>> = {}): Promise<Story> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-up-'));
  const env = { HOME: folder, ...environment };
  const quiet = async (ran: Ran): Promise<Ran> => {
    const secrets = await readFile(join(folder, 'talos', 'secrets.yaml'), 'utf8').catch(() => undefined);
    if (secrets !== undefined) expect(leaks(ran.stdout + ran.stderr, hiddenIn(secrets))).toEqual([]);
    return ran;
  };
  const ichor = async (...args: readonly string[]): Promise<Ran> =>
    quiet(await ichorBeside(args, { cwd: folder, env }));
  const theirs = async (program: 'kubectl' | 'talosctl', args: readonly string[]): Promise<string> => {
    const found = {
      KUBECONFIG: join(folder, 'talos', 'kubeconfig'),
      TALOSCONFIG: join(folder, 'talos', 'talosconfig'),
    };
    const { stdout } = await run(await peerProgram(program), args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, ...found },
      maxBuffer: 1 << 26,
    });
    return stdout;
  };
  const kubectl = (...args: readonly string[]): Promise<string> =>
    theirs('kubectl', ['--request-timeout=20s', ...args]);
  const nodes = async (): Promise<readonly NodeItem[]> =>
    (JSON.parse(await kubectl('get', 'nodes', '-o', 'json')) as { readonly items: readonly NodeItem[] }).items;
  return {
    folder,
    write: (name, text) => writeFileSync(join(folder, name), text, { mode: 0o600 }),
    ichor,
    must: async (...args) => {
      const { status, stdout, stderr } = await ichor(...args);
      expect({ args, status }, `${stdout}\n${stderr}`).toEqual({ args, status: 0 });
      return stdout;
    },
    killedAt: (step, ...args) => killedAt(step, args, folder, env),
    kubectl,
    talosctl: (...args) => theirs('talosctl', args),
    nodes,
    ready: async () => (await nodes()).filter(isReady).map(({ metadata }) => metadata.name),
    until: async (look, good) => {
      const end = Date.now() + patienceMs;
      for (;;) {
        const seen = await look().catch((error: unknown) => error as Error);
        if (!(seen instanceof Error) && good(seen)) return seen;
        if (Date.now() > end) throw seen instanceof Error ? seen : new Error(`Not in time: ${JSON.stringify(seen)}`);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const isReady = ({ status }: NodeItem): boolean =>
  status.conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True');

function killedAt(
  step: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`${root}dist/ichor.js`, ...args, '--output', 'jsonl'], {
      cwd,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let met = false;
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      met ||= said.split('\n').some((line) => line.includes('step-began') && line.includes(`"${step}`));
      if (met) child.kill('SIGKILL');
    });
    child.on('error', reject).on('close', () => (met ? resolve() : reject(new Error(`No ${step} began:\n${said}`))));
  });
}
