import type { Command } from 'commander';
import { Problem } from '../model/problem.ts';
import { durationOption, withOutput } from './options.ts';
import { untilInterrupted, type TalosDoor } from './talos-door.ts';
import { endpointsOf, nodesOf, withTarget, type TargetOptions } from './talos-target.ts';
import { firstOf } from '../model/signals.ts';

type Options = TargetOptions & { readonly timeout: number; readonly output: 'text' | 'json' };

export function talosBootstrap(talos: Command, door: TalosDoor): void {
  const command = talos
    .command('bootstrap')
    .description('start etcd on one control plane: once in a cluster’s life; the others join it by themselves');
  withOutput(withTarget(command), ['text', 'json'], 'text or json')
    .addOption(durationOption('--timeout <duration>', 'how long to wait for etcd', '10m'))
    .addHelpText(
      'after',
      `
Examples:
  ichor talos bootstrap -n 10.10.0.11

Every control plane of the talosconfig is looked at before: where one has etcd already, nothing is done. Two nodes would make
two clusters.`,
    )
    .action(async (options: Options) => {
      await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: TalosDoor, signal: AbortSignal): Promise<void> {
  const terminal = door.terminal();
  if (options.nodes?.length !== 1)
    throw new Problem('no-node', 'etcd is started on exactly one control plane.', {
      remedy: 'Name it by its own address, not by the VIP: -n 10.10.0.11',
    });
  const [[chosen], endpoints, { OpenedCluster }, { open, bootstrapOnce }, { whileWaiting }] = await Promise.all([
    nodesOf(options, door, 'named'),
    endpointsOf(options, door),
    import('../engine/talos-cluster.ts'),
    door.tools.client(),
    import('./views/progress.ts'),
  ]);
  if (chosen === undefined) throw new Error('No node was named.');
  const hosts = [...new Set([chosen, ...endpoints].map(({ target }) => target.host))];
  const members = hosts.map((host) => ({ name: host, role: 'control-plane', addresses: [host] }) as const);
  await using cluster = new OpenedCluster(members, chosen.target.access, open, chosen.target.port);
  using soon = firstOf(signal, timeout(options.timeout));
  const { by } = await whileWaiting(
    bootstrapOnce(cluster.nodes, chosen.target.host, soon),
    `${chosen.name}: waiting for etcd`,
    terminal,
    options.output === 'json',
  );
  if (options.output === 'json') terminal.out(`${JSON.stringify({ node: chosen.name, by }, null, 2)}\n`);
  else if (by === 'this-call') terminal.out(`${chosen.name}: ${terminal.paint('green', 'bootstrapped')}\n`);
  else terminal.out('Nothing to do: the cluster has its etcd.\n');
}

function timeout(ms: number): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new Problem('took-too-long', 'etcd did not come up in time.', {
        recovery: 'wait',
        remedy: 'See what it waits for, and do not bootstrap another node:\n    ichor talos services',
      }),
    );
  }, ms);
  timer.unref();
  return controller.signal;
}
