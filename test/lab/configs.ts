import type { TestSecrets } from './secrets.ts';

export type TestConfig = {
  readonly endpoint?: string;
  readonly hostname?: string;
  /** Lines put under `machine`, with their indent of four. */
  readonly machine?: string;
  /** Lines put under `kubelet`. */
  readonly kubelet?: string;
  readonly documents?: string;
  readonly cni?: 'flannel' | 'none';
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** As `talosctl gen config` lays it out, without its comments. */
export function configOf(type: 'controlplane' | 'worker', secrets: TestSecrets, given: TestConfig = {}): string {
  const controlPlane = type === 'controlplane';
  const key = (text: string): string => (controlPlane ? base64(text) : '""');
  const lines = [
    'version: v1alpha1',
    'debug: false',
    'persist: true',
    'machine:',
    `    type: ${type}`,
    `    token: ${secrets.token}`,
    '    ca:',
    `        crt: ${base64(secrets.os.crt)}`,
    `        key: ${key(secrets.os.key)}`,
    '    certSANs: []',
    '    kubelet:',
    '        image: ghcr.io/siderolabs/kubelet:v1.36.3',
    ...(given.kubelet === undefined ? [] : [given.kubelet]),
    '        defaultRuntimeSeccompProfileEnabled: true',
    '        disableManifestsDirectory: true',
    '    install:',
    '        disk: /dev/sda',
    '        image: ghcr.io/siderolabs/installer:v1.13.9',
    '        wipe: false',
    '        grubUseUKICmdline: true',
    ...(given.machine === undefined ? [] : [given.machine]),
    '    features:',
    '        diskQuotaSupport: true',
    '        kubePrism:',
    '            enabled: true',
    '            port: 7445',
    '        hostDNS:',
    '            enabled: true',
    '            forwardKubeDNSToHost: true',
    'cluster:',
    `    id: ${secrets.id}`,
    `    secret: ${secrets.id}`,
    '    controlPlane:',
    `        endpoint: ${given.endpoint ?? 'https://10.5.0.40:6443'}`,
    '    clusterName: chk',
    '    network:',
    ...(given.cni === undefined ? [] : ['        cni:', `            name: ${given.cni}`]),
    '        dnsDomain: cluster.local',
    '        podSubnets:',
    '            - 10.244.0.0/16',
    '        serviceSubnets:',
    '            - 10.96.0.0/12',
    `    token: ${secrets.token}`,
    ...(controlPlane ? [`    secretboxEncryptionSecret: ${secrets.id}`] : []),
    '    ca:',
    `        crt: ${base64(secrets.kubernetes.crt)}`,
    `        key: ${key(secrets.kubernetes.key)}`,
    ...(controlPlane
      ? [
          '    aggregatorCA:',
          `        crt: ${base64(secrets.aggregator.crt)}`,
          `        key: ${base64(secrets.aggregator.key)}`,
          '    serviceAccount:',
          `        key: ${base64(secrets.kubernetes.key)}`,
          '    apiServer:',
          '        image: registry.k8s.io/kube-apiserver:v1.36.3',
          '    controllerManager:',
          '        image: registry.k8s.io/kube-controller-manager:v1.36.3',
          '    proxy:',
          '        image: registry.k8s.io/kube-proxy:v1.36.3',
          '    scheduler:',
          '        image: registry.k8s.io/kube-scheduler:v1.36.3',
        ]
      : []),
    '    discovery:',
    '        enabled: true',
    '        registries:',
    '            kubernetes:',
    '                disabled: true',
    '            service: {}',
    ...(controlPlane
      ? [
          '    etcd:',
          '        ca:',
          `            crt: ${base64(secrets.etcd.crt)}`,
          `            key: ${base64(secrets.etcd.key)}`,
        ]
      : []),
    '---',
    'apiVersion: v1alpha1',
    'kind: HostnameConfig',
    ...(given.hostname === undefined ? ['auto: stable'] : ['auto: off', `hostname: ${given.hostname}`]),
    ...(given.documents === undefined ? [] : [given.documents]),
  ];
  return `${lines.join('\n')}\n`;
}
