import type { Command } from 'commander';
import { readInput, withInput, withOutput, type InputOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

type Options = InputOptions & { readonly output: 'text' | 'json' | 'github' };

export function validate(program: Command, terminal: () => Terminal): void {
  const command = program
    .command('validate')
    .description('say everything that is wrong with a platform file, and where');
  withOutput(withInput(command), ['text', 'json', 'github'], 'text, json, or github (annotations of a pull request)')
    .addHelpText(
      'after',
      `
Examples:
  ichor validate -f prod.yaml
  ichor validate -f base.yaml -f prod.yaml --set cluster.controlPlane.replicas=5
  ichor validate -f clusters/ --output github
  cat prod.yaml | ichor validate -f - --output json

Exits 0 when the file is right, 1 when it is not.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await run(options, terminal());
    });
}

async function run(options: Options, terminal: Terminal): Promise<number> {
  const [{ check }, { isError }, views, input] = await Promise.all([
    import('../engine.ts'),
    import('../model/problem.ts'),
    import('./problems.ts'),
    readInput(options),
  ]);
  const reading = check(input);
  const { problems, platforms, substrates, documents, others, texts } = reading;
  const failed = problems.some(isError);
  switch (options.output) {
    case 'json':
      terminal.out(`${JSON.stringify({ problems: views.problemsJson(problems) }, null, 2)}\n`);
      break;
    case 'github':
      for (const problem of problems) terminal.out(views.problemAnnotation(problem));
      break;
    case 'text': {
      for (const problem of problems) terminal.err(`${views.problemText(problem, texts, terminal)}\n`);
      if (failed) terminal.err(`${views.summary(problems)}.\n`);
      else {
        for (const { name, machines, cluster } of platforms) {
          const workers = machines.filter(({ role }) => role === 'worker').length;
          const counts = `${plural(machines.length - workers, 'control plane')}, ${plural(workers, 'worker')}`;
          terminal.out(
            `${terminal.paint('green', 'valid')}: platform ${name}: ${counts}, Talos ${cluster.talos.version}, Kubernetes ${cluster.kubernetes.version}\n`,
          );
        }
        for (const { name, machines } of substrates)
          terminal.out(
            `${terminal.paint('green', 'valid')}: substrate ${name}: ${plural(machines.length, 'machine')}\n`,
          );
        for (const { kind, name } of documents)
          if (kind === 'MachineClass' || kind === 'NetworkNamespace')
            terminal.out(`${terminal.paint('green', 'valid')}: ${kind} ${name}\n`);
        if (others.length > 0) terminal.out(`left alone: ${others.join(', ')}\n`);
      }
    }
  }
  return failed ? 1 : 0;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
