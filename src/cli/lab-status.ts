import type { Command } from 'commander';
import { askControl } from './lab-control.ts';
import { mustRun } from './lab-choice.ts';
import { findLabs, type LabEntry } from './lab-folder.ts';
import type { LabState } from './lab-state.ts';
import { withFormats, type RunFormat } from './run-options.ts';
import type { Terminal } from './terminal.ts';
import { jsonText } from './views/json.ts';

type Options = { readonly name?: string; readonly output: RunFormat };

/** A lab as it was found. */
export type SeenLab = { readonly entry: LabEntry; readonly state: LabState | undefined };

export function labStatus(lab: Command, terminal: () => Terminal): void {
  const command = lab
    .command('status')
    .description('list the labs that run: hosts, VMs, clusters, what goes wrong, and what to point tools at');
  withFormats(command)
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
  terminal.out(output === 'text' ? statusText(labs, terminal) : jsonText(statusJson(labs), output, terminal));
}
