import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Problem, Problems } from '../model/problem.ts';
import { quoted } from './command-line.ts';
import { writeWhole } from './files.ts';
import { findLab, findLabs } from './lab-folder.ts';
import { countOption } from './options.ts';
import type { Terminal } from './terminal.ts';

type Options = { readonly keep: boolean; readonly speed: number };

export function demo(program: Command, { terminal }: { readonly terminal: () => Terminal }): void {
  program
    .command('demo')
    .description('a platform of six machines in a lab on this machine: up, looked at, up again, and taken away')
    .option('--keep', 'leave everything up, and say how to end it', false)
    .addOption(countOption('--speed <times>', 'how many times faster than the wall clock').default(20))
    .addHelpText(
      'after',
      `
Examples:
  ichor demo
  ichor demo --keep

Nothing outside of this machine is touched, and nothing stays. On a terminal it waits for a key before it takes everything
away; with --keep it does not. While it runs, another terminal can look on or disturb it:
  ichor lab status
  ichor lab fault host pve2 frozen`,
    )
    .action(async (options: Options) => {
      process.exitCode = await run(options, terminal());
    });
}

/** Somebody said stop, or a command failed: the rest is not shown. */
class Ended extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`ended with ${code}`);
    this.code = code;
  }
}

async function run({ keep, speed }: Options, terminal: Terminal): Promise<number> {
  const folder = await ownFolder();
  const name = await freeName();
  const stage = openStage(folder, terminal);
  let isKept = false;
  try {
    await play(stage, { name, folder, speed, terminal });
    if (keep) isKept = true;
    else await pauseForPeople(stage, terminal);
    if (isKept) terminal.out(keptText(name, folder, terminal));
    else await stage.typed('destroy', '--yes');
    return 0;
  } catch (error) {
    if (error instanceof Ended) return error.code;
    throw error;
  } finally {
    if (!isKept) {
      await stage.quietly('lab', 'stop', '--name', name);
      await rm(folder, { recursive: true, force: true });
      terminal.out(`${terminal.paint('dim', 'The lab is gone, and so is its folder.')}\n`);
    }
    stage[Symbol.dispose]();
  }
}

async function ownFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'ichor-demo-'));
  } catch (cause) {
    throw new Problem(
      'unwritable-file',
      `No folder can be made in "${tmpdir()}" (${(cause as NodeJS.ErrnoException).code}).`,
      { cause, remedy: 'Say which folder is for such things:\n    export TMPDIR=/tmp' },
    );
  }
}

type Scene = {
  readonly name: string;
  readonly folder: string;
  readonly speed: number;
  readonly terminal: Terminal;
};

/** From nothing to a cluster that is looked at, and that needs nothing more. */
async function play(stage: Stage, { name, folder, speed, terminal }: Scene): Promise<void> {
  const title = (text: string): void => terminal.out(`\n${terminal.paint('bold', text)}\n\n`);
  const file = join(folder, 'platform.yaml');
  terminal.out(`A Proxmox VE cluster of three hosts that is not there, ${speed} times as fast as the wall clock.\n`);
  const started = await stage.captured(
    'lab',
    'start',
    '--detach',
    '--name',
    name,
    '--speed',
    String(speed),
    '-o',
    'json',
  );
  const { platform } = JSON.parse(started) as { readonly platform: string };
  await writeWhole(file, await readFile(platform, 'utf8'));
  terminal.out(`Its platform in one file: ${file}\n`);

  title('Does it fit, and what if a host dies?');
  await stage.typed('place');
  title('One command up');
  await stage.typed('up', '--yes');
  title('What is there now');
  await stage.typed('status');
  title('The same command again');
  await stage.typed('up', '--yes');
  title('Look at it yourself');
  terminal.out(lookText(folder, terminal));
}

/** Its secrets are in its folder, and ichor looks for them where it is started. */
const there = (folder: string, command: string): string => `(cd ${quoted(folder)} && ${command})`;

const lookText = (folder: string, { paint }: Terminal): string =>
  [
    `kubectl --kubeconfig ${quoted(join(folder, 'talos/kubeconfig'))} get nodes -o wide`,
    `talosctl --talosconfig ${quoted(join(folder, 'talos/talosconfig'))} health`,
    there(folder, 'ichor verify'),
    'ichor lab status',
  ]
    .map((line) => `  ${paint('cyan', line)}\n`)
    .join('');

