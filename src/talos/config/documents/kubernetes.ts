import { byVersion, fromBundle, talosDefault } from '../because.ts';
import { apiServerPort } from '../endpoint.ts';
import type { CertificateAndKey } from '../../secrets/bundle.ts';
import type { Fields } from '../document.ts';
import { auditPolicy, controlPlaneRole, kubeletImage, kubernetesImage, podSecurity } from '../kubernetes-defaults.ts';
import { annotationsOf, labelsOf, taintsText } from '../node-marks.ts';
import { sortedEntries } from '../cluster-intent.ts';
import { present, unlessEmpty, type DocumentRow } from '../table.ts';

/** Since 1.14 Kubernetes has documents of its own. */
const own = { since: '1.14' } as const;
const controlPlanes = { ...own, role: 'control-plane' } as const;

const authority = ({ crt, key }: CertificateAndKey): Fields => ({ cert: crt, key });

/** What nodes of both roles say about Kubernetes. */
export const kubernetesNodeRows: readonly DocumentRow[] = [
  {
    kind: 'KubeClusterConfig',
    ...own,
    because: ({ endpoint }) => `cluster.name, ${endpoint.because}`,
    documents: ({ clusterName, endpoint }) => [{ clusterName, endpoint: endpoint.url }],
  },
  {
    kind: 'KubeNodeConfig',
    ...own,
    because: 'labels, annotations and taints of the machine and its group, cluster.network.nodes',
    documents: (intent) => {
      const { role, schedulable, nodeSubnets, taints } = intent;
      const mine = role === 'control-plane';
      const noWorkloads = { key: controlPlaneRole, value: '', effect: 'NoSchedule' };
      const labels = { ...(mine ? { [controlPlaneRole]: '' } : {}), ...labelsOf(intent) };
      return [
        present({
          nodeIP: present({ validSubnets: unlessEmpty(nodeSubnets) }),
          labels: unlessEmpty(Object.fromEntries(sortedEntries(labels))),
          annotations: unlessEmpty(annotationsOf(intent)),
          taints: unlessEmpty(taintsText(mine && !schedulable ? [noWorkloads, ...taints] : taints)),
        }),
      ];
    },
  },
  {
    kind: 'KubeletConfig',
    ...own,
    because: byVersion,
    documents: ({ kubernetesVersion }) => [
      { image: kubeletImage(kubernetesVersion), config: {}, defaultRuntimeSeccompProfileEnabled: true },
    ],
  },
  {
    kind: 'KubeNetworkConfig',
    ...own,
    because: 'cluster.network',
    documents: ({ dnsDomain, podSubnets, serviceSubnets }) => [{ dnsDomain, podSubnets, serviceSubnets }],
  },
  {
    kind: 'KubeAPIServerCAConfig',
    ...own,
    because: fromBundle,
    documents: ({ role, secrets: { certs } }) => [
      role === 'worker' ? { acceptedCAs: [certs.k8s.crt] } : { issuingCA: authority(certs.k8s) },
    ],
  },
  {
    kind: 'KubePrismConfig',
    ...own,
    because: 'cluster.kubePrism',
    documents: ({ kubePrismPort }) => (kubePrismPort === undefined ? [] : [{ port: kubePrismPort }]),
  },
];

