import { Option, type Command } from 'commander';
import { Problem } from '../model/problem.ts';
import type { TalosDoor } from './talos-door.ts';
import { runLife, withLife, type LifeOptions } from './talos-power.ts';
import type { Terminal } from './terminal.ts';

type Options = LifeOptions & {
  readonly graceful: boolean;
  readonly reboot: boolean;
  readonly systemLabelsToWipe?: readonly string[];
  readonly userDisksToWipe?: readonly string[];
  readonly wipeMode: 'all' | 'system-disk' | 'user-disks';
  readonly yes: boolean;
};

const list = (value: string, before: readonly string[] = []): readonly string[] => [...before, ...value.split(',')];

export function talosReset(talos: Command, door: TalosDoor): void {
  withLife(talos.command('reset').description('wipe nodes, one after the other: everything on them is lost'))
    .option('--no-graceful', 'do not drain the node and do not leave etcd first (for the last control plane)')
    .option('--reboot', 'boot again afterwards instead of powering off', false)
    .option(
      '--system-labels-to-wipe <list>',
      'only these partitions, such as STATE,EPHEMERAL; Talos itself stays',
      list,
    )
    .option('--user-disks-to-wipe <list>', 'also these disks, such as /dev/sdb', list)
    .addOption(
      new Option('--wipe-mode <mode>', 'what is wiped').choices(['all', 'system-disk', 'user-disks']).default('all'),
    )
    .option('-y, --yes', 'ask nothing', false)
    .addHelpText(
      'after',
      `
Examples:
  ichor talos reset -n 10.10.0.21
  ichor talos reset -n 10.10.0.21 --reboot --system-labels-to-wipe STATE,EPHEMERAL --yes

With STATE and EPHEMERAL wiped and --reboot the node comes back in maintenance mode, ready for ichor talos apply --insecure.
Without a terminal nothing is asked: --yes must be given.`,
    )
    .action(async (options: Options) => {
      const { resetting } = await import('../engine/talos-life.ts');
      await runLife(options, door, async (nodes) => {
        await mustBeWanted(
          nodes.map(({ name }) => name),
          options.yes,
          door.terminal(),
        );
        return resetting(
          {
            graceful: options.graceful,
            reboot: options.reboot,
            wipe: options.wipeMode,
            ...(options.systemLabelsToWipe === undefined ? {} : { partitions: options.systemLabelsToWipe }),
            ...(options.userDisksToWipe === undefined ? {} : { userDisks: options.userDisksToWipe }),
          },
          options.wait,
        );
      });
    });
}

/** Asks a person on a terminal; somebody else must have said so. */
async function mustBeWanted(nodes: readonly string[], yes: boolean, terminal: Terminal): Promise<void> {
  if (yes) return;
  if (!terminal.interactive)
    throw new Problem('not-confirmed', `A reset loses everything on ${nodes.join(', ')}.`, {
      remedy: 'Say that you mean it with --yes.',
    });
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: `Wipe ${nodes.join(', ')}? Everything on it is lost.`, initialValue: false });
  if (isCancel(answer) || !answer)
    throw new Problem('not-confirmed', 'Nothing was reset.', { remedy: 'Answer yes, or give --yes.' });
}
