import type { Command } from 'commander';
import { openCluster, withCluster, type ClusterOptions, type KubernetesDoor } from './kubernetes-door.ts';
import { durationOption, readChecked, withInput, withOutput, type InputOptions } from './options.ts';
import { untilInterrupted } from './talos-door.ts';
import { progress } from './views/progress.ts';

type Options = InputOptions &
  ClusterOptions & {
    readonly output: 'text' | 'json';
    readonly only?: string;
    readonly timeout: number;
    readonly wait: boolean;
    readonly helm: boolean;
    readonly image?: string;
    readonly chart?: string;
  };

export function cniInstall(cni: Command, door: KubernetesDoor): void {
  const command = cni
    .command('install')
    .description('install the network of a platform, or bring it up to date, and wait until all nodes are Ready');
  withOutput(withCluster(withInput(command)), ['text', 'json'], 'text or json')
    .option('--only <name>', 'this platform, where there are several')
    .option('--no-wait', 'do not wait for nodes')
    .option('--no-helm', 'use a Job in the cluster, also where helm is on the PATH')
    .option('--image <reference>', 'image with helm in it, for the Job')
    .option('--chart <place>', 'another place of the chart: a repository, oci://… or, with helm here, a folder')
    .addOption(durationOption('--timeout <duration>', 'how long each wait may take', '15m'))
    .addHelpText(
      'after',
      `
Examples:
  ichor cni install -f prod.yaml --kubeconfig talos/kubeconfig
  ichor cni install -f prod.yaml --no-helm --output json

Helm on the PATH is used; without it a Job in the cluster does the same, and its rights are taken away again afterwards.
Where helm’s own record says that chart and values are as wanted, nothing is done. What Flux or Argo CD keep is theirs.`,
    )
    .action(async (options: Options) => {
      await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: KubernetesDoor, signal: AbortSignal): Promise<void> {
  const terminal = door.terminal();
  const [{ installCni }, { chosenPlatform }, { networkLine }, { clock, entropy, pause }, { reading }] =
    await Promise.all([
      import('../engine/cni.ts'),
      import('../engine/platforms.ts'),
      import('./views/network.ts'),
      door.system(),
      readChecked(options, terminal),
    ]);
  const platform = chosenPlatform(reading.platforms, options.only);
  const { output, timeout, wait, image, chart } = options;
  await using client = await openCluster(options, door);
  const helm = options.helm ? await door.helm(signal) : undefined;
  const shown = progress(terminal, output === 'json');
  try {
    const installed = await installCni(
      platform,
      {
        atMostMs: timeout,
        wait,
        ...(image === undefined ? {} : { image }),
        ...(chart === undefined ? {} : { chart }),
      },
      {
        client,
        helm,
        clock,
        entropy,
        pause,
        tell: (event) => {
          const line = networkLine(event);
          if (event.kind === 'waits') shown.waiting(line ?? '', clock.now().getTime() - event.since.getTime());
          else if (line !== undefined) shown.line(line);
        },
      },
      signal,
    );
    shown.end();
    const { network, outcome, reasons } = installed;
    terminal.out(
      output === 'json'
        ? `${JSON.stringify(installed, null, 2)}\n`
        : `${network}: ${outcome}${reasons.length === 0 ? '' : ` (${reasons.join('; ')})`}\n`,
    );
  } finally {
    shown.end();
  }
}
