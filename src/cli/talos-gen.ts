import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { Generated, GeneratedFile } from '../engine/talos-gen.ts';
import { makeSecretFolder, writeNew, writeWhole } from './files.ts';
import { readChecked, withInput, withOutput, type InputOptions } from './options.ts';
import type { TalosDoor } from './talos-door.ts';
import { fetchReferences } from './references.ts';
import { readText, textIfThere } from './talos-target.ts';
import type { Terminal } from './terminal.ts';

type Options = InputOptions & {
  readonly out: string;
  readonly secrets?: string;
  readonly node?: string;
  readonly only?: string;
  readonly dryRun: boolean;
  readonly output: 'text' | 'json';
};

export function talosGen(talos: Command, door: TalosDoor): void {
  const command = talos
    .command('gen')
    .description('write the secrets, the talosconfig and the machine configurations of a platform');
  withOutput(withInput(command), ['text', 'json'], 'text or json')
    .option('--out <folder>', 'folder to write to', 'talos')
    .option('--secrets <file>', 'take these secrets, as talosctl gen secrets writes them, instead of making some')
    .option('--node <name>', 'only the configuration of this machine')
    .option('--only <name>', 'this platform, where there are several')
    .option('--dry-run', 'write nothing: say what would change, without anything secret', false)
    .addHelpText(
      'after',
      `
Examples:
  ichor talos gen -f platform.yaml --out talos
  ichor talos gen -f platform.yaml --out talos --secrets ~/old-cluster/secrets.yaml
  ichor talos gen -f platform.yaml --out talos --dry-run

Secrets are made once and never written over. A second run changes nothing, except a talosconfig of which less than a third
of its life is left. Every file is for its owner only (mode 0600), and talosctl can use it.`,
    )
    .action(async (options: Options) => {
      await run(options, door);
    });
}

async function run(options: Options, { terminal, tools }: TalosDoor): Promise<void> {
  const shown = terminal();
  const [{ generate, machineOf }, { chosenPlatform }, { referencesOf, sourceOf }, { reading }, making] =
    await Promise.all([
      import('../engine/talos-gen.ts'),
      import('../engine/platforms.ts'),
      import('../engine/talos-configs.ts'),
      readChecked(options, shown),
      tools.system(),
    ]);
  const platform = chosenPlatform(reading.platforms, options.only);
  const node = options.node === undefined ? undefined : machineOf(platform, options.node).name;
  const [resolved, present, adopted] = await Promise.all([
    fetchReferences(referencesOf(platform)),
    presentFiles(options.out),
    options.secrets === undefined ? undefined : readText(options.secrets, 'file of secrets'),
  ]);
  const generated = await generate(
    {
      platform,
      source: sourceOf(reading, platform),
      present,
      folder: options.out,
      resolved,
      compare: options.dryRun,
      ...(adopted === undefined ? {} : { adopted: { text: adopted, file: options.secrets ?? '' } }),
      ...(node === undefined ? {} : { only: node }),
    },
    making,
  );
  if (!options.dryRun) await writeAll(generated.files, options.out);
  await show(generated, options, shown);
}

/** What is in the folder already: the files that gen writes, and configurations of machines. */
async function presentFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const nodes = await readdir(join(folder, 'nodes')).catch(() => []);
  const paths = [
    'secrets.yaml',
    'talosconfig',
    'control-plane.yaml',
    'worker.yaml',
    ...nodes.map((name) => `nodes/${name}`),
  ];
  const texts = await Promise.all(paths.map(async (path) => [path, await textIfThere(join(folder, path))] as const));
  return new Map(texts.flatMap(([path, text]) => (text === undefined || !isOurs(path) ? [] : [[path, text]])));
}

const isOurs = (path: string): boolean => !path.startsWith('nodes/') || path.endsWith('.yaml');

async function writeAll(files: readonly GeneratedFile[], folder: string): Promise<void> {
  await makeSecretFolder(folder);
  for (const { path, text, change } of files) {
    if (change === 'same') continue;
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await (path === 'secrets.yaml' ? writeNew(target, text, 0o600) : writeWhole(target, text, 0o600));
  }
}

async function show(generated: Generated, options: Options, terminal: Terminal): Promise<void> {
  const { generatedJson, generatedText } = await import('./views/talos-gen.ts');
  const view = { folder: options.out, dryRun: options.dryRun };
  terminal.out(options.output === 'json' ? generatedJson(generated, view) : generatedText(generated, view, terminal));
}
