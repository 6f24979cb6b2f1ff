import type { Command } from 'commander';
import { Problem } from '../model/problem.ts';
import { findLabs, removeLab, type LabEntry } from './lab-folder.ts';
import { endProcess } from './lab-process.ts';
import { mustRun } from './lab-status.ts';
import { withOutput } from './options.ts';
import type { Terminal } from './terminal.ts';

type Options = { readonly name?: string; readonly all: boolean; readonly output: 'text' | 'json' };

export function labStop(lab: Command, terminal: () => Terminal): void {
  const command = lab.command('stop').description('end a lab, and take its files away');
  withOutput(command, ['text', 'json'], 'text or json')
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
  const labs = all ? await findLabs() : [await chosen(name)];
  for (const lab of labs) {
    await endProcess(lab);
    await removeLab(lab);
    if (output === 'text') terminal.out(`${lab.name}: gone\n`);
  }
  if (output === 'json') terminal.out(`${JSON.stringify({ stopped: labs.map((lab) => lab.name) }, null, 2)}\n`);
  else if (labs.length === 0) terminal.out('No lab runs.\n');
}

/** Who does not say which one means the only one. */
async function chosen(name: string | undefined): Promise<LabEntry> {
  if (name !== undefined) return mustRun(name);
  const [only, ...others] = await findLabs();
  if (only === undefined) return mustRun('lab');
  if (others.length === 0) return only;
  throw new Problem('which-lab', 'Several labs run, and none is named.', {
    remedy: `End one of them, or all with --all:${[only, ...others].map((lab) => `\n    ichor lab stop --name ${lab.name}`).join('')}`,
  });
}
