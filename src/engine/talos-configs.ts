import { platformIdentities } from '../plan/proof.ts';
import type { Machine } from '../model/machine.ts';
import { parseVersion } from '../model/version.ts';
import type { Platform } from '../spec/platform.ts';
import type { Reading } from '../spec/read.ts';
import { locate } from '../spec/tree.ts';
import { contractOf, type Contract } from '../talos/config/contract.ts';
import { endpointOf } from '../talos/config/endpoint.ts';
import { renderConfigs, type RenderedConfig } from '../talos/config/render.ts';
import type { ConfigRequest, KnownMachine } from '../talos/config/request.ts';
import { configText } from '../talos/config/text.ts';
import { applyPatches } from '../talos/patch/apply.ts';
import type { Patch, Patched } from '../talos/patch/patch.ts';
import { patchesFor, patchesForRole, type PatchSource } from '../talos/patch/select.ts';
import type { SecretsBundle } from '../talos/secrets/bundle.ts';

export { referencesOf } from '../talos/config/references.ts';

export type ConfigsRequest = {
  readonly platform: Platform;
  readonly bundle: SecretsBundle;
  readonly resolved: ReadonlyMap<string, string>;
  /** Where errors about patches find them; absent: nowhere but in the platform. */
  readonly source?: PatchSource;
};

/** A configuration as it is applied; secrets are in it. */
export type NodeConfig = Patched & { readonly text: string };

export type PlatformConfigs = {
  readonly controlPlane: NodeConfig;
  readonly worker: NodeConfig;
  /** By machine name. */
  readonly nodes: ReadonlyMap<string, NodeConfig>;
};

/** As the file asks for them: what ichor renders, and the patches of everybody whom they are for over it. */
export function configsOf(given: ConfigsRequest): PlatformConfigs {
  const { platform } = given;
  const { controlPlane, worker, nodes } = renderConfigs(requestOf(given));
  const from = given.source ?? { file: platform.name };
  const contract = contractOfPlatform(platform);
  const patched = ({ config, because }: RenderedConfig, patches: readonly Patch[]): NodeConfig => {
    const done = applyPatches({ config, provenance: because, contract }, patches);
    return { ...done, text: configText(done.config) };
  };
  const ofMachine = (machine: Machine): readonly [string, NodeConfig] => {
    const rendered = nodes.get(machine.name);
    if (rendered === undefined) throw new Error(`Nothing was rendered for ${machine.name}.`);
    return [machine.name, patched(rendered, patchesFor(platform, machine, from))];
  };
  return {
    controlPlane: patched(controlPlane, patchesForRole(platform, 'control-plane', from)),
    worker: patched(worker, patchesForRole(platform, 'worker', from)),
    nodes: new Map(platform.machines.map(ofMachine)),
  };
}

/** The file of a platform, and the places in it, for errors about its patches. */
export function sourceOf({ documents }: Pick<Reading, 'documents'>, { name }: Platform): PatchSource {
  const tree = documents.find((document) => document.kind === 'Platform' && document.name === name)?.tree;
  if (tree === undefined) return { file: name };
  return { file: tree.at.file, placeOf: (path) => locate(tree, ['spec', ...path]).node.at };
}

/** Where the Kubernetes API of a platform is reached. */
export const kubernetesEndpoint = (given: ConfigsRequest): string => endpointOf(requestOf(given)).url;

const requestOf = ({ platform, bundle, resolved }: ConfigsRequest): ConfigRequest => ({
  platform,
  secrets: bundle,
  resolved,
  identities: identitiesOf(platform),
});

/** Machines that ichor makes get the MAC addresses that it chose; those that are there already have their own. */
function identitiesOf(platform: Platform): ReadonlyMap<string, KnownMachine> {
  if (platform.provider.kind === 'existing' || platform.provider.kind === 'vitistack') return new Map();
  return new Map(
    platformIdentities(platform, undefined).map(([{ name }, { mac, address }]) => [name, { mac, address }]),
  );
}

/** A platform that was read has a version that ichor knows. */
export function contractOfPlatform({ cluster }: Platform): Contract {
  const version = parseVersion(cluster.talos.version);
  const contract = version && contractOf(version);
  if (contract === undefined) throw new Error(`There is no contract for Talos ${cluster.talos.version}.`);
  return contract;
}
