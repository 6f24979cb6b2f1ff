import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Cluster } from './cluster.ts';
import { everywhere, hostPath } from './daemon.ts';
import { clusterRoleBinding, serviceAccount } from './rbac.ts';

const namespace = 'kube-system';
const name = 'kube-proxy';
const labels = { tier: 'node', 'k8s-app': name };
const field = (env: string, fieldPath: string): object => ({ name: env, valueFrom: { fieldRef: { fieldPath } } });

/** Addresses of services, unless the network takes care of them. */
export const kubeProxy = ({ version, podCidr }: Cluster): readonly KubeObject[] => [
  serviceAccount(name),
  clusterRoleBinding(name, 'system:node-proxier', [{ kind: 'ServiceAccount', name, namespace }]),
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels },
        spec: {
          ...everywhere,
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: name,
          containers: [
            {
              name,
              image: `registry.k8s.io/kube-proxy:${version}`,
              command: [
                '/usr/local/bin/kube-proxy',
                `--cluster-cidr=${podCidr}`,
                '--conntrack-max-per-core=0',
                '--hostname-override=$(NODE_NAME)',
                '--kubeconfig=/etc/kubernetes/kubeconfig',
                '--proxy-mode=nftables',
              ],
              env: [field('NODE_NAME', 'spec.nodeName'), field('POD_IP', 'status.podIP')],
              securityContext: { privileged: true },
              volumeMounts: [
                { name: 'lib-modules', mountPath: '/lib/modules', readOnly: true },
                { name: 'ssl-certs-host', mountPath: '/etc/ssl/certs', readOnly: true },
                { name: 'kubeconfig', mountPath: '/etc/kubernetes', readOnly: true },
              ],
            },
          ],
          volumes: [
            hostPath('lib-modules', '/usr/lib/modules'),
            hostPath('ssl-certs-host', '/etc/ssl/certs'),
            { name: 'kubeconfig', configMap: { name: 'kubeconfig-in-cluster' } },
          ],
        },
      },
    },
  },
];
