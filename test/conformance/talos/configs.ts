import type { Secrets } from './pki.ts';

export type ConfigPlan = {
  readonly secrets: Secrets;
  readonly controlPlane: string;
  /** Documents that the place needs: mirrors, where there is no internet. */
  readonly extra: string;
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Talos’ own label for its kind of key. */
const talosKey = (key: string): string => key.replaceAll('PRIVATE KEY', 'ED25519 PRIVATE KEY');

const machine = ({ secrets }: ConfigPlan, type: 'controlplane' | 'worker'): string => `version: v1alpha1
debug: false
persist: true
machine:
  type: ${type}
  token: ${secrets.token}
  ca:
    crt: ${base64(secrets.talos.crt)}
    key: ${type === 'worker' ? '""' : base64(talosKey(secrets.talos.key))}
  certSANs: []
  kubelet:
    image: ghcr.io/siderolabs/kubelet:v1.36.3
    extraConfig:
      failCgroupV1: false
    defaultRuntimeSeccompProfileEnabled: true
    disableManifestsDirectory: true
  install:
    disk: /dev/sda
    image: ghcr.io/siderolabs/installer:v1.13.9
    wipe: false
  features:
    diskQuotaSupport: true
    kubePrism:
      enabled: true
      port: 7445
    hostDNS:
      enabled: true
      forwardKubeDNSToHost: true
`;

const cluster = ({ secrets, controlPlane }: ConfigPlan, type: 'controlplane' | 'worker'): string => `cluster:
  id: ${secrets.clusterId}
  secret: ${secrets.clusterSecret}
  controlPlane:
    endpoint: https://${controlPlane}:6443
  clusterName: conformance
  network:
    cni:
      name: none
    dnsDomain: cluster.local
    podSubnets:
      - 10.244.0.0/16
    serviceSubnets:
      - 10.96.0.0/12
  token: ${secrets.bootstrapToken}
  ca:
    crt: ${base64(secrets.kubernetes.crt)}
    key: ${type === 'worker' ? '""' : base64(secrets.kubernetes.key)}
  discovery:
    enabled: false
`;

const controlPlaneOnly = ({ secrets }: ConfigPlan): string => `  secretboxEncryptionSecret: ${secrets.secretbox}
  aggregatorCA:
    crt: ${base64(secrets.aggregator.crt)}
    key: ${base64(secrets.aggregator.key)}
  serviceAccount:
    key: ${base64(secrets.serviceAccountKey)}
  apiServer:
    image: registry.k8s.io/kube-apiserver:v1.36.3
  controllerManager:
    image: registry.k8s.io/kube-controller-manager:v1.36.3
  proxy:
    disabled: true
  scheduler:
    image: registry.k8s.io/kube-scheduler:v1.36.3
  coreDNS:
    disabled: true
  etcd:
    ca:
      crt: ${base64(secrets.etcd.crt)}
      key: ${base64(secrets.etcd.key)}
`;

const hostname = `---
apiVersion: v1alpha1
kind: HostnameConfig
auto: stable
`;

export const controlPlaneConfig = (plan: ConfigPlan): string =>
  machine(plan, 'controlplane') + cluster(plan, 'controlplane') + controlPlaneOnly(plan) + plan.extra + hostname;

export const workerConfig = (plan: ConfigPlan): string =>
  machine(plan, 'worker') + cluster(plan, 'worker') + plan.extra + hostname;
