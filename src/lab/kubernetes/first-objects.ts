import type { KubeObject } from '../../wire/kubernetes/objects.ts';
import { timestamp } from './verbs/meta.ts';
import type { KubernetesOptions } from './twin.ts';

const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const usualServices = '10.96.0.0/12';

/** What an API server makes as soon as it runs, whether or not anybody else does; by resource. */
export const firstObjects = (options: KubernetesOptions, now: Date): readonly (readonly [string, KubeObject])[] => [
  ...systemNamespaces.map(
    (name) => ['/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }] as const,
  ),
  [
    'networking.k8s.io/servicecidrs',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'kubernetes' },
      spec: { cidrs: [options.serviceCidr ?? usualServices] },
      status: {
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            lastTransitionTime: timestamp(now),
            reason: '',
            message: 'Kubernetes default Service CIDR is ready',
          },
        ],
      },
    },
  ],
  priorityClass('system-node-critical', 2_000_001_000, 'must not be moved from their current node.'),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'must run in the cluster, but can be moved to another node if necessary.',
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

const priorityClass = (name: string, value: number, which: string): readonly [string, KubeObject] => [
  'scheduling.k8s.io/priorityclasses',
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    description: `Used for system critical pods that ${which}`,
  },
];
