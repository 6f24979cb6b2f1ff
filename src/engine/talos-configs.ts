import { platformIdentities } from '../plan/proof.ts';
import type { Inventory } from '../model/host.ts';
import type { Machine, Role } from '../model/machine.ts';
import { parseVersion } from '../model/version.ts';
import type { Platform } from '../spec/platform.ts';
import type { Reading } from '../spec/read.ts';
import { locate } from '../spec/tree.ts';
import { contractOf, type Contract } from '../talos/config/contract.ts';
import { endpointOf } from '../talos/config/endpoint.ts';
import { configRenderer, type RenderedConfig } from '../talos/config/render.ts';
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
  /** What machines have already, they keep. */
  readonly inventory?: Inventory | undefined;
  /** Addresses of machines, where they were found. */
  readonly found?: ReadonlyMap<string, string>;
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
  const { ofRole, ofMachine } = configMaker(given);
  return {
    controlPlane: ofRole('control-plane'),
    worker: ofRole('worker'),
    nodes: new Map(given.platform.machines.map((machine) => [machine.name, ofMachine(machine)])),
  };
}

export type ConfigMaker = {
  readonly ofRole: (role: Role) => NodeConfig;
  readonly ofMachine: (machine: Machine) => NodeConfig;
};

/** The same, one by one. */
export function configMaker(given: ConfigsRequest): ConfigMaker {
  const { platform } = given;
  const { ofRole, ofNode } = configRenderer(requestOf(given));
  const from = given.source ?? { file: platform.name };
  const contract = contractOfPlatform(platform);
  const patched = ({ config, because }: RenderedConfig, patches: readonly Patch[]): NodeConfig => {
    const done = applyPatches({ config, provenance: because, contract }, patches);
    return { ...done, text: configText(done.config) };
  };
  return {
    ofRole: (role) => patched(ofRole(role), patchesForRole(platform, role, from)),
    ofMachine: (machine) => patched(ofNode(machine), patchesFor(platform, machine, from)),
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

const requestOf = (given: ConfigsRequest): ConfigRequest => ({
  platform: given.platform,
  secrets: given.bundle,
  resolved: given.resolved,
  identities: identitiesOf(given),
});

/** Machines that ichor makes get the MAC addresses that it chose; those that are there already have their own. */
function identitiesOf({ platform, inventory, found }: ConfigsRequest): ReadonlyMap<string, KnownMachine> {
  if (platform.provider.kind === 'existing' || platform.provider.kind === 'vitistack') return new Map();
  const first = endpointMachine(platform);
  return new Map(
    platformIdentities(platform, inventory).map(([{ name, fixed }, { mac, address }]) => [
      name,
      { mac, address: fixed.address ?? (name === first ? (found?.get(name) ?? address) : null) },
    ]),
  );
}

/**
 * The one machine whose address, wherever it comes from, all others are told; undefined: the file says where the API is. Other
 * addresses that were found count for nothing: the same configuration comes of the same file, whoever answers at the moment.
 */
export function endpointMachine({ cluster, machines }: Platform): string | undefined {
  if (cluster.endpoint.vip !== undefined || cluster.endpoint.host !== undefined) return undefined;
  return machines.find(({ role }) => role === 'control-plane')?.name;
}

/** A platform that was read has a version that ichor knows. */
export function contractOfPlatform({ cluster }: Platform): Contract {
  const version = parseVersion(cluster.talos.version);
  const contract = version && contractOf(version);
  if (contract === undefined) throw new Error(`There is no contract for Talos ${cluster.talos.version}.`);
  return contract;
}
