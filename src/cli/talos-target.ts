import { access, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import type { NamedNode } from '../engine/talos-nodes.ts';
import { Problem } from '../model/problem.ts';
import type { TalosDoor } from './talos-door.ts';

export type TargetOptions = {
  readonly talosconfig?: string;
  readonly context?: string;
  readonly nodes?: readonly string[];
  readonly endpoints?: readonly string[];
};

/** Several values, with commas between or the option repeated. */
export const listOption = (flags: string, described: string): Option => new Option(flags, described).argParser(list);

const list = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
];

/** The options of every command that talks to nodes, named as talosctl names them. */
export const withTarget = (command: Command): Command =>
  command
    .option('-n, --nodes <list>', 'addresses of the nodes, dialled straight', list)
    .option('-e, --endpoints <list>', 'addresses to ask where no node is named (default: those of the context)', list)
    .addOption(
      new Option('--talosconfig <file>', 'who you are (default: TALOSCONFIG, ./talos/talosconfig, or ~/.talos/config)'),
    )
    .option('--context <name>', 'context of the talosconfig (default: its current one)');

/** Where a talosconfig is looked for when none is named. */
export async function talosconfigPath(named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const fromEnvironment = process.env['TALOSCONFIG'];
  if (fromEnvironment !== undefined && fromEnvironment !== '') return fromEnvironment;
  const usual = [join('talos', 'talosconfig'), join(homedir(), '.talos', 'config')];
  for (const path of usual) if (await exists(path)) return path;
  throw new Problem('no-talosconfig', 'There is no talosconfig here: ichor does not know who you are.', {
    remedy: `Name one with --talosconfig, or write one from your platform file:\n    ichor talos gen -f platform.yaml --out talos`,
  });
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

export async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Problem('unreadable-file', `The ${what} "${path}" cannot be read (${reason(cause)}).`, {
      cause,
      remedy: 'Check its name, its owner and its mode.',
    });
  }
}

const reason = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException).code === 'ENOENT'
    ? 'it does not exist'
    : String((cause as NodeJS.ErrnoException).code);

/** Text of a file that may not be there. */
export async function textIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return readText(path, 'file');
  }
}

/** The control planes of the talosconfig, or those that -e names. */
export async function endpointsOf(options: TargetOptions, { tools }: TalosDoor): Promise<readonly NamedNode[]> {
  const path = await talosconfigPath(options.talosconfig);
  const [{ endpointsOfContext }, { clock }, text] = await Promise.all([
    import('../engine/talos-access.ts'),
    tools.system(),
    readText(path, 'talosconfig'),
  ]);
  return endpointsOfContext({ text, file: path }, options, clock);
}

/**
 * The nodes a command is about: those that are named, else those of the context, else its endpoints; or the first of them,
 * where every node gives the same answer. What changes a node wants it named.
 */
export async function nodesOf(
  options: TargetOptions,
  { tools }: TalosDoor,
  which: 'all' | 'first' | 'named' = 'all',
): Promise<readonly NamedNode[]> {
  const path = await talosconfigPath(options.talosconfig);
  const [{ nodesOfContext }, { clock }, text] = await Promise.all([
    import('../engine/talos-access.ts'),
    tools.system(),
    readText(path, 'talosconfig'),
  ]);
  if (which === 'named' && (options.nodes ?? []).length === 0)
    throw new Problem('no-node', 'This changes nodes, and none is named.', {
      remedy: 'Name them: -n 10.10.0.11, or several with commas between.',
    });
  const nodes = nodesOfContext({ text, file: path }, options, clock);
  return which === 'first' && (options.nodes ?? []).length === 0 ? nodes.slice(0, 1) : nodes;
}
