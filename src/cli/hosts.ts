import type { Command } from 'commander';
import type { Surveyed } from '../engine/hosts.ts';
import { readChecked, withInput, withOutput, type InputOptions } from './options.ts';
import { openProvider, type ProviderDoor } from './provider-door.ts';
import { untilInterrupted } from './talos-door.ts';
import type { Terminal } from './terminal.ts';
import { whileWaiting } from './views/progress.ts';

type Format = 'text' | 'json' | 'hosts';
type Options = InputOptions & { readonly output: Format; readonly only?: string };

export function hosts(program: Command, door: ProviderDoor): void {
  const command = program
    .command('hosts')
    .description('ask the hosts what they have: how full each is, and who sits there');
  withOutput(withInput(command), ['text', 'json', 'hosts'], 'text, json, or hosts (a --hosts file for ichor place)')
    .option('--only <name>', 'this platform, where there are several')
    .addHelpText(
      'after',
      `
Examples:
  ichor hosts -f prod.yaml
  ichor hosts -f prod.yaml --output json
  ichor hosts -f prod.yaml --output hosts > hosts.yaml

Nothing is changed. Machines of platforms are marked with a star.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: ProviderDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const [{ surveyHosts }, { chosenPlatform }, { reading }] = await Promise.all([
    import('../engine/hosts.ts'),
    import('../engine/platforms.ts'),
    readChecked(options, terminal),
  ]);
  await using provider = await openProvider(chosenPlatform(reading.platforms, options.only), door);
  const asking = surveyHosts(provider.reader, signal);
  const surveyed = await whileWaiting(asking, 'asking the hosts', terminal, options.output === 'json');
  terminal.out(await rendered(surveyed, options.output, terminal));
  return surveyed.silent.length > 0 ? 1 : 0;
}

async function rendered(surveyed: Surveyed, output: Format, terminal: Terminal): Promise<string> {
  switch (output) {
    case 'text':
      return (await import('./views/hosts-text.ts')).hostsText(surveyed, terminal);
    case 'json':
      return `${JSON.stringify((await import('./views/hosts-json.ts')).hostsJson(surveyed), null, 2)}\n`;
    case 'hosts':
      return (await import('./views/hosts-yaml.ts')).inventoryYaml(surveyed.inventory);
  }
}
