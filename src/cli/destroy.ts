import type { Command } from 'commander';
import type { Preview } from '../engine/run.ts';
import { Problem } from '../model/problem.ts';
import { commandLine } from './command-line.ts';
import { afterPlan, mustBeAnswerable, saysYes, typesName } from './consent.ts';
import type { RunDoor } from './engine-door.ts';
import { inFormat, withRun, withYes, type RunFlags } from './run-options.ts';
import { runCommand } from './run-command.ts';

type Options = RunFlags & { readonly yes: boolean; readonly everything: boolean; readonly confirm?: string };

export function destroy(program: Command, door: RunDoor): void {
  const command = program
    .command('destroy')
    .description(
      'take the platform away: machines, disks and data; its secrets stay, so that up makes the same cluster',
    );
  withYes(withRun(command))
    .option('--everything', 'its secrets too: the cluster can never be the same again', false)
    .option(
      '--confirm <name>',
      'name of the platform: for --everything where nobody can be asked, and for machines that nothing here proves to be ours',
    )
    .addHelpText(
      'after',
      `
Examples:
  ichor destroy -f prod.yaml
  ichor destroy -f prod.yaml --yes
  ichor destroy -f prod.yaml --everything --confirm prod

Only machines that carry the platform’s mark are touched. Where its secrets are not here, or machines are configured with
others, anybody could have a platform of that name: then nothing goes unless --confirm names it. --everything asks for the
platform’s name; --yes is not enough for it. Exits 0 when it is gone or was not there, 1 when something failed, 130 when it
was stopped.`,
    )
    .action(async (options: Options) => {
      const terminal = door.terminal();
      process.exitCode = await inFormat(options.output, terminal, () => run(options, door));
    });
}

async function run(options: Options, door: RunDoor): Promise<number> {
  const terminal = door.terminal();
  const { everything, confirm } = options;
  const command = commandLine('destroy', options);
  if (everything) mustBeNamed(options, terminal.ask !== undefined && options.output === 'text', command);
  else mustBeAnswerable(options, terminal, { first: afterPlan(commandLine('plan', options, ['--destroy'])), command });
  const question = (preview: Preview, signal: AbortSignal): Promise<boolean> => {
    const { platform } = preview.plan;
    if (!everything) return saysYes(`Destroy ${platform}?`, options, terminal, signal);
    if (confirm !== undefined) return Promise.resolve(true);
    return typesName('Destroy everything, for ever?', platform, terminal, signal);
  };
  return runCommand(
    {
      command: 'destroy',
      intent: 'destroy',
      everything,
      confirmed: confirm !== undefined,
      settle: (platform) => {
        if (confirm !== undefined) mustMatch(confirm, platform);
        return Promise.resolve(undefined);
      },
      confirm: question,
    },
    options,
    door,
  );
}

function mustBeNamed({ confirm }: Options, canAsk: boolean, command: string): void {
  if (confirm !== undefined || canAsk) return;
  throw new Problem('not-confirmed', 'With --everything the platform’s name must be given; --yes is not enough.', {
    remedy: `Say which platform it is:\n    ${command} --everything --confirm NAME`,
  });
}

function mustMatch(confirm: string, platform: string): void {
  if (confirm === platform) return;
  throw new Problem('not-confirmed', `--confirm names "${confirm}", and the platform is "${platform}".`, {
    remedy: 'Nothing was touched. Check the file and the name.',
  });
}
