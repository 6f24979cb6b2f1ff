import type { KubeObject } from '../../../wire/kubernetes/objects.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';

export const serviceAccount = (name: string, labels?: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: 'kube-system', ...(labels === undefined ? {} : { labels }) },
});

export const clusterRole = (
  name: string,
  labels: Readonly<Record<string, string>>,
  rules: readonly object[],
): KubeObject => ({ apiVersion, kind: 'ClusterRole', metadata: { name, labels }, rules });

export type Subject = { readonly kind: string; readonly name: string; readonly namespace?: string };

export const clusterRoleBinding = (
  name: string,
  role: string,
  subjects: readonly Subject[],
  labels?: Readonly<Record<string, string>>,
): KubeObject => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: {
    name,
    ...(labels === undefined ? {} : { labels }),
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: subjects.map((each) => ({
    ...each,
    ...(each.kind === 'Group' ? { apiGroup: 'rbac.authorization.k8s.io' } : {}),
  })),
});

const group = (name: string): Subject => ({ kind: 'Group', name });

/** What kubelets may do to join, and Talos on every node. */
export const nodeAccess: readonly KubeObject[] = [
  clusterRoleBinding('system-bootstrap-node-bootstrapper', 'system:node-bootstrapper', [
    group('system:bootstrappers:nodes'),
    group('system:nodes'),
  ]),
  clusterRoleBinding(
    'system-bootstrap-approve-node-client-csr',
    'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    [group('system:bootstrappers:nodes')],
  ),
  clusterRoleBinding(
    'system-bootstrap-node-renewal',
    'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    [group('system:nodes')],
  ),
  clusterRole('system:talos-nodes', { 'kubernetes.io/bootstrapping': 'rbac-defaults' }, [
    { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
  ]),
  clusterRoleBinding('system:talos-nodes', 'system:talos-nodes', [group('system:nodes')], {
    'kubernetes.io/bootstrapping': 'rbac-defaults',
  }),
];
