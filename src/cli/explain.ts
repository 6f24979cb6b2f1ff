import type { Command } from 'commander';
import { readInput, withInput, withOutput, type InputOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

type Options = InputOptions & { readonly output: 'text' | 'json' };

export function explain(program: Command, terminal: () => Terminal): void {
  const command = program
    .command('explain')
    .description('say what can stand at a path of the file, what holds there, and who decided it')
    .argument('[path]', 'such as cluster.workers or substrate.network; without it, the layers');
  withOutput(withInput(command), ['text', 'json'], 'text or json')
    .addHelpText(
      'after',
      `
Examples:
  ichor explain                                     the layers
  ichor explain cluster.workers                     what can be said about a pool
  ichor explain cluster.nodes.cp-0 -f prod.yaml     what holds for one machine, and where it comes from
  ichor explain kubernetescluster.topology

With a file it exits 1 when the file has errors; they are shown first.`,
    )
    .action(async (path: string | undefined, options: Options) => {
      process.exitCode = await run(path ?? '', options, terminal());
    });
}

async function run(path: string, options: Options, terminal: Terminal): Promise<number> {
  const [engine, { isError }, views, problemViews, input] = await Promise.all([
    import('../engine.ts'),
    import('../model/problem.ts'),
    import('./views/explained.ts'),
    import('./problems.ts'),
    givenInput(options),
  ]);
  const explained = await engine.explain(path, input);
  const { problems, texts } = explained.reading ?? { problems: [], texts: new Map<string, string>() };
  if (options.output === 'json') {
    const json = { ...views.explainedJson(explained), problems: problemViews.problemsJson(problems) };
    terminal.out(`${JSON.stringify(json, null, 2)}\n`);
  } else {
    for (const problem of problems) terminal.err(`${problemViews.problemText(problem, texts, terminal)}\n`);
    terminal.out(views.explainedText(explained, terminal));
  }
  return problems.some(isError) ? 1 : 0;
}

/** Documentation needs no file; one is read only when it is named, or when something is laid over it. */
const givenInput = async (options: InputOptions) =>
  (options.file ?? options.varFile ?? options.set) ? readInput(options) : undefined;
