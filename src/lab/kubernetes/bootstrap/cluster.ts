import type { KubernetesOptions } from '../twin.ts';

/** What Talos knows of a cluster when it installs what every cluster has. */
export type Cluster = {
  /** `v1.36.3` */
  readonly version: string;
  readonly endpoint: string;
  readonly domain: string;
  readonly podCidr: string;
  /** First address of the services: the API’s own. */
  readonly apiAddress: string;
  readonly dnsAddress: string;
  readonly cni: 'none' | 'flannel';
  readonly kubeProxy: boolean;
};

export function clusterOf(options: KubernetesOptions): Cluster {
  const { serviceCidr = '10.96.0.0/12', podCidr = '10.244.0.0/16', endpoint = '' } = options;
  const base = (serviceCidr.split('/')[0] ?? '').replace(/\d+$/, '');
  return {
    version: options.version ?? 'v1.36.3',
    endpoint,
    domain: options.clusterDomain ?? 'cluster.local',
    podCidr,
    apiAddress: `${base}1`,
    dnsAddress: `${base}10`,
    cni: options.cni ?? 'flannel',
    kubeProxy: options.kubeProxy ?? true,
  };
}
