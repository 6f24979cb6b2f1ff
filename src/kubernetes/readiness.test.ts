import { expect, test } from 'vitest';
import type { Live } from './live.ts';
import { readinessOf } from './readiness.ts';

const apiVersions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  DaemonSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  ReplicaSet: 'apps/v1',
  Job: 'batch/v1',
  CustomResourceDefinition: 'apiextensions.k8s.io/v1',
  APIService: 'apiregistration.k8s.io/v1',
  HelmRelease: 'helm.toolkit.fluxcd.io/v2',
  Kustomization: 'kustomize.toolkit.fluxcd.io/v1',
  GitRepository: 'source.toolkit.fluxcd.io/v1',
  Alert: 'notification.toolkit.fluxcd.io/v1beta3',
  Cluster: 'cluster.x-k8s.io/v1beta2',
  Machine: 'cluster.x-k8s.io/v1beta1',
  TalosControlPlane: 'controlplane.cluster.x-k8s.io/v1alpha3',
  Certificate: 'cert-manager.io/v1',
};

const object = (kind: string, fields: object, metadata: object = {}): Live => ({
  apiVersion: apiVersions[kind] ?? 'v1',
  kind,
  metadata: { name: 'it', namespace: 'kube-system', generation: 2, ...metadata },
  ...fields,
});

const condition = (type: string, status: string, reason = '', message = '', more: object = {}) => ({
  type,
  status,
  reason,
  message,
  ...more,
});
const conditions = (...list: readonly object[]) => ({ status: { conditions: list, observedGeneration: 2 } });

const selector = { matchLabels: { app: 'cilium' } };
const pod = (name: string, status: object, spec: object = { nodeName: 'cp-1' }): Live =>
  object('Pod', { spec, status }, { name, labels: { app: 'cilium' } });
const pulling = pod('cilium-x7k2p', {
  phase: 'Pending',
  conditions: [condition('PodScheduled', 'True'), condition('Ready', 'False')],
  containerStatuses: [{ name: 'agent', state: { waiting: { reason: 'ImagePullBackOff', message: 'long' } } }],
});
const up = pod('cilium-aaaaa', { phase: 'Running', conditions: [condition('Ready', 'True')] });
const stranger: Live = { ...pulling, metadata: { ...pulling.metadata, name: 'a-stranger', labels: {} } };

const sentence = (live: Live, pods: readonly Live[] = []): string => {
  const found = readinessOf(live, { pods });
  return found.state === 'ready' ? 'ready' : `${found.state}: ${found.because}`;
};

const replicas = (status: object) => ({
  spec: { replicas: 3, selector },
  status: { observedGeneration: 2, ...status },
});

