import type { ConfigChange } from '../model/step.ts';

export type VersionChange = { readonly from: string; readonly to: string };

/** Images that say which Kubernetes a machine runs; the first that changes tells. */
const images = ['cluster.apiServer.image', 'machine.kubelet.image'];

/** From which Kubernetes to which one a configuration goes; undefined: it stays, or nobody can tell. */
export function kubernetesChange(changes: readonly ConfigChange[]): VersionChange | undefined {
  for (const image of images) {
    const change = changes.find(({ path }) => path === image);
    const [from, to] = [tagOf(change?.before), tagOf(change?.after)];
    if (from !== undefined && to !== undefined && from !== to) return { from, to };
  }
  return undefined;
}

/** The version that a kubelet goes to; undefined: it stays, or nobody can tell. */
export const kubeletVersion = (changes: readonly ConfigChange[]): string | undefined =>
  tagOf(changes.find(({ path }) => path === 'machine.kubelet.image' || path === 'KubeletConfig.image')?.after);

/** `v1.35.2` → `v1.35`. */
export const minorIn = (version: string): string | undefined => /^v\d+\.\d+/.exec(version)?.[0];

const tagOf = (image: string | undefined): string | undefined =>
  /:(v\d+\.\d+\.\d+[^@/:]*)(?:@|$)/.exec(image ?? '')?.[1];
