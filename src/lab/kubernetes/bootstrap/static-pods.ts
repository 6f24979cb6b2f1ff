import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { TwinNode } from '../twin.ts';
import type { Cluster } from './cluster.ts';

const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

const requests: Readonly<Record<string, object>> = {
  'kube-apiserver': { cpu: '200m', memory: '512Mi' },
  'kube-controller-manager': { cpu: '50m', memory: '256Mi' },
  'kube-scheduler': { cpu: '10m', memory: '64Mi' },
};

/** What a kubelet shows of the pods that Talos has it run without asking anybody. */
export const configVersion = 'talos.dev/config-version';

export function mirrorPods(cluster: Cluster, { name: node, staticPods }: TwinNode, uid: string): readonly KubeObject[] {
  return components.map((component) => {
    const version = String(staticPods?.[component] ?? 1);
    const hash = createHash('sha256').update(`${component} ${cluster.version} ${version}`).digest('hex').slice(0, 32);
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `${component}-${node}`,
        namespace: 'kube-system',
        labels: {
          tier: 'control-plane',
          'k8s-app': component,
          component,
          'app.kubernetes.io/name': component,
          'app.kubernetes.io/version': cluster.version,
          'app.kubernetes.io/component': 'control-plane',
          'app.kubernetes.io/managed-by': 'Talos',
        },
        annotations: {
          'kubernetes.io/config.hash': hash,
          'kubernetes.io/config.mirror': hash,
          'kubernetes.io/config.source': 'http',
          [configVersion]: version,
          'talos.dev/secrets-version': '1',
        },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node, uid, controller: true }],
      },
      spec: {
        nodeName: node,
        hostNetwork: true,
        priorityClassName: 'system-cluster-critical',
        priority: 2_000_000_000,
        enableServiceLinks: true,
        tolerations: [{ effect: 'NoExecute', operator: 'Exists' }],
        containers: [
          {
            name: component,
            image: `registry.k8s.io/${component}:${cluster.version}`,
            command: [`/usr/local/bin/${component}`],
            resources: { requests: requests[component] ?? {} },
          },
        ],
      },
    };
  });
}
