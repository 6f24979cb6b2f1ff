import { explainConfig, type Explained } from '../talos/patch/explain.ts';
import { configsOf, type ConfigsRequest } from './talos-configs.ts';
import { machineOf } from './talos-gen.ts';

export type ExplainedMachine = { readonly machine: string; readonly values: readonly Explained[] };

/** What a machine’s configuration says at a path, who decided it, and whether changing it reboots the machine. */
export function explainMachine(given: ConfigsRequest, machine: string, path: string): ExplainedMachine {
  const { name } = machineOf(given.platform, machine);
  const config = configsOf(given).nodes.get(name);
  if (config === undefined) throw new Error(`Nothing was rendered for ${name}.`);
  return { machine: name, values: explainConfig(config, path) };
}
