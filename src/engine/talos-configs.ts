import { platformIdentities } from '../plan/proof.ts';
import { parseVersion } from '../model/version.ts';
import type { Platform } from '../spec/platform.ts';
import { contractOf, type Contract } from '../talos/config/contract.ts';
import { endpointOf } from '../talos/config/endpoint.ts';
import { renderConfigs, type RenderedConfig } from '../talos/config/render.ts';
import type { ConfigRequest, KnownMachine } from '../talos/config/request.ts';
import { configText } from '../talos/config/text.ts';
import type { SecretsBundle } from '../talos/secrets/bundle.ts';

export { referencesOf } from '../talos/config/references.ts';

export type ConfigsRequest = {
  readonly platform: Platform;
  readonly bundle: SecretsBundle;
  readonly resolved: ReadonlyMap<string, string>;
};

/** A configuration as it is applied; secrets are in it. */
export type NodeConfig = RenderedConfig & { readonly text: string };

export type PlatformConfigs = {
  readonly controlPlane: NodeConfig;
  readonly worker: NodeConfig;
  /** By machine name. */
  readonly nodes: ReadonlyMap<string, NodeConfig>;
};

export function configsOf(given: ConfigsRequest): PlatformConfigs {
  const { controlPlane, worker, nodes } = renderConfigs(requestOf(given));
  return {
    controlPlane: written(controlPlane),
    worker: written(worker),
    nodes: new Map([...nodes].map(([name, rendered]) => [name, written(rendered)])),
  };
}

const written = (rendered: RenderedConfig): NodeConfig => ({ ...rendered, text: configText(rendered.config) });

/** Where the Kubernetes API of a platform is reached. */
export const kubernetesEndpoint = (given: ConfigsRequest): string => endpointOf(requestOf(given)).url;

const requestOf = ({ platform, bundle, resolved }: ConfigsRequest): ConfigRequest => ({
  platform,
  secrets: bundle,
  resolved,
  identities: identitiesOf(platform),
  schematicOf: () => '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba',
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