test.each<[what: string, live: Live, says: string]>([
  [
    'all of a deployment',
    object('Deployment', replicas({ replicas: 3, updatedReplicas: 3, availableReplicas: 3 })),
    'ready',
  ],
  [
    'a part of it',
    object('Deployment', replicas({ replicas: 3, updatedReplicas: 3, availableReplicas: 2 })),
    'waiting: 2 of 3 pods are ready; cilium-x7k2p on cp-1 waits: ImagePullBackOff',
  ],
  [
    'an update under way',
    object('Deployment', replicas({ replicas: 4, updatedReplicas: 1, availableReplicas: 3 })),
    'waiting: 1 of 3 pods is up to date; cilium-x7k2p on cp-1 waits: ImagePullBackOff',
  ],
  [
    'one that gets no pods',
    object('Deployment', {
      spec: { replicas: 1 },
      status: {
        conditions: [
          condition('ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota: small'),
          condition('Progressing', 'False', 'ProgressDeadlineExceeded'),
        ],
      },
    }),
    'waiting: 0 of 1 pod is up to date; ReplicaFailure is True: FailedCreate, exceeded quota: small; Progressing is False: ProgressDeadlineExceeded',
  ],
  [
    'a daemon set with a pod where it wants none',
    object('DaemonSet', {
      spec: { selector },
      status: {
        observedGeneration: 2,
        desiredNumberScheduled: 1,
        updatedNumberScheduled: 1,
        numberAvailable: 1,
        numberMisscheduled: 1,
      },
    }),
    'ready',
  ],
  [
    'the last of the old ones',
    object('Deployment', { spec: { replicas: 3 }, status: { replicas: 4, updatedReplicas: 3, availableReplicas: 3 } }),
    'waiting: 1 old pod is still there',
  ],
  [
    'a status about an older version',
    object('Deployment', {
      spec: { replicas: 1 },
      status: { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 1 },
    }),
    'waiting: its controller has not looked at the newest version yet',
  ],
  [
    'a deployment of nothing',
    object('Deployment', { spec: { replicas: 0 }, status: { observedGeneration: 2 } }),
    'ready',
  ],
  [
    'a daemon set that nobody has counted',
    object('DaemonSet', { spec: { selector }, status: { desiredNumberScheduled: 0 } }),
    'waiting: its controller has not looked at the newest version yet',
  ],
  [
    'a daemon set',
    object('DaemonSet', {
      spec: { selector },
      status: { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 0 },
    }),
    'waiting: 0 of 3 pods are ready; cilium-x7k2p on cp-1 waits: ImagePullBackOff',
  ],
  [
    'a daemon set that is changed by hand',
    object('DaemonSet', {
      spec: { selector, updateStrategy: { type: 'OnDelete' } },
      status: { observedGeneration: 2, desiredNumberScheduled: 1, updatedNumberScheduled: 0, numberAvailable: 1 },
    }),
    'ready',
  ],
  [
    'a stateful set with a partition',
    object('StatefulSet', {
      spec: { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
      status: { observedGeneration: 2, replicas: 3, updatedReplicas: 1, readyReplicas: 3 },
    }),
    'ready',
  ],
  ['a job that is done', object('Job', conditions(condition('Complete', 'True'))), 'ready'],
  [
    'a job that is over',
    object(
      'Job',
      conditions(condition('Failed', 'True', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit')),
    ),
    'failed: it failed: BackoffLimitExceeded, Job has reached the specified backoff limit',
  ],
  [
    'a job that tries again',
    object('Job', { spec: { selector }, status: { failed: 2, active: 1 } }),
    'waiting: 0 of 1 pod is done, 2 failed and were tried again; cilium-x7k2p on cp-1 waits: ImagePullBackOff',
  ],
  ['a pod that ran', pod('it', { phase: 'Succeeded' }), 'ready'],
  [
    'a pod that no node takes',
    pod(
      'it',
      {
        phase: 'Pending',
        conditions: [
          condition('PodScheduled', 'False', 'Unschedulable', '0/3 nodes are available: 3 Insufficient memory.'),
        ],
      },
      {},
    ),
    'waiting: 0/3 nodes are available: 3 Insufficient memory.',
  ],
  [
    'a pod whose container ended',
    pod('it', {
      phase: 'Failed',
      containerStatuses: [{ name: 'helm', state: { terminated: { reason: 'Error', exitCode: 1 } } }],
    }),
    'failed: it failed: helm ended with Error (exit code 1)',
  ],
  ['a definition', object('CustomResourceDefinition', conditions(condition('Established', 'True'))), 'ready'],
  [
    'a definition whose names are taken',
    object(
      'CustomResourceDefinition',
      conditions(condition('NamesAccepted', 'False', 'PluralConflict', '"foos" is already in use')),
    ),
    'failed: NamesAccepted is False: PluralConflict, "foos" is already in use',
  ],
  ['a new definition', object('CustomResourceDefinition', {}), 'waiting: it has no condition Established yet'],
  ['a namespace', object('Namespace', { status: { phase: 'Active' } }), 'ready'],
  [
    'a node without a network',
    object('Node', conditions(condition('Ready', 'False', 'KubeletNotReady', 'cni plugin not initialized'))),
    'waiting: Ready is False: KubeletNotReady, cni plugin not initialized',
  ],
  [
    'a claim',
    object('PersistentVolumeClaim', { spec: { storageClassName: 'fast' }, status: { phase: 'Pending' } }),
    'waiting: it is Pending (storage class fast): no volume is bound to it yet',
  ],
  [
    'an aggregated API',
    object('APIService', conditions(condition('Available', 'False', 'MissingEndpoints', 'no addresses'))),
    'waiting: Available is False: MissingEndpoints, no addresses',
  ],
  [
    'a load balancer',
    object('Service', { spec: { type: 'LoadBalancer' } }),
    'waiting: nobody has given it an address yet',
  ],
  ['a service', object('Service', { spec: { type: 'ClusterIP' } }), 'ready'],
  [
    'a release that Flux made',
    object('HelmRelease', conditions(condition('Ready', 'True', 'InstallSucceeded'))),
    'ready',
  ],
  [
    'a release that Flux has given up',
    object(
      'HelmRelease',
      conditions(condition('Ready', 'False', 'x'), condition('Stalled', 'True', 'RetriesExceeded', 'no')),
    ),
    'failed: Stalled is True: RetriesExceeded, no',
  ],
  [
    'a release of a newer version',
    object('HelmRelease', { status: { observedGeneration: 1, conditions: [condition('Ready', 'True')] } }),
    'waiting: its controller has not looked at the newest version yet',
  ],
  ['a repository that is new', object('GitRepository', {}), 'waiting: Flux has said nothing about it yet'],
  [
    'a kustomization that nothing happens to',
    object('Kustomization', { spec: { suspend: true }, ...conditions(condition('Ready', 'True')) }),
    'failed: it is suspended, and nothing happens to it until it is resumed',
  ],
  ['an alert', object('Alert', {}), 'ready'],
  [
    'a cluster in the words of v1beta2',
    object(
      'Cluster',
      conditions(
        condition('Available', 'False', 'NotAvailable', '* RemoteConnectionProbe:\n  * no', { observedGeneration: 2 }),
      ),
    ),
    'waiting: Available is False: NotAvailable, * RemoteConnectionProbe: * no',
  ],
  [
    'a machine between the versions',
    object('Machine', {
      status: {
        conditions: [condition('Ready', 'False', 'Old', '', { severity: 'Error' })],
        v1beta2: { conditions: [condition('Available', 'True'), condition('Ready', 'True')] },
      },
    }),
    'ready',
  ],
  [
    'a machine that failed for good',
    object('Machine', { status: { failureReason: 'UpdateError', failureMessage: 'server was deleted' } }),
    'failed: UpdateError, server was deleted',
  ],
  ['a control plane in the words of old', object('TalosControlPlane', { status: { ready: true } }), 'ready'],
  ['one that is new', object('TalosControlPlane', {}), 'waiting: its controller has said nothing about it yet'],
  [
    'what somebody else brings',
    object('Certificate', conditions(condition('Ready', 'False', 'Pending', 'Issuing'))),
    'waiting: Ready is False: Pending, Issuing',
  ],
  ['what says nothing', object('ConfigMap', { data: {} }), 'ready'],
  [
    'what is going',
    object('ConfigMap', {}, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'] }),
    'waiting: it is being deleted, held by a/b',
  ],
])('%s', (_, live, says) => expect(sentence(live, [stranger, up, pulling])).toBe(says));
