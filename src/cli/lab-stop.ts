import type { Command } from 'commander';
import { chosenLab } from './lab-choice.ts';
import { findLabs, removeLab } from './lab-folder.ts';
import { endProcess } from './lab-process.ts';
import { withFormats, type RunFormat } from './run-options.ts';
import type { Terminal } from './terminal.ts';
import { jsonText } from './views/json.ts';

type Options = { readonly name?: string; readonly all: boolean; readonly output: RunFormat };

/** Real nodes take their time, even to be cut off. */
const realGraceMs = 60_000;

export function labStop(lab: Command, terminal: () => Terminal): void {
  const command = lab.command('stop').description('end a lab, and take its files away');
  withFormats(command)
    .option('--name <name>', 'which one; not needed while only one runs')
    .option('--all', 'every one of them', false)
    .addHelpText(
      'after',
      `
Examples:
  ichor lab stop
  ichor lab stop --name slow
  ichor lab stop --all`,
    )
    .action(async (options: Options) => {
      await run(options, terminal());
    });
}

async function run({ name, all, output }: Options, terminal: Terminal): Promise<void> {
  const labs = all
    ? await findLabs()
    : [await chosenLab(name, 'ichor lab stop', 'End one of them, or all with --all:')];
  for (const lab of labs) {
    await endProcess(lab, lab.facts?.guests === 'real' ? realGraceMs : undefined);
    await removeLab(lab);
    if (output === 'text') terminal.out(`${lab.name}: gone\n`);
  }
  if (output !== 'text') terminal.out(jsonText({ stopped: labs.map((lab) => lab.name) }, output, terminal));
  else if (labs.length === 0) terminal.out('No lab runs.\n');
}
