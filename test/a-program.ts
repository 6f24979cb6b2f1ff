import { Argument, Command, Option } from 'commander';
import { withInput, withOutput } from '../src/cli/options.ts';

/** A small command line, for shells to complete. */
export function aProgram(): Command {
  const program = new Command('ichor').option('--no-color', 'plain text').helpCommand(false);
  withOutput(withInput(program.command('up').alias('apply').description('build it')), ['text', 'json'], 'text or json')
    .option('--from <folder>', 'where it’s from; "quoted" and $HOME too')
    .option('--yes', "don't ask");
  const talos = program.command('talos').description('nodes');
  talos.command('gen').description('make files');
  talos.command('reset').addOption(new Option('--wipe-mode <mode>', 'what').choices(['all', 'system-disk']));
  program.command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh']));
  program.command('hidden', { hidden: true });
  return program;
}
