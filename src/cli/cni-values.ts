import type { Command } from 'commander';
import type { KubernetesDoor } from './kubernetes-door.ts';
import { readChecked, withInput, withOutput, type InputOptions } from './options.ts';

type Options = InputOptions & { readonly output: 'yaml' | 'json'; readonly only?: string };

export function cniValues(cni: Command, door: KubernetesDoor): void {
  withOutput(
    withInput(cni.command('values').description('print what the chart of the network is told, and who decided it')),
    ['yaml', 'json'],
    'yaml (a file of values for helm) or json (with the release and the manifests besides)',
  )
    .option('--only <name>', 'this platform, where there are several')
    .addHelpText(
      'after',
      `
Examples:
  ichor cni values -f prod.yaml
  ichor cni values -f prod.yaml > values.yaml && helm template cilium cilium --repo https://helm.cilium.io -n kube-system -f values.yaml
  ichor cni values -f prod.yaml --output json

Values of the file (cluster.cni.cilium.values) are laid over those of ichor. Nobody is asked, and nothing is changed.`,
    )
    .action((options: Options) => run(options, door));
}

async function run(options: Options, door: KubernetesDoor): Promise<void> {
  const terminal = door.terminal();
  const [{ describeNetwork, networkValues }, { chosenPlatform }, { reading }] = await Promise.all([
    import('../engine/cni.ts'),
    import('../engine/platforms.ts'),
    readChecked(options, terminal),
  ]);
  const platform = chosenPlatform(reading.platforms, options.only);
  terminal.out(
    options.output === 'json'
      ? `${JSON.stringify({ platform: platform.name, ...describeNetwork(platform) }, null, 2)}\n`
      : networkValues(platform),
  );
}
