import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { OnReport } from '../controllers/node.ts';
import type { Tools } from '../controllers/tools.ts';
import { clusterOf } from './cluster.ts';
import { coreDns } from './coredns.ts';
import { flannel } from './flannel.ts';
import { kubeProxy } from './kube-proxy.ts';
import { nodeAccess } from './rbac.ts';
import { configVersion, mirrorPods } from './static-pods.ts';

const talos = { manager: 'talos' };
const kubelet = { manager: 'kubelet' };

/** What Talos puts into a new cluster. What is there already stays as it is. */
export function bootstrap({ api, options }: Tools): void {
  const cluster = clusterOf(options);
  const objects: readonly KubeObject[] = [
    ...nodeAccess,
    inClusterKubeconfig(cluster.endpoint),
    ...coreDns(cluster),
    ...(cluster.kubeProxy ? kubeProxy(cluster) : []),
    ...(cluster.cni === 'flannel' ? flannel(cluster) : []),
  ];
  for (const object of objects) {
    const definition = api.definition(object.apiVersion, object.kind);
    if (definition === undefined) continue;
    const resource = `${definition.group}/${definition.resource}`;
    const { namespace, name = '' } = object.metadata;
    if (api.get(resource, namespace, name) === undefined) api.create(resource, object, talos);
  }
}

/** The pods of a control plane show up with its node; one that is configured otherwise is another one. */
export const keepMirrors =
  ({ api, options }: Tools): OnReport =>
  (machine, { metadata }) => {
    if (!machine.controlPlane) return;
    for (const pod of mirrorPods(clusterOf(options), machine, metadata.uid)) {
      const { namespace, name = '', annotations = {} } = pod.metadata;
      const there = api.get('/pods', namespace, name);
      if (there !== undefined && there.metadata.annotations?.[configVersion] === annotations[configVersion]) continue;
      if (there !== undefined) api.delete('/pods', namespace, name, { gracePeriodSeconds: 0 }, kubelet);
      api.create('/pods', pod, kubelet);
    }
  };

const inClusterKubeconfig = (endpoint: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kubeconfig-in-cluster', namespace: 'kube-system' },
  data: {
    kubeconfig: [
      'apiVersion: v1',
      'kind: Config',
      'clusters:',
      '- name: local',
      '  cluster:',
      `    server: ${endpoint}`,
      '    certificate-authority: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
      'users:',
      '- name: service-account',
      '  user:',
      '    tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token',
      'contexts:',
      '- context:',
      '    cluster: local',
      '    user: service-account',
      '',
    ].join('\n'),
  },
});