const keptText = (name: string, folder: string, { paint }: Terminal): string =>
  [
    '\nEverything stays up. End it with:\n',
    ...[there(folder, 'ichor destroy --yes'), `ichor lab stop --name ${name}`, `rm -r ${quoted(folder)}`].map(
      (line) => `  ${paint('cyan', line)}\n`,
    ),
  ].join('');

/** The first name that no lab has: other people’s stay as they are. */
async function freeName(): Promise<string> {
  await findLabs();
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'demo' : `demo-${number}`;
    if ((await findLab(name)) === undefined) return name;
  }
}

type Stage = Disposable & {
  /** Shows a command as it is typed, and what it says. */
  typed(...words: readonly string[]): Promise<void>;
  /** What it printed. */
  captured(...words: readonly string[]): Promise<string>;
  /** Whatever comes of it. */
  quietly(...words: readonly string[]): Promise<void>;
  readonly stopped: AbortSignal;
};

/** Runs ichor itself, one command after the other, until somebody says stop. */
function openStage(cwd: string, terminal: Terminal): Stage {
  const env = ownEnvironment(terminal);
  const stop = new AbortController();
  let running: ReturnType<typeof spawn> | undefined;
  const hear = (signal: NodeJS.Signals): void => {
    stop.abort();
    // On a terminal Ctrl-C reaches whoever runs there by itself.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) running?.kill(signal);
  };
  process.on('SIGINT', hear).on('SIGTERM', hear);
  const ran = (words: readonly string[], stdio: 'inherit' | 'ignore' | ['ignore', 'pipe', 'inherit']) =>
    new Promise<{ readonly code: number; readonly printed: string }>((resolve, reject) => {
      let printed = '';
      const child = spawn(process.execPath, [process.argv[1] ?? '', ...words], { cwd, stdio, env });
      running = child;
      child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code: code ?? 1, printed }));
    });
  const mustGoOn = (code: number): void => {
    if (stop.signal.aborted) throw new Ended(130);
    if (code !== 0) throw new Ended(code);
  };
  return {
    stopped: stop.signal,
    typed: async (...words) => {
      mustGoOn(0);
      terminal.out(`${terminal.paint('dim', '$')} ${terminal.paint('bold', `ichor ${words.join(' ')}`)}\n`);
      mustGoOn((await ran(words, 'inherit')).code);
    },
    captured: async (...words) => {
      const { code, printed } = await ran(words, ['ignore', 'pipe', 'inherit']);
      const problems = code === 0 || stop.signal.aborted ? [] : problemsIn(printed);
      if (problems.length > 0) throw new Problems(problems);
      mustGoOn(code);
      return printed;
    },
    quietly: async (...words) => void (await ran(words, 'ignore')),
    [Symbol.dispose]: () => void process.off('SIGINT', hear).off('SIGTERM', hear),
  };
}

/** Variables of the person who watches are about platforms of theirs: none of those may be meant here. */
function ownEnvironment({ paint }: Terminal): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('ICHOR_'));
  return { ...Object.fromEntries(others), ...(paint('bold', 'x') === 'x' ? { NO_COLOR: '1' } : {}) };
}

/** What a command that prints JSON says about why it failed. */
function problemsIn(printed: string): readonly Problem[] {
  try {
    const { problems } = JSON.parse(printed) as { readonly problems: readonly Problem[] };
    return problems.map(({ code, message, remedy }) => new Problem(code, message, { remedy }));
  } catch {
    return [];
  }
}

/** A person decides when it ends; without a person it goes on at once. */
async function pauseForPeople({ stopped }: Stage, terminal: Terminal): Promise<void> {
  const { stdin } = process;
  if (!terminal.interactive) return;
  terminal.out(`\n${terminal.paint('bold', 'Press a key to take it all away.')} `);
  stdin.setRawMode(true);
  stdin.resume();
  try {
    const key = await new Promise<Buffer>((resolve) => {
      stdin.once('data', resolve);
      stopped.addEventListener('abort', () => resolve(Buffer.alloc(0)), { once: true });
    });
    // In raw mode Ctrl-C is a key like any other.
    if (stopped.aborted || key[0] === 3) throw new Ended(130);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    terminal.out('\n\n');
  }
}
