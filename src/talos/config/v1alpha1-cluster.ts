import { byVersion, fromBundle, talosDefault } from './because.ts';
import { apiServerPort } from './endpoint.ts';
import { auditPolicy, kubernetesImage, podSecurity } from './kubernetes-defaults.ts';
import { base64, withKey, withoutKey } from './pem.ts';
import { present, unlessEmpty, type FieldRow } from './table.ts';

const inOneDocument = { until: '1.13' } as const;
const controlPlanes = { role: 'control-plane' } as const;
const legacyControlPlanes = { ...inOneDocument, ...controlPlanes } as const;

/** `cluster` of the v1alpha1 document, in the order in which talosctl writes it. */
export const clusterRows: readonly FieldRow[] = [
  { path: 'cluster.id', ...inOneDocument, because: fromBundle, value: ({ secrets }) => secrets.cluster.id },
  { path: 'cluster.secret', ...inOneDocument, because: fromBundle, value: ({ secrets }) => secrets.cluster.secret },
  {
    path: 'cluster.controlPlane.endpoint',
    ...inOneDocument,
    because: ({ endpoint }) => endpoint.because,
    value: ({ endpoint }) => endpoint.url,
  },
  {
    path: 'cluster.controlPlane.localAPIServerPort',
    ...legacyControlPlanes,
    because: 'cluster.endpoint.port',
    value: ({ apiPort }) => (apiPort === apiServerPort ? undefined : apiPort),
  },
  { path: 'cluster.clusterName', ...inOneDocument, because: 'cluster.name', value: ({ clusterName }) => clusterName },
  {
    path: 'cluster.network.cni',
    ...inOneDocument,
    because: 'cluster.cni',
    value: ({ cni }) => (cni === 'none' ? { name: 'none' } : undefined),
  },
  {
    path: 'cluster.network.dnsDomain',
    ...inOneDocument,
    because: 'cluster.network.domain',
    value: ({ dnsDomain }) => dnsDomain,
  },
  {
    path: 'cluster.network.podSubnets',
    ...inOneDocument,
    because: 'cluster.network.pods',
    value: ({ podSubnets }) => podSubnets,
  },
  {
    path: 'cluster.network.serviceSubnets',
    ...inOneDocument,
    because: 'cluster.network.services',
    value: ({ serviceSubnets }) => serviceSubnets,
  },
  { path: 'cluster.token', because: fromBundle, value: ({ secrets }) => secrets.secrets.bootstraptoken },
  {
    path: 'cluster.aescbcEncryptionSecret',
    ...legacyControlPlanes,
    because: fromBundle,
    value: ({ secrets }) => secrets.secrets.aescbcencryptionsecret,
  },
  {
    path: 'cluster.secretboxEncryptionSecret',
    ...legacyControlPlanes,
    because: fromBundle,
    value: ({ secrets }) => secrets.secrets.secretboxencryptionsecret,
  },
  {
    path: 'cluster.ca',
    ...inOneDocument,
    because: fromBundle,
    value: ({ role, secrets }) => (role === 'worker' ? withoutKey : withKey)(secrets.certs.k8s),
  },
  {
    path: 'cluster.aggregatorCA',
    ...legacyControlPlanes,
    because: fromBundle,
    value: ({ secrets }) => withKey(secrets.certs.k8saggregator),
  },
  {
    path: 'cluster.serviceAccount',
    ...legacyControlPlanes,
    because: fromBundle,
    value: ({ secrets }) => ({ key: base64(secrets.certs.k8sserviceaccount.key) }),
  },
  {
    path: 'cluster.apiServer.image',
    ...legacyControlPlanes,
    because: byVersion,
    value: ({ kubernetesVersion }) => kubernetesImage('kube-apiserver', kubernetesVersion),
  },
  {
    path: 'cluster.apiServer.certSANs',
    until: '1.11',
    ...controlPlanes,
    because: 'cluster.endpoint, cluster.certSANs',
    value: ({ endpoint, certSANs }) => [endpoint.host, ...certSANs],
  },
  {
    path: 'cluster.apiServer.certSANs',
    since: '1.12',
    until: '1.13',
    ...controlPlanes,
    because: 'cluster.certSANs',
    value: ({ certSANs }) => unlessEmpty(certSANs),
  },
  {
    path: 'cluster.apiServer.disablePodSecurityPolicy',
    until: '1.11',
    ...controlPlanes,
    because: talosDefault,
    value: () => true,
  },
  {
    path: 'cluster.apiServer.admissionControl',
    ...legacyControlPlanes,
    because: talosDefault,
    value: () => [{ name: 'PodSecurity', configuration: podSecurity }],
  },
  { path: 'cluster.apiServer.auditPolicy', ...legacyControlPlanes, because: talosDefault, value: () => auditPolicy },
  {
    path: 'cluster.controllerManager.image',
    ...legacyControlPlanes,
    because: byVersion,
    value: ({ kubernetesVersion }) => kubernetesImage('kube-controller-manager', kubernetesVersion),
  },
  {
    path: 'cluster.proxy.disabled',
    ...legacyControlPlanes,
    because: 'cluster.cni.cilium.kubeProxyReplacement',
    value: ({ kubeProxy }) => (kubeProxy ? undefined : true),
  },
  {
    path: 'cluster.proxy.image',
    ...legacyControlPlanes,
    because: byVersion,
    value: ({ kubernetesVersion }) => kubernetesImage('kube-proxy', kubernetesVersion),
  },
  {
    path: 'cluster.scheduler.image',
    ...legacyControlPlanes,
    because: byVersion,
    value: ({ kubernetesVersion }) => kubernetesImage('kube-scheduler', kubernetesVersion),
  },
  {
    path: 'cluster.discovery',
    ...inOneDocument,
    because: 'cluster.discovery',
    value: ({ discovery: { enabled, service } }) => ({
      enabled,
      registries: { kubernetes: { disabled: true }, service: present({ endpoint: service }) },
    }),
  },
  {
    path: 'cluster.etcd.ca',
    ...controlPlanes,
    because: fromBundle,
    value: ({ secrets }) => withKey(secrets.certs.etcd),
  },
  {
    path: 'cluster.etcd.advertisedSubnets',
    ...controlPlanes,
    because: 'cluster.network.nodes',
    value: ({ nodeSubnets }) => unlessEmpty(nodeSubnets),
  },
  {
    path: 'cluster.extraManifests',
    ...legacyControlPlanes,
    because: 'cluster.manifests.urls',
    value: ({ manifestUrls }) => unlessEmpty(manifestUrls),
  },
  {
    path: 'cluster.inlineManifests',
    ...legacyControlPlanes,
    because: 'cluster.manifests.inline',
    value: ({ inlineManifests }) => unlessEmpty(inlineManifests),
  },
  {
    path: 'cluster.allowSchedulingOnControlPlanes',
    ...legacyControlPlanes,
    because: 'cluster.controlPlane.schedulable',
    value: ({ schedulable }) => (schedulable ? true : undefined),
  },
];
