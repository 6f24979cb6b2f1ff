import type { KubeObject } from '../../wire/kubernetes/objects.ts';
import type { KubernetesOptions } from './twin.ts';

const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** What an API server makes by the rules of everybody, as soon as it runs; by resource. */
export const firstObjects = (options: KubernetesOptions): readonly (readonly [string, KubeObject])[] => [
  ...systemNamespaces.map(
    (name) => ['/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }] as const,
  ),
  [
    '/configmaps',
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
      data: { 'client-ca-file': (options.clientAuthorities ?? []).join('') },
    },
  ],
];
