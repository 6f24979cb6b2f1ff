import type { Applied, ApplyMode, OpenTalos, TalosNode } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import { parseVersion } from '../model/version.ts';
import { contractOf } from '../talos/config/contract.ts';
import { changesBetween, type ShownChange } from './talos-changes.ts';
import { configsOf, type ConfigsRequest } from './talos-configs.ts';
import { machineOf } from './talos-gen.ts';
import { askNodes, type NamedNode, type NodeAnswer } from './talos-nodes.ts';

export type ConfigFor = { readonly node: NamedNode; readonly config: string };

export type ApplyOptions = { readonly mode: ApplyMode; readonly dryRun: boolean; readonly tryTimeoutMs?: number };

/** What a node said, and, where nothing was changed, what would be. */
export type AppliedConfig = Applied & { readonly changes?: readonly ShownChange[] };

/** Gives each node its configuration, all at once. */
export async function applyConfigs(
  configs: readonly ConfigFor[],
  open: OpenTalos,
  options: ApplyOptions,
  signal: AbortSignal,
): Promise<readonly NodeAnswer<AppliedConfig>[]> {
  const answers = await Promise.all(
    configs.map(({ node, config }) =>
      askNodes([node], open, (each, stop) => applyConfig(each, node, config, options, stop), signal),
    ),
  );
  return answers.flat();
}

async function applyConfig(
  node: TalosNode,
  { target }: NamedNode,
  config: string,
  options: ApplyOptions,
  signal: AbortSignal,
): Promise<AppliedConfig> {
  const applied = await node.apply(config, options, signal);
  if (!options.dryRun || target.access.kind === 'maintenance') return applied;
  const [before, { tag }] = await Promise.all([node.machineConfig(signal), node.version(signal)]);
  const version = parseVersion(tag);
  const contract = version && contractOf(version);
  const changes = contract && changesBetween(before, config, contract);
  return changes === undefined ? applied : { ...applied, changes };
}

export type MachineConfigAt = { readonly machine: string; readonly address: string; readonly config: string };

/** The configurations of machines of a platform, and where each machine is. */
export function platformConfigs(
  given: ConfigsRequest,
  named: readonly string[],
  addresses: readonly string[],
): readonly MachineConfigAt[] {
  const { platform } = given;
  const machines = named.length === 0 ? platform.machines : named.map((name) => machineOf(platform, name));
  if (addresses.length > 0 && addresses.length !== machines.length)
    throw new Problem('bad-options', `There are ${addresses.length} addresses for ${machines.length} machines.`, {
      remedy: 'Name as many machines as addresses, in the same order, or leave -n out.',
    });
  const configs = configsOf(given).nodes;
  return machines.map(({ name, fixed }, index) => {
    const address = addresses[index] ?? fixed.address;
    if (address === undefined)
      throw new Problem('no-address', `The file does not say where machine "${name}" is.`, {
        remedy: `Fix its address under cluster.nodes, or say it:\n    ichor talos apply ${name} -n ADDRESS`,
      });
    return { machine: name, address, config: configs.get(name)?.text ?? '' };
  });
}
