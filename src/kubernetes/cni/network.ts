import type { Manifest } from '../../model/manifest.ts';
import type { Platform } from '../../spec/platform.ts';
import type { Decided, Values } from '../values.ts';
import { ciliumValues } from './cilium.ts';
import { ciliumPools } from './cilium-pools.ts';

/** A chart and where it goes. The same for helm, for the Job and for whoever takes over later. */
export type Release = {
  readonly name: string;
  readonly namespace: string;
  readonly chart: string;
  /** A repository of charts, or `oci://…` with the chart's name behind it. */
  readonly repository: string;
  readonly version: string;
  readonly values: Values;
};

/** The pod network of a platform: what is installed, and by whom. */
export type Network =
  | {
      readonly kind: 'cilium';
      readonly release: Release;
      readonly decided: readonly Decided[];
      /** For the CRDs that Cilium's operator brings. */
      readonly manifests: readonly Manifest[];
      readonly ipsec: boolean;
      readonly reach: ApiReach;
    }
  /** Talos installs it. */
  | { readonly kind: 'flannel' }
  /** Somebody else does. */
  | { readonly kind: 'none' };

/** How the Kubernetes API is reached from a node that has no network yet. */
export type ApiReach = { readonly via: 'kubeprism' | 'own-address'; readonly port: number };

export function networkOf(platform: Platform): Network {
  const { cni, kubePrism, endpoint } = platform.cluster;
  if (cni.flannel !== undefined) return { kind: 'flannel' };
  const { cilium } = cni;
  if (cilium === undefined) return { kind: 'none' };
  const { values, decided } = ciliumValues(platform, cilium);
  return {
    kind: 'cilium',
    release: {
      name: 'cilium',
      namespace: 'kube-system',
      chart: 'cilium',
      repository: 'https://helm.cilium.io',
      version: cilium.version.replace(/^v/, ''),
      values,
    },
    decided,
    manifests: ciliumPools(cilium),
    ipsec: cilium.encryption === 'ipsec',
    reach: kubePrism.enabled
      ? { via: 'kubeprism', port: kubePrism.port }
      : // A load balancer may listen elsewhere; a control plane's own API server does not.
        { via: 'own-address', port: endpoint.host === undefined ? endpoint.port : 6443 },
  };
}
