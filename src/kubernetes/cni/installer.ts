import { createHash } from 'node:crypto';
import type { Manifest } from '../../model/manifest.ts';
import type { ApiReach, Release } from './network.ts';

/** The objects that install a chart from inside of the cluster: what they are called, and what is taken away again. */
export type Installer = {
  /** What the Job may do and what it is given; gone after it, however it ended. */
  readonly rights: readonly Manifest[];
  readonly job: Manifest;
  /** Marks everything above, also what an earlier run left behind. */
  readonly label: { readonly key: string; readonly value: string };
};

/** Any image with helm in it will do. */
const helmImage = 'docker.io/alpine/helm:3.19.0';

/** What every cluster has: room on a control plane, whatever its state. */
const everyTaint = [{ operator: 'Exists' }];

export function installerOf(release: Release, reach: ApiReach, image: string = helmImage): Installer {
  const label = { key: 'ichor.dev/installs', value: release.name };
  const { namespace } = release;
  const name = `ichor-installs-${release.name}-${fingerprint([release, image])}`;
  const metadata = { name, namespace, labels: { [label.key]: label.value } };
  const account: Manifest = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
  return {
    label,
    rights: [
      account,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name, labels: metadata.labels },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', name, namespace }],
      },
      // Values may hold secrets.
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata,
        type: 'Opaque',
        data: { 'values.yaml': Buffer.from(JSON.stringify(release.values)).toString('base64') },
      },
    ],
    job: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: {
        backoffLimit: 6,
        // If we are gone by then, nobody else takes it away.
        ttlSecondsAfterFinished: 3600,
        template: { metadata: { labels: metadata.labels }, spec: podOf(release, reach, image, name) },
      },
    },
  };
}

/** A pod that needs no network: the host's own, and the API server by an address that every node knows. */
const podOf = (release: Release, reach: ApiReach, image: string, account: string): object => ({
  serviceAccountName: account,
  restartPolicy: 'Never',
  hostNetwork: true,
  // The cluster's own DNS does not run before the network does.
  dnsPolicy: 'Default',
  tolerations: everyTaint,
  priorityClassName: 'system-cluster-critical',
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }] },
        ],
      },
    },
  },
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 65534,
    runAsGroup: 65534,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  containers: [
    {
      name: 'helm',
      image,
      command: ['helm', ...upgradeArguments(release, '/values/values.yaml')],
      env: [...apiServer(reach), { name: 'HOME', value: '/tmp' }],
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      volumeMounts: [
        { name: 'values', mountPath: '/values', readOnly: true },
        { name: 'scratch', mountPath: '/tmp' },
      ],
    },
  ],
  volumes: [
    { name: 'values', secret: { secretName: account } },
    { name: 'scratch', emptyDir: {} },
  ],
});

const apiServer = ({ via, port }: ApiReach): readonly object[] => [
  via === 'kubeprism'
    ? { name: 'KUBERNETES_SERVICE_HOST', value: 'localhost' }
    : { name: 'KUBERNETES_SERVICE_HOST', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
  { name: 'KUBERNETES_SERVICE_PORT', value: String(port) },
];

/** What helm is told, here and in the cluster: the same release, whoever runs it. Options that helm 3 and 4 share. */
export function upgradeArguments(release: Release, valuesFile: string): readonly string[] {
  const { name, chart, repository, version, namespace } = release;
  const source = /^(oci:\/\/|\/|\.)/.test(repository) ? [repository] : [chart, '--repo', repository];
  return [
    'upgrade',
    name,
    ...source,
    '--install',
    // The version of a folder is the one inside of it.
    ...(/^[/.]/.test(repository) ? [] : ['--version', version]),
    '--namespace',
    namespace,
    '--values',
    valuesFile,
    '--reset-values',
    '--history-max',
    '10',
  ];
}

const fingerprint = (of: unknown): string => createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 8);
