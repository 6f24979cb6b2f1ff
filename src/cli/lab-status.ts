import type { Command } from 'commander';
import { Problem } from '../model/problem.ts';
import { askControl, type LabState } from './lab-control.ts';
import { findLab, findLabs, type LabEntry } from './lab-folder.ts';
import { withOutput } from './options.ts';
import type { Terminal } from './terminal.ts';

type Options = { readonly name?: string; readonly output: 'text' | 'json' };

/** A lab as it was found. */
export type SeenLab = { readonly entry: LabEntry; readonly state: LabState | undefined };

export function labStatus(lab: Command, terminal: () => Terminal): void {
  const command = lab.command('status').description('list the labs that run: hosts, VMs, and what is in them');
  withOutput(command, ['text', 'json'], 'text or json')
    .option('--name <name>', 'only this one')
    .addHelpText(
      'after',
      `
Examples:
  ichor lab status
  ichor lab status --output json

What a lab that died left behind is taken away.`,
    )
    .action(async (options: Options) => {
      await run(options, terminal());
    });
}

async function run({ name, output }: Options, terminal: Terminal): Promise<void> {
  const entries = name === undefined ? await findLabs() : [await mustRun(name)];
  const labs = await Promise.all(
    entries.map(async (entry): Promise<SeenLab> => ({ entry, state: await askControl(entry.control) })),
  );
  const { statusJson, statusText } = await import('./views/lab-status.ts');
  terminal.out(output === 'json' ? statusJson(labs) : statusText(labs, terminal));
}

export async function mustRun(name: string): Promise<LabEntry> {
  const entry = await findLab(name);
  if (entry !== undefined) return entry;
  const others = (await findLabs()).map((lab) => lab.name);
  throw new Problem('no-such-lab', `No lab "${name}" runs.`, {
    remedy: others.length === 0 ? 'Start one:\n    ichor lab start --detach' : `There is ${others.join(', ')}.`,
  });
}
