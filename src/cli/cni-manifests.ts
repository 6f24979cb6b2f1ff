import type { Command } from 'commander';
import type { KubernetesDoor } from './kubernetes-door.ts';
import { readChecked, withInput, withOutput, type InputOptions } from './options.ts';

type Options = InputOptions & { readonly output: 'yaml' | 'json'; readonly only?: string };

export function cniManifests(cni: Command, door: KubernetesDoor): void {
  withOutput(
    withInput(
      cni.command('manifests').description('print what is applied besides the chart: pools of addresses, L2 or BGP'),
    ),
    ['yaml', 'json'],
    'yaml or json',
  )
    .option('--only <name>', 'this platform, where there are several')
    .addHelpText(
      'after',
      `
Examples:
  ichor cni manifests -f prod.yaml
  ichor cni manifests -f prod.yaml | kubectl diff -f -

Nothing is printed where the file says nothing of l2 or bgp. Nobody is asked, and nothing is changed.`,
    )
    .action((options: Options) => run(options, door));
}

async function run(options: Options, door: KubernetesDoor): Promise<void> {
  const terminal = door.terminal();
  const [{ networkManifests }, { chosenPlatform }, { reading }] = await Promise.all([
    import('../engine/cni.ts'),
    import('../engine/platforms.ts'),
    readChecked(options, terminal),
  ]);
  const { manifests, text } = networkManifests(chosenPlatform(reading.platforms, options.only));
  terminal.out(options.output === 'json' ? `${JSON.stringify({ manifests }, null, 2)}\n` : text);
}
