import type { LabClock } from '../clock.ts';
import type { KubernetesApi, LabCluster } from '../talos/world.ts';
import { startKubernetesTwin } from './start.ts';
import type { KubernetesOptions, KubernetesTwin } from './twin.ts';

/** A cluster of the lab, for whoever looks at it from outside. */
export type LabKubernetes = Pick<LabCluster, 'name' | 'endpoint' | 'isThere'> & { readonly twin: KubernetesTwin };

/** Remembers that Talos itself has cordoned a node, and so may let pods onto it again. */
const cordoned = 'talos.dev/cordoned';
const talos = { manager: 'Talos' };

/** Puts a Kubernetes of its own onto every cluster that Talos twins make. */
export function kubernetesForTalos(
  options: Pick<KubernetesOptions, 'durations' | 'seed'> & { readonly clock: LabClock },
  onCluster: (cluster: LabKubernetes) => void = () => undefined,
): (cluster: LabCluster) => KubernetesApi {
  return (cluster) => {
    const { settings, ca, endpoint, name } = cluster;
    const [podCidr] = settings.podSubnets;
    const [serviceCidr] = settings.serviceSubnets;
    const twin = startKubernetesTwin({
      ...options,
      ...(settings.version === undefined ? {} : { version: settings.version }),
      clientAuthorities: [ca.crt, ...settings.acceptedCas],
      endpoint,
      ...(podCidr === undefined ? {} : { podCidr }),
      ...(serviceCidr === undefined ? {} : { serviceCidr }),
      clusterDomain: settings.domain,
      cni: settings.cni === 'none' ? 'none' : 'flannel',
      kubeProxy: settings.kubeProxy,
    });
    onCluster({ name, endpoint, isThere: cluster.isThere, twin });
    return plugged(twin, cluster);
  };
}

function plugged(twin: KubernetesTwin, cluster: LabCluster): KubernetesApi {
  const { api } = twin;
  let last = '';
  let alive = new Set<string>();
  const tellReady = (name: string): void => cluster.setReady(name, twin.isReady(name));
  api.onChange('/nodes', ({ object }) => tellReady(object.metadata.name ?? ''));
  return {
    handle: twin.handle,
    changed: () => {
      const nodes = cluster.nodes().map(({ ready: _ready, kubeletVersion, ...node }) => ({
        ...node,
        ...(kubeletVersion === undefined ? {} : { kubeletVersion }),
      }));
      const now = JSON.stringify(nodes);
      if (now === last) return;
      last = now;
      const up = new Set(nodes.filter((node) => node.alive).map(({ name }) => name));
      const risen = [...up].filter((name) => !alive.has(name));
      alive = up;
      twin.setNodes(nodes);
      for (const name of risen) uncordon(twin, name);
    },
    drain: (node) => drain(twin, node),
    close: async () => twin[Symbol.asyncDispose](),
  };
}

function uncordon({ api }: KubernetesTwin, name: string): void {
  if (api.get('/nodes', undefined, name)?.metadata.annotations?.[cordoned] === undefined) return;
  api.update(
    '/nodes',
    undefined,
    name,
    ({ metadata, spec }) => {
      delete (metadata as { annotations: Record<string, string> }).annotations[cordoned];
      delete (spec as { unschedulable?: boolean }).unschedulable;
    },
    talos,
  );
}

/** What Talos does before a node goes down by itself; pods that no controller makes again go with it. */
function drain({ api }: KubernetesTwin, name: string): void {
  api.update(
    '/nodes',
    undefined,
    name,
    ({ metadata, spec }) => {
      const meta = metadata as { annotations?: Record<string, string> };
      if ((spec as { unschedulable?: boolean }).unschedulable === true) return;
      meta.annotations = { ...meta.annotations, [cordoned]: 'true' };
      Object.assign(spec as object, { unschedulable: true });
    },
    talos,
  );
  for (const { metadata, spec } of api.list('/pods')) {
    const stays = metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet' || kind === 'Node') === true;
    if ((spec as { nodeName?: string }).nodeName === name && !stays)
      api.delete('/pods', metadata.namespace, metadata.name ?? '', {}, talos);
  }
}
