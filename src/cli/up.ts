import { Option, type Command } from 'commander';
import { commandLine } from './command-line.ts';
import { afterPlan, mustBeAnswerable, saysYes } from './consent.ts';
import type { RunDoor } from './engine-door.ts';
import { inFormat, withRun, withYes, type RunFlags } from './run-options.ts';
import { runCommand } from './run-command.ts';

type Options = RunFlags & { readonly yes: boolean; readonly plan?: string; readonly target?: string };

export function up(program: Command, door: RunDoor): void {
  const command = program
    .command('up')
    .alias('apply')
    .description('make the platform as the file says: show the plan, ask, and do it');
  withYes(withRun(command))
    .addOption(
      new Option('--plan <file>', 'do what this plan says, as ichor plan --out saved it, and nothing else').conflicts(
        'target',
      ),
    )
    .option('--target <name>', 'only this layer or machine, and what it needs')
    .addHelpText(
      'after',
      `
Examples:
  ichor up -f prod.yaml
  ichor up -f prod.yaml --yes --output jsonl
  ichor plan -f prod.yaml --out prod.plan && ichor up -f prod.yaml --plan prod.plan
  ichor up -f prod.yaml --target machines

Without a terminal nothing is asked: --yes or --plan must be given. A saved plan is refused when the world has moved.
Ctrl-C stops at a safe point, twice at once; ichor up goes on from there. Exits 0 when done or nothing was to do, 1 when
something failed, 130 when it was stopped.`,
    )
    .action(async (options: Options) => {
      const terminal = door.terminal();
      process.exitCode = await inFormat(options.output, terminal, () => run(options, door));
    });
}

async function run(options: Options, door: RunDoor): Promise<number> {
  const terminal = door.terminal();
  const { plan: file, target } = options;
  if (file === undefined)
    mustBeAnswerable(options, terminal, {
      first: afterPlan(commandLine('plan', options)),
      command: commandLine('up', options),
    });
  return runCommand(
    {
      command: 'up',
      intent: 'converge',
      ...(target === undefined ? {} : { target }),
      ...(file === undefined ? {} : { plan: file }),
      settle: async (platform) => {
        if (file === undefined) return undefined;
        const { readSavedPlan } = await import('./saved-plan.ts');
        const makeIn = (path: string): string => commandLine('plan', options, ['--out', path]);
        return readSavedPlan(file, { platform, workspace: options.workspace, makeIn });
      },
      confirm: async (_, signal) => file !== undefined || saysYes('Do it?', options, terminal, signal),
    },
    options,
    door,
  );
}
