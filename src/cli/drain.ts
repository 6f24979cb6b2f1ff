import type { Command } from 'commander';
import type { DrainEvent } from '../engine/drain.ts';
import { openCluster, withCluster, type ClusterOptions, type KubernetesDoor } from './kubernetes-door.ts';
import { countOption, durationOption, withOutput } from './options.ts';
import { untilInterrupted } from './talos-door.ts';
import { progress } from './views/progress.ts';

type Options = ClusterOptions & {
  readonly output: 'text' | 'json';
  readonly unmanaged: boolean;
  readonly deleteEmptydirData: boolean;
  readonly gracePeriod?: number;
  readonly timeout: number;
  readonly undo: boolean;
};

export function drain(program: Command, door: KubernetesDoor): void {
  const command = program
    .command('drain')
    .description('empty a node: nothing new comes, and its pods go as disruption budgets allow')
    .argument('<node>', 'the node');
  withOutput(withCluster(command), ['text', 'json'], 'text or json')
    .option('--unmanaged', 'also pods that nobody makes anew', false)
    .option('--delete-emptydir-data', 'also pods whose data in an emptyDir is lost', false)
    .addOption(countOption('--grace-period <seconds>', 'how long pods may take to end (default: what each asks for)'))
    .addOption(durationOption('--timeout <duration>', 'how long it may take', '10m'))
    .option('--undo', 'let pods onto the node again', false)
    .addHelpText(
      'after',
      `
Examples:
  ichor drain worker-1
  ichor drain worker-1 --delete-emptydir-data --timeout 30m
  ichor drain worker-1 --undo

Pods of DaemonSets and those that the node itself runs stay. A budget that does not allow an eviction is named, and asked
again until the time is over; what is still there then is listed, and the node stays cordoned.`,
    )
    .action(async (node: string, options: Options) => {
      await untilInterrupted((signal) => run(node, options, door, signal));
    });
}

async function run(node: string, options: Options, door: KubernetesDoor, signal: AbortSignal): Promise<void> {
  const terminal = door.terminal();
  const json = options.output === 'json';
  const [{ drainNode, uncordonNode }, { clock, pause }] = await Promise.all([
    import('../engine/drain.ts'),
    door.system(),
  ]);
  await using client = await openCluster(options, door);
  if (options.undo) {
    const changed = await uncordonNode(node, { client }, signal);
    const text = changed ? `${node} takes pods again.` : `Nothing to change: ${node} takes pods.`;
    terminal.out(json ? `${JSON.stringify({ node, changed }, null, 2)}\n` : `${text}\n`);
    return;
  }
  const shown = progress(terminal, json);
  const tell = (event: DrainEvent): void => {
    if (event.kind === 'waits')
      shown.waiting(`waits for ${event.for}: ${event.because}`, clock.now().getTime() - event.since.getTime());
    else shown.line(lineOf(event));
  };
  try {
    const drained = await drainNode(
      node,
      {
        consent: { unmanaged: options.unmanaged, emptyDir: options.deleteEmptydirData },
        atMostMs: options.timeout,
        ...(options.gracePeriod === undefined ? {} : { gracePeriodSeconds: options.gracePeriod }),
      },
      { client, clock, pause, tell },
      signal,
    );
    shown.end();
    const { gone, skipped } = drained;
    terminal.out(
      json
        ? `${JSON.stringify(drained, null, 2)}\n`
        : `${node} is empty: ${gone.length} pod${gone.length === 1 ? '' : 's'} gone, ${skipped.length} stay${skipped.length === 1 ? 's' : ''}.\n`,
    );
  } finally {
    shown.end();
  }
}

function lineOf(event: Exclude<DrainEvent, { kind: 'waits' }>): string {
  switch (event.kind) {
    case 'cordoned':
      return `${event.node} is cordoned`;
    case 'skipped':
      return `${event.pod} stays: ${event.because}`;
    case 'evicted':
      return `${event.pod} is asked to go`;
    case 'gone':
      return `${event.pod} is gone`;
  }
}
