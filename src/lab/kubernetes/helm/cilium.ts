import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { clusterRole, clusterRoleBinding, serviceAccount } from '../bootstrap/rbac.ts';
import { everywhere, hostPath } from '../bootstrap/daemon.ts';
import type { Values } from './record.ts';

type Labels = Readonly<Record<string, string>>;

/** What the chart of Cilium renders, as far as somebody in the lab looks at it: who runs where, and what it is told. */
export function ciliumObjects(version: string, namespace: string, values: Values): readonly KubeObject[] {
  const flag = (path: string, usual: boolean): boolean => (valueAt(values, path) ?? usual) === true;
  const accounts = ['cilium', 'cilium-operator', ...(flag('envoy.enabled', true) ? ['cilium-envoy'] : [])];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'cilium-secrets', labels: partOf } },
    ...accounts.map((name) => inNamespace(serviceAccount(name, partOf), namespace)),
    inNamespace(configOf(values), namespace),
    ...['cilium', 'cilium-operator'].flatMap((name) => [
      clusterRole(name, partOf, [{ apiGroups: ['cilium.io'], resources: ['*'], verbs: ['*'] }]),
      clusterRoleBinding(name, name, [{ kind: 'ServiceAccount', name, namespace }], partOf),
    ]),
    inNamespace(agent(version), namespace),
    ...(flag('envoy.enabled', true) ? [inNamespace(envoy(version), namespace)] : []),
    inNamespace(operator(version, Number(valueAt(values, 'operator.replicas') ?? 2)), namespace),
    ...(flag('hubble.relay.enabled', false) ? [inNamespace(hubble('hubble-relay', version), namespace)] : []),
    ...(flag('hubble.ui.enabled', false) ? [inNamespace(hubble('hubble-ui', version), namespace)] : []),
  ];
}

const partOf: Labels = { 'app.kubernetes.io/part-of': 'cilium' };

const inNamespace = (object: KubeObject, namespace: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

function valueAt(values: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? (at as Values)[key] : undefined), values);
}

const configOf = (values: Values): KubeObject => {
  const text = (path: string, usual: string): string => {
    const said = valueAt(values, path);
    return typeof said === 'string' || typeof said === 'boolean' ? String(said) : usual;
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cilium-config', labels: partOf },
    data: {
      'cgroup-root': text('cgroup.hostRoot', '/run/cilium/cgroupv2'),
      debug: text('debug.enabled', 'false'),
      'enable-hubble': text('hubble.enabled', 'true'),
      'enable-ipv4': text('ipv4.enabled', 'true'),
      'enable-ipv6': text('ipv6.enabled', 'false'),
      'enable-l2-announcements': text('l2announcements.enabled', 'false'),
      ipam: text('ipam.mode', 'cluster-pool'),
      'kube-proxy-replacement': text('kubeProxyReplacement', 'false'),
    },
  };
};

/** What a template gets when the settings change: it is rolled out anew. */
const agent = (version: string): KubeObject =>
  daemonSet(
    'cilium',
    'cilium-agent',
    { 'k8s-app': 'cilium' },
    {
      serviceAccountName: 'cilium',
      initContainers: [{ name: 'config', image: agentImage(version), command: ['cilium-dbg', 'build-config'] }],
      containers: [
        {
          name: 'cilium-agent',
          image: agentImage(version),
          command: ['cilium-agent'],
          args: ['--config-dir=/tmp/cilium/config-map'],
        },
      ],
      volumes: [
        hostPath('cilium-run', '/var/run/cilium'),
        hostPath('cni-path', '/opt/cni/bin'),
        hostPath('etc-cni-netd', '/etc/cni/net.d'),
      ],
    },
  );

const agentImage = (version: string): string => `quay.io/cilium/cilium:v${version}`;

const envoy = (version: string): KubeObject =>
  daemonSet(
    'cilium-envoy',
    'cilium-envoy',
    { 'k8s-app': 'cilium-envoy' },
    {
      serviceAccountName: 'cilium-envoy',
      containers: [
        {
          name: 'cilium-envoy',
          image: `quay.io/cilium/cilium-envoy:v${version}`,
          command: ['/usr/bin/cilium-envoy-starter'],
        },
      ],
    },
  );

function daemonSet(name: string, app: string, selector: Labels, spec: object): KubeObject {
  const labels = { ...selector, ...partOf, 'app.kubernetes.io/name': app };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, labels },
    spec: {
      selector: { matchLabels: selector },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
      template: {
        metadata: { labels },
        spec: {
          ...everywhere,
          tolerations: [{ operator: 'Exists' }],
          priorityClassName: 'system-node-critical',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          ...spec,
        },
      },
    },
  };
}

/** By these the lab knows who brings the kinds of Cilium. */
export const operatorLabels: Labels = { 'io.cilium/app': 'operator', name: 'cilium-operator' };

function operator(version: string, replicas: number): KubeObject {
  const labels = { ...operatorLabels, ...partOf, 'app.kubernetes.io/name': 'cilium-operator' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'cilium-operator', labels },
    spec: {
      replicas,
      selector: { matchLabels: operatorLabels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '50%' } },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          tolerations: [{ operator: 'Exists' }],
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: 'cilium-operator',
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                {
                  labelSelector: { matchLabels: { 'io.cilium/app': 'operator' } },
                  topologyKey: 'kubernetes.io/hostname',
                },
              ],
            },
          },
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          containers: [
            {
              name: 'cilium-operator',
              image: `quay.io/cilium/operator-generic:v${version}`,
              command: ['cilium-operator-generic'],
            },
          ],
        },
      },
    },
  };
}

const hubble = (name: string, version: string): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { 'k8s-app': name, ...partOf } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { 'k8s-app': name } },
    template: {
      metadata: { labels: { 'k8s-app': name, ...partOf } },
      spec: { containers: [{ name, image: `quay.io/cilium/${name}:v${version}` }] },
    },
  },
});