/** What only control planes run. */
export const kubernetesControlPlaneRows: readonly DocumentRow[] = [
  {
    kind: 'KubeAggregatorCAConfig',
    ...controlPlanes,
    because: fromBundle,
    documents: ({ secrets: { certs } }) => [{ issuingCA: authority(certs.k8saggregator) }],
  },
  {
    kind: 'KubeAdmissionControlConfig',
    ...controlPlanes,
    because: talosDefault,
    documents: () => [{ name: 'PodSecurity', configuration: podSecurity }],
  },
  {
    kind: 'KubeAuditPolicyConfig',
    ...controlPlanes,
    because: talosDefault,
    documents: () => [{ configuration: auditPolicy }],
  },
  {
    kind: 'KubeAuthenticationConfig',
    ...controlPlanes,
    because: talosDefault,
    documents: () => [
      {
        configuration: {
          anonymous: { conditions: [{ path: '/livez' }, { path: '/readyz' }, { path: '/healthz' }], enabled: true },
          jwt: [],
        },
      },
    ],
  },
  {
    kind: 'KubeAuthorizerConfig',
    ...controlPlanes,
    because: talosDefault,
    documents: () => [
      { name: 'node', type: 'Node' },
      { name: 'rbac', type: 'RBAC' },
    ],
  },
  {
    kind: 'KubeEtcdEncryptionConfig',
    ...controlPlanes,
    because: fromBundle,
    documents: ({ secrets: { secrets } }) => [
      { config: { resources: [{ providers: encryptionProviders(secrets), resources: ['secrets'] }] } },
    ],
  },
  {
    kind: 'KubeServiceAccountConfig',
    ...controlPlanes,
    because: fromBundle,
    documents: ({ secrets: { certs }, endpoint }) => [
      { issuer: { privateKey: certs.k8sserviceaccount.key, issuerURL: endpoint.url } },
    ],
  },
  {
    kind: 'KubeAPIServerConfig',
    ...controlPlanes,
    because: `${byVersion}, cluster.certSANs`,
    documents: ({ kubernetesVersion, apiPort, certSANs }) => [
      present({
        image: kubernetesImage('kube-apiserver', kubernetesVersion),
        apiPort: apiPort === apiServerPort ? undefined : apiPort,
        certExtraSANs: unlessEmpty(certSANs),
      }),
    ],
  },
  {
    kind: 'KubeControllerManagerConfig',
    ...controlPlanes,
    because: byVersion,
    documents: ({ kubernetesVersion }) => [{ image: kubernetesImage('kube-controller-manager', kubernetesVersion) }],
  },
  {
    kind: 'KubeSchedulerConfig',
    ...controlPlanes,
    because: byVersion,
    documents: ({ kubernetesVersion }) => [{ image: kubernetesImage('kube-scheduler', kubernetesVersion), config: {} }],
  },
  {
    kind: 'KubeProxyConfig',
    ...controlPlanes,
    because: `${byVersion}, cluster.cni`,
    documents: ({ kubernetesVersion, kubeProxy }) =>
      kubeProxy ? [{ image: kubernetesImage('kube-proxy', kubernetesVersion), config: {} }] : [],
  },
  {
    kind: 'KubeFlannelCNIConfig',
    ...controlPlanes,
    because: 'cluster.cni',
    documents: ({ cni }) => (cni === 'flannel' ? [{ backendType: 'vxlan', backendPort: 4789 }] : []),
  },
  { kind: 'KubeCoreDNSConfig', ...controlPlanes, because: talosDefault, documents: () => [{ enabled: true }] },
  {
    kind: 'KubeExternalManifestConfig',
    ...controlPlanes,
    because: 'cluster.manifests.urls',
    documents: ({ manifestUrls }) => manifestUrls.map((url, index) => ({ name: `manifest-${index}`, url })),
  },
  {
    kind: 'KubeInlineManifestConfig',
    ...controlPlanes,
    because: 'cluster.manifests.inline',
    documents: ({ inlineManifests }) => inlineManifests.map(({ name, contents }) => ({ name, manifest: contents })),
  },
];

/** Names and order decide whether what etcd holds can still be read: they are those of older contracts. */
const encryptionProviders = ({
  secretboxencryptionsecret,
  aescbcencryptionsecret,
}: {
  readonly secretboxencryptionsecret?: string;
  readonly aescbcencryptionsecret?: string;
}): readonly Fields[] => [
  ...(secretboxencryptionsecret === undefined ? [] : [{ secretbox: keys('key2', secretboxencryptionsecret) }]),
  ...(aescbcencryptionsecret === undefined ? [] : [{ aescbc: keys('key1', aescbcencryptionsecret) }]),
];

const keys = (name: string, secret: string): Fields => ({ keys: [{ name, secret }] });
