import type { Command } from 'commander';
import type { TalosNode } from '../clients/talos.ts';
import type { NamedNode } from '../engine/talos-nodes.ts';
import { Problem } from '../model/problem.ts';
import { withOutput } from './options.ts';
import { answersJson, failedNodes, untilInterrupted, type TalosDoor } from './talos-door.ts';
import { nodesOf, withTarget, type TargetOptions } from './talos-target.ts';
import type { Column } from './views/table.ts';

/** A command that asks nodes one question and shows the answers as a table. */
export type Question<T> = {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly string[];
  /** Whom to ask where no node is named; every node unless said otherwise. */
  readonly whom?: 'first';
  /** Whether nodes in maintenance mode answer it, too. */
  readonly insecure?: true;
  readonly ask: (node: TalosNode, signal: AbortSignal) => Promise<T>;
  readonly columns: readonly Column[];
  readonly rows: (answer: T) => readonly (readonly string[])[];
  /** An object; the node’s name is added to it. */
  readonly json: (answer: T) => object;
};

type Options = TargetOptions & { readonly output: 'text' | 'json'; readonly insecure?: boolean };

export function question<T>(parent: Command, door: TalosDoor, asked: Question<T>): void {
  const command = parent.command(asked.name).description(asked.description);
  if (asked.insecure === true)
    command.option('--insecure', 'the nodes that -n names are in maintenance mode, and need no talosconfig', false);
  withOutput(withTarget(command), ['text', 'json'], 'text or json')
    .addHelpText('after', `\nExamples:\n${asked.examples.map((example) => `  ${example}\n`).join('')}`)
    .action(async (options: Options) => {
      process.exitCode = await untilInterrupted((signal) => run(asked, options, door, signal));
    });
}

/** Nobody but the command line says where they are. */
async function unconfigured({ nodes = [] }: Options): Promise<readonly NamedNode[]> {
  if (nodes.length === 0)
    throw new Problem('no-node', 'Nodes in maintenance mode are in no talosconfig, and none is named.', {
      remedy: 'Name them: -n 10.10.0.11, or several with commas between.',
    });
  return (await import('../engine/talos-access.ts')).unconfiguredNodes(nodes, undefined);
}

async function run<T>(asked: Question<T>, options: Options, door: TalosDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const [{ askNodes }, { open }, nodes] = await Promise.all([
    import('../engine/talos-nodes.ts'),
    door.tools.client(),
    options.insecure === true ? unconfigured(options) : nodesOf(options, door, asked.whom ?? 'all'),
  ]);
  const answers = await askNodes(nodes, open, asked.ask, signal);
  if (options.output === 'json') {
    terminal.out(answersJson(answers, asked.json));
    return answers.every(({ problem }) => problem === undefined) ? 0 : 1;
  }
  const { table } = await import('./views/table.ts');
  const rows = answers.flatMap(({ node, answer, problem }) =>
    problem === undefined ? asked.rows(answer).map((row) => [node, ...row]) : [],
  );
  if (rows.length > 0)
    terminal.out(
      `${table([{ title: 'node' }, ...asked.columns], rows, (text) => terminal.paint('dim', text)).join('\n')}\n`,
    );
  else if (answers.some(({ problem }) => problem === undefined)) terminal.out('none\n');
  return failedNodes(answers, terminal);
}
