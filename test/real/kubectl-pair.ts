import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTwinTarget } from '../conformance/kubernetes/twin.ts';
import { startKube, kubeconfigText } from './kube.ts';
import { masked } from './kubectl-mask.ts';
import { peerProgram } from './peers.ts';
import { runToEnd, type Ran } from './processes.ts';

export type Said = { readonly code: number | null; readonly out: string; readonly err: string };

export type Run = {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that does not end by itself is ended after so long. */
  readonly forMs?: number;
};

/** The real kubectl on two servers, the real one and the twin, each in a folder with the same files. */
export type Pair = AsyncDisposable & {
  readonly files: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** What the same command says here and there, without what differs from run to run. */
  readonly both: (command: string, run?: Run) => Promise<{ readonly real: Said; readonly twin: Said }>;
};

export async function startPair(): Promise<Pair> {
  const kubectl = await peerProgram('kubectl');
  const undo: (() => unknown)[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'ichor-kubectl-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const real = await startKube({ controllers: true, scheduler: true });
  undo.push(() => real[Symbol.asyncDispose]());
  const twin = await startTwinTarget();
  undo.push(() => twin[Symbol.asyncDispose]());
  const sides = [
    { name: 'real', url: real.url, text: kubeconfigText(real.url, real.certificate, real.token) },
    { name: 'twin', url: twin.url, text: kubeconfigText(twin.url, twin.ca, twin.token) },
  ];
  for (const { name, text } of sides) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'kubeconfig'), text, { mode: 0o600 });
  }
  const on = async (side: (typeof sides)[number], command: string, run: Run): Promise<Said> => {
    const home = join(folder, side.name);
    const env = { KUBECONFIG: join(home, 'kubeconfig'), ...run.env };
    const ran: Ran = await runToEnd(kubectl, words(command), { home, ...run, env });
    const mask = (text: string): string => masked(text.replaceAll(side.url, 'https://SERVER').replaceAll(home, 'HOME'));
    return { code: ran.code, out: mask(ran.stdout), err: mask(ran.stderr) };
  };
  return {
    files: async (files) => {
      for (const { name } of sides)
        for (const [file, text] of Object.entries(files))
          await writeFile(join(folder, name, file), text, { mode: 0o755 });
    },
    both: async (command, run = {}) => {
      const [one, other] = await Promise.all(sides.map((side) => on(side, command, run)));
      if (one === undefined || other === undefined) throw new Error('Two servers were asked.');
      return { real: one, twin: other };
    },
    [Symbol.asyncDispose]: async () => {
      for (const step of undo.toReversed()) await step();
    },
  };
}

/** Words of a command line; those in quotes are one. */
const words = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
