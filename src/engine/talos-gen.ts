import type { Machine } from '../model/machine.ts';
import { nearest } from '../model/nearest.ts';
import { Problem } from '../model/problem.ts';
import { machineNamed } from '../spec/names.ts';
import type { Platform } from '../spec/platform.ts';
import type { MachineConfig } from '../talos/config/document.ts';
import type { PatchSource } from '../talos/patch/select.ts';
import { changesFrom, type ShownChange } from './talos-changes.ts';
import { contractOfPlatform, configsOf, type NodeConfig, type PlatformConfigs } from './talos-configs.ts';
import { settleSecrets, settleTalosconfig, type Making, type Present } from './talos-identity.ts';

export type Generation = {
  readonly platform: Platform;
  readonly source?: PatchSource;
  /** What is in the folder already, by its path in it, and how errors name the folder. */
  readonly present: ReadonlyMap<string, string>;
  readonly folder: string;
  /** Secrets from elsewhere, to be taken as they are. */
  readonly adopted?: Present;
  /** Texts of the references of the file, by their key. */
  readonly resolved: ReadonlyMap<string, string>;
  /** Only the configuration of this machine. */
  readonly only?: string;
  /** Say what is other in configurations that are there. */
  readonly compare?: boolean;
};

export type GeneratedFile = {
  /** In the folder. */
  readonly path: string;
  readonly text: string;
  readonly change: 'new' | 'changed' | 'same';
  readonly because?: string;
  /** What is other than before, path by path, with what is secret masked. */
  readonly changes?: readonly ShownChange[];
};

export type Generated = {
  /** In the order in which they are to be written: secrets first, because everything else can be made again. */
  readonly files: readonly GeneratedFile[];
  /** Configurations of machines that the file no longer has. */
  readonly left: readonly string[];
  readonly expires: Date | undefined;
  /** Where the Talos API is reached, as far as it is known. */
  readonly endpoints: readonly string[];
};

/** Everything that a cluster is made from, as files; what is good already stays as it is. */
export async function generate(given: Generation, making: Making): Promise<Generated> {
  const { platform, present, folder, adopted, resolved, only, compare = false } = given;
  const there = (path: string): Present | undefined => {
    const text = present.get(path);
    return text === undefined ? undefined : { text, file: `${folder}/${path}` };
  };
  const secrets = await settleSecrets(there('secrets.yaml'), adopted, contractOfPlatform(platform), making);
  const source = given.source === undefined ? {} : { source: given.source };
  const configs = configsOf({ platform, bundle: secrets.bundle, resolved, ...source });
  const endpoints = controlPlaneAddresses(platform);
  const wanted = { cluster: platform.cluster.name, endpoints, bundle: secrets.bundle };
  const talosconfig = await settleTalosconfig(there('talosconfig'), wanted, making);
  const contract = contractOfPlatform(platform);
  const file = (path: string, text: string, because?: string, config?: MachineConfig): GeneratedFile => {
    const before = present.get(path);
    const change = before === undefined ? 'new' : before === text ? 'same' : 'changed';
    return {
      path,
      text,
      change,
      ...(because === undefined || change === 'same' ? {} : { because }),
      ...(compare && config !== undefined && before !== undefined && change === 'changed'
        ? { changes: changesFrom(before, config, contract) ?? [] }
        : {}),
    };
  };
  return {
    files: [
      file('secrets.yaml', secrets.text, secrets.because),
      file('talosconfig', talosconfig.text, talosconfig.because),
      ...configFiles(configs, only).map(([path, { text, config }]) => file(path, text, undefined, config)),
    ],
    left: only === undefined ? leftBehind(platform, present) : [],
    expires: talosconfig.expires,
    endpoints,
  };
}

function configFiles(
  { controlPlane, worker, nodes }: PlatformConfigs,
  only: string | undefined,
): readonly (readonly [path: string, config: NodeConfig])[] {
  const all = [...nodes].map(([name, config]) => [`nodes/${name}.yaml`, config] as const);
  if (only === undefined) return [['control-plane.yaml', controlPlane], ['worker.yaml', worker], ...all];
  return all.filter(([path]) => path === `nodes/${only}.yaml`);
}

const leftBehind = ({ machines }: Platform, present: ReadonlyMap<string, string>): readonly string[] => {
  const ours = new Set(machines.map(({ name }) => `nodes/${name}.yaml`));
  return [...present.keys()].filter((path) => path.startsWith('nodes/') && !ours.has(path));
};

/** Each control plane by its own address: a VIP needs etcd, and is gone exactly when one needs the Talos API. */
const controlPlaneAddresses = ({ machines }: Platform): readonly string[] =>
  machines.flatMap(({ role, fixed }) =>
    role === 'control-plane' && fixed.address !== undefined ? [fixed.address] : [],
  );

/** A machine by its name, with or without the platform’s name in front. */
export function machineOf({ machines, name: platform }: Platform, written: string): Machine {
  const known = new Map(machines.map((machine) => [machine.name, machine]));
  const machine = machineNamed(written, platform, known);
  if (machine !== undefined) return machine;
  const near = nearest(written, known.keys());
  throw new Problem('unknown-node', `There is no machine "${written}" in platform "${platform}".`, {
    remedy: near === undefined ? `There is ${[...known.keys()].join(', ')}.` : `Did you mean ${near}?`,
  });
}
