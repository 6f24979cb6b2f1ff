import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Cluster } from './cluster.ts';
import { everywhere, hostPath } from './daemon.ts';
import { clusterRole, clusterRoleBinding, serviceAccount } from './rbac.ts';

const namespace = 'kube-system';
const app = { 'k8s-app': 'flannel' };
const labels = { ...app, tier: 'node' };
const image = 'ghcr.io/siderolabs/flannel:v0.28.8';
const config = { name: 'flannel-cfg', mountPath: '/etc/kube-flannel/' };
const field = (name: string, fieldPath: string): object => ({ name, valueFrom: { fieldRef: { fieldPath } } });

/** The network that Talos brings when nobody else does. */
export const flannel = ({ podCidr }: Cluster): readonly KubeObject[] => [
  clusterRole('flannel', app, [
    { apiGroups: [''], resources: ['pods', 'nodes', 'namespaces'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
  ]),
  clusterRoleBinding('flannel', 'flannel', [{ kind: 'ServiceAccount', name: 'flannel', namespace }], app),
  serviceAccount('flannel', app),
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-flannel-cfg', namespace, labels },
    data: {
      'cni-conf.json': JSON.stringify(
        {
          name: 'cbr0',
          cniVersion: '1.0.0',
          plugins: [
            { type: 'flannel', delegate: { hairpinMode: true, isDefaultGateway: true } },
            { type: 'portmap', capabilities: { portMappings: true } },
          ],
        },
        undefined,
        2,
      ),
      'net-conf.json': JSON.stringify({ Network: podCidr, Backend: { Type: 'vxlan', Port: 4789 } }, undefined, 2),
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'kube-flannel', namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...everywhere,
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }] },
                ],
              },
            },
          },
          priorityClassName: 'system-node-critical',
          serviceAccountName: 'flannel',
          initContainers: [
            {
              name: 'install-config',
              image,
              command: ['cp'],
              args: ['-f', '/etc/kube-flannel/cni-conf.json', '/etc/cni/net.d/10-flannel.conflist'],
              volumeMounts: [{ name: 'cni', mountPath: '/etc/cni/net.d' }, config],
            },
          ],
          containers: [
            {
              name: 'kube-flannel',
              image,
              command: ['/opt/bin/flanneld'],
              args: ['--ip-masq', '--kube-subnet-mgr'],
              env: [
                field('POD_NAME', 'metadata.name'),
                field('POD_NAMESPACE', 'metadata.namespace'),
                { name: 'EVENT_QUEUE_DEPTH', value: '5000' },
                { name: 'CONT_WHEN_CACHE_NOT_READY', value: 'false' },
              ],
              resources: { requests: { cpu: '100m', memory: '50Mi' } },
              securityContext: { capabilities: { add: ['NET_ADMIN', 'NET_RAW'] }, privileged: false },
              volumeMounts: [{ name: 'run', mountPath: '/run/flannel' }, config],
            },
          ],
          volumes: [
            hostPath('run', '/run/flannel'),
            hostPath('cni', '/etc/cni/net.d'),
            { name: config.name, configMap: { name: 'kube-flannel-cfg' } },
          ],
        },
      },
    },
  },
];
