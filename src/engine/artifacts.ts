import { yamlFields } from '../talos/yaml-fields.ts';
import type { ConfigMaker, ConfigsRequest } from './talos-configs.ts';
import { settleTalosconfig, type Making, type Present } from './talos-identity.ts';
import { issueKubeconfig, placeKubeconfig } from './talos-kubeconfig.ts';

/** Files that people get, in the folder of the secrets. */
export const artifactPaths = ['talosconfig', 'kubeconfig', 'control-plane.yaml', 'worker.yaml'] as const;

export type ArtifactRequest = {
  /** As it is now; what is good already stays. */
  readonly present: Present | undefined;
  /** Addresses of the control planes, as far as they are known. */
  readonly endpoints: readonly string[];
  readonly request: ConfigsRequest;
  readonly maker: () => Promise<ConfigMaker>;
};

/** What a file for people should say. Secret. */
export async function artifactOf(path: string, given: ArtifactRequest, making: Making): Promise<string> {
  switch (path) {
    case 'talosconfig':
      return talosconfig(given, making);
    case 'kubeconfig':
      return placeKubeconfig(given.present, await issueKubeconfig(given.request, making), making.clock).text;
    case 'control-plane.yaml':
      return (await given.maker()).ofRole('control-plane').text;
    case 'worker.yaml':
      return (await given.maker()).ofRole('worker').text;
    default:
      throw new Error(`There is no file ${path} to be made.`);
  }
}

async function talosconfig({ present, endpoints, request }: ArtifactRequest, making: Making): Promise<string> {
  const wanted = {
    cluster: request.platform.cluster.name,
    endpoints,
    // One: much of what talosctl does, its health check for one, refuses to be asked of several.
    nodes: endpoints.slice(0, 1),
    bundle: request.bundle,
  };
  return (await settleTalosconfig(present, wanted, making)).text;
}

/** A kubeconfig or talosconfig as a program takes it. */
export const artifactFields = (text: string): unknown => yamlFields(text);
