import { join } from 'node:path';
import type { Command } from 'commander';
import type { ConfigsRequest } from '../engine/talos-configs.ts';
import { Problem } from '../model/problem.ts';
import { readChecked, withInput, type InputOptions } from './options.ts';
import { fetchReferences } from './references.ts';
import { textIfThere } from './talos-target.ts';
import type { Terminal } from './terminal.ts';

export type PlatformOptions = InputOptions & { readonly from: string; readonly only?: string };

/** The options of commands that need a platform and the secrets that ichor talos gen wrote for it. */
export const withPlatform = (command: Command): Command =>
  withInput(command)
    .option('--from <folder>', 'folder that ichor talos gen wrote', 'talos')
    .option('--only <name>', 'this platform, where there are several');

export async function readPlatform(options: PlatformOptions, terminal: Terminal): Promise<ConfigsRequest> {
  const secretsPath = join(options.from, 'secrets.yaml');
  const [{ chosenPlatform }, { referencesOf, sourceOf }, { bundleOf }, { reading }, secrets] = await Promise.all([
    import('../engine/platforms.ts'),
    import('../engine/talos-configs.ts'),
    import('../engine/talos-identity.ts'),
    readChecked(options, terminal),
    textIfThere(secretsPath),
  ]);
  const platform = chosenPlatform(reading.platforms, options.only);
  if (secrets === undefined)
    throw new Problem('no-secrets', `There is no "${secretsPath}": the cluster’s secrets are not here.`, {
      remedy: `Name their folder with --from, or make them:\n    ichor talos gen --out ${options.from}`,
    });
  return {
    platform,
    source: sourceOf(reading, platform),
    bundle: bundleOf({ text: secrets, file: secretsPath }),
    resolved: await fetchReferences(referencesOf(platform)),
  };
}
