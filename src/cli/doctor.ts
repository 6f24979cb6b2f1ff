import type { Command } from 'commander';
import { readChecked, withInput, withOutput, type InputOptions } from './options.ts';
import { openProvider, type ProviderDoor } from './provider-door.ts';
import { untilInterrupted } from './talos-door.ts';
import { whileWaiting } from './views/progress.ts';

type Options = InputOptions & { readonly output: 'text' | 'json'; readonly only?: string };

export function doctor(program: Command, door: ProviderDoor): void {
  const command = program
    .command('doctor')
    .description('look for what would stop you later: permissions, storage, network, image, versions, clock');
  withOutput(withInput(command), ['text', 'json'], 'text or json')
    .option('--only <name>', 'this platform, where there are several')
    .addHelpText(
      'after',
      `
Examples:
  ichor doctor -f prod.yaml
  ichor doctor -f prod.yaml --output json

Nothing is changed. Exits 0 when nothing would stop you, 1 when something would; each finding says what to type.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: ProviderDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const [{ diagnose }, { chosenPlatform }, { reading }] = await Promise.all([
    import('../engine/doctor.ts'),
    import('../engine/platforms.ts'),
    readChecked(options, terminal),
  ]);
  const platform = chosenPlatform(reading.platforms, options.only);
  await using provider = await openProvider(platform, door);
  const looking = diagnose(platform, provider.reader, signal);
  const diagnosis = await whileWaiting(looking, 'looking', terminal, options.output === 'json');
  const { diagnosisJson, diagnosisText } = await import('./views/diagnosis.ts');
  terminal.out(
    options.output === 'json'
      ? `${JSON.stringify(diagnosisJson(diagnosis), null, 2)}\n`
      : diagnosisText(diagnosis, terminal),
  );
  return diagnosis.errors > 0 ? 1 : 0;
}
