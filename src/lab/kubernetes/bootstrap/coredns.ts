import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Cluster } from './cluster.ts';
import { clusterRole, clusterRoleBinding, serviceAccount } from './rbac.ts';

const name = 'coredns';
const namespace = 'kube-system';
const app = { 'k8s-app': 'kube-dns' };
const bootstrapping = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

const ports = [
  { name: 'dns', protocol: 'UDP', port: 53 },
  { name: 'dns-tcp', protocol: 'TCP', port: 53 },
  { name: 'metrics', protocol: 'TCP', port: 9153 },
];

const probe = (path: string, port: number): object => ({ httpGet: { path, port, scheme: 'HTTP' } });

const exists = (key: string): object => ({ key, operator: 'Exists', effect: 'NoSchedule' });

/** Names inside of the cluster. */
export const coreDns = (cluster: Cluster): readonly KubeObject[] => [
  serviceAccount(name),
  clusterRole('system:coredns', bootstrapping, [
    { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
  ]),
  clusterRoleBinding('system:coredns', 'system:coredns', [{ kind: 'ServiceAccount', name, namespace }], bootstrapping),
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { Corefile: corefile(cluster.domain) } },
  deployment(),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'kube-dns',
      namespace,
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9153' },
      labels: { ...app, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
    },
    spec: {
      selector: app,
      clusterIP: cluster.dnsAddress,
      clusterIPs: [cluster.dnsAddress],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: ports.map((each) => ({ ...each, targetPort: each.port })),
    },
  },
];

const deployment = (): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels: { ...app, 'kubernetes.io/name': 'CoreDNS' } },
  spec: {
    replicas: 2,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    selector: { matchLabels: app },
    template: {
      metadata: { labels: app },
      spec: {
        serviceAccountName: name,
        priorityClassName: 'system-cluster-critical',
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        tolerations: [
          exists('node-role.kubernetes.io/control-plane'),
          exists('node.cloudprovider.kubernetes.io/uninitialized'),
        ],
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 100,
                podAffinityTerm: {
                  labelSelector: { matchExpressions: [{ key: 'k8s-app', operator: 'In', values: ['kube-dns'] }] },
                  topologyKey: 'kubernetes.io/hostname',
                },
              },
            ],
          },
        },
        containers: [
          {
            name,
            image: 'registry.k8s.io/coredns/coredns:v1.14.6',
            args: ['-conf', '/etc/coredns/Corefile'],
            env: [{ name: 'GOMEMLIMIT', value: '161MiB' }],
            resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
            volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
            ports: ports.map((each) => ({ name: each.name, protocol: each.protocol, containerPort: each.port })),
            livenessProbe: {
              ...probe('/health', 8080),
              initialDelaySeconds: 60,
              timeoutSeconds: 5,
              successThreshold: 1,
              failureThreshold: 5,
            },
            readinessProbe: probe('/ready', 8181),
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
              readOnlyRootFilesystem: true,
            },
          },
        ],
        dnsPolicy: 'Default',
        volumes: [{ name: 'config-volume', configMap: { name, items: [{ key: 'Corefile', path: 'Corefile' }] } }],
      },
    },
  },
});

const corefile = (domain: string): string =>
  block('.:53', [
    'errors',
    block('health', ['lameduck 5s']),
    'ready',
    block('log .', ['class error']),
    'prometheus :9153',
    '',
    block(`kubernetes ${domain} in-addr.arpa ip6.arpa`, [
      'pods insecure',
      'fallthrough in-addr.arpa ip6.arpa',
      'ttl 30',
    ]),
    block('forward . /etc/resolv.conf', ['max_concurrent 1000']),
    block('cache 30', [`disable success ${domain}`, `disable denial ${domain}`]),
    'loop',
    'reload',
    'loadbalance',
  ]) + '\n';

const block = (head: string, lines: readonly string[]): string =>
  `${head} {\n${lines
    .flatMap((line) => line.split('\n'))
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n')}\n}`;
