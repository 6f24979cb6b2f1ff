import { Option, type Command } from 'commander';
import type { Life, LifeEvent, LifeTools } from '../engine/talos-life.ts';
import type { NamedNode } from '../engine/talos-nodes.ts';
import { durationOption, withOutput } from './options.ts';
import { untilInterrupted, type TalosDoor } from './talos-door.ts';
import { nodesOf, withTarget, type TargetOptions } from './talos-target.ts';

export type LifeOptions = TargetOptions & {
  readonly output: 'text' | 'json';
  readonly wait: boolean;
  readonly timeout: number;
};

/** The options of every command that takes nodes down and waits until they are back. */
export const withLife = (command: Command): Command =>
  withOutput(withTarget(command), ['text', 'json'], 'text or json (one event per line)')
    .option('--no-wait', 'do not wait until it is done')
    .addOption(durationOption('--timeout <duration>', 'how long to wait for each node', '20m'));

type RebootOptions = LifeOptions & { readonly mode: 'default' | 'powercycle' | 'force' };

/** reboot, shutdown and rollback. */
export function talosPower(talos: Command, door: TalosDoor): void {
  withLife(talos.command('reboot').description('reboot nodes, one after the other'))
    .addOption(
      new Option('--mode <mode>', 'default (kexec), powercycle (through the firmware), or force (without a clean stop)')
        .choices(['default', 'powercycle', 'force'])
        .default('default'),
    )
    .addHelpText(
      'after',
      `\nExamples:\n  ichor talos reboot -n 10.10.0.21\n  ichor talos reboot -n 10.10.0.21 --mode powercycle`,
    )
    .action(async (options: RebootOptions) => {
      const { rebooting } = await import('../engine/talos-life.ts');
      await runLife(options, door, () => rebooting(options.mode, options.wait));
    });

  withLife(talos.command('shutdown').description('shut nodes down, one after the other'))
    .option('--force', 'do not drain, and do not wait for the Kubernetes API', false)
    .addHelpText('after', `\nExamples:\n  ichor talos shutdown -n 10.10.0.21`)
    .action(async (options: LifeOptions & { readonly force: boolean }) => {
      const { shuttingDown } = await import('../engine/talos-life.ts');
      await runLife(options, door, () => shuttingDown(options.force, options.wait));
    });

  withLife(talos.command('rollback').description('boot nodes into the Talos they ran before the last upgrade'))
    .addHelpText('after', `\nExamples:\n  ichor talos rollback -n 10.10.0.21`)
    .action(async (options: LifeOptions) => {
      const { rollingBack } = await import('../engine/talos-life.ts');
      await runLife(options, door, () => rollingBack(options.wait));
    });
}

/** Leads nodes through a part of their life and tells how it goes. */
export async function runLife(
  options: LifeOptions,
  door: TalosDoor,
  life: (nodes: readonly NamedNode[]) => Life | Promise<Life>,
): Promise<void> {
  const nodes = await nodesOf(options, door, 'named');
  const chosen = await life(nodes);
  await untilInterrupted(async (signal) => {
    const [{ live }, tools] = await Promise.all([import('../engine/talos-life.ts'), lifeTools(door, options.timeout)]);
    await tell(live(nodes, chosen, tools, signal), options.output, door);
  });
}

async function lifeTools({ tools }: TalosDoor, atMostMs: number): Promise<LifeTools> {
  const [{ open, probe }, { clock, pause }] = await Promise.all([tools.client(), tools.system()]);
  return { open, probe, patience: { clock, pause, everyMs: 1000, atMostMs } };
}

async function tell(events: AsyncIterable<LifeEvent>, output: 'text' | 'json', door: TalosDoor): Promise<void> {
  const [{ progress }, { lifeJson, lifeText }] = await Promise.all([
    import('./views/progress.ts'),
    import('./views/talos-life.ts'),
  ]);
  const terminal = door.terminal();
  const shown = progress(terminal, output === 'json');
  try {
    for await (const event of events) {
      if (output === 'json') terminal.out(`${lifeJson(event)}\n`);
      else if (event.kind === 'waiting') shown.waiting(`${event.node}: waiting for ${event.for}`, event.sinceMs);
      else if (event.kind === 'done') {
        shown.end();
        terminal.out(`${event.node}: ${terminal.paint('green', event.what)}\n`);
      } else shown.line(lifeText(event));
    }
  } finally {
    shown.end();
  }
}
