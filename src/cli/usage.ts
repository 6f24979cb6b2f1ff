import type { Command, CommanderError } from 'commander';
import { Problem } from '../model/problem.ts';

/** What was typed wrong; undefined: help or the version was asked for, and printed. */
export function usageProblem(
  { code, message }: CommanderError,
  program: Command,
  argv: readonly string[],
): Problem | undefined {
  if (code === 'commander.version' || message === '(outputHelp)') return undefined;
  // What stands behind an unknown option may have been meant for --set, and may be a secret.
  const plain = message.replace(/^error: /, '').replace(/(option '--?[\w-]+=)[^\n]*'/, "$1…'");
  const [what = '', meant] = plain.split(/\n\((Did you mean .*)\)$/);
  const { path, below } = commandIn(program, argv);
  const look = below
    ? `See what there is:\n    ${path === 'ichor' ? 'ichor help' : `${path} --help`}`
    : `See what it takes:\n    ${path} --help`;
  return new Problem('usage', what, { remedy: meant === undefined ? look : `${meant} ${look}` });
}

/** The command that was meant, as far as there is one. */
function commandIn(program: Command, argv: readonly string[]): { readonly path: string; readonly below: boolean } {
  let command = program;
  let path = program.name();
  for (const word of argv.filter((each) => !each.startsWith('-'))) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next === undefined) break;
    command = next;
    path = `${path} ${next.name()}`;
  }
  return { path, below: command.commands.length > 0 };
}
