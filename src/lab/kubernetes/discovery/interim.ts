import type { ResourceDefinition, Subresource } from '../resource.ts';

const anything = { type: 'any', preserveUnknown: true } as const;
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const status: Record<string, Subresource> = { status: { kind: 'status' } };
const scale: Subresource = {
  kind: 'scale',
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
};

type Row = readonly [string, string, string, string, boolean, Record<string, Subresource>?, (readonly string[])?];

const review = ['create'];
const rows: readonly Row[] = [
  ['', 'v1', 'bindings', 'Binding', true, {}, review],
  ['', 'v1', 'configmaps', 'ConfigMap', true],
  ['', 'v1', 'endpoints', 'Endpoints', true],
  ['', 'v1', 'events', 'Event', true],
  ['', 'v1', 'limitranges', 'LimitRange', true],
  [
    '',
    'v1',
    'namespaces',
    'Namespace',
    false,
    { ...status, finalize: { kind: 'other', objectKind: 'Namespace', verbs: ['update'] } },
    verbs.filter((verb) => verb !== 'deletecollection'),
  ],
  ['', 'v1', 'nodes', 'Node', false, status],
  ['', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', true, status],
  ['', 'v1', 'persistentvolumes', 'PersistentVolume', false, status],
  [
    '',
    'v1',
    'pods',
    'Pod',
    true,
    {
      ...status,
      log: { kind: 'other', objectKind: 'Pod', verbs: ['get'] },
      binding: { kind: 'other', objectKind: 'Binding', verbs: ['create'] },
      eviction: { kind: 'other', group: 'policy', version: 'v1', objectKind: 'Eviction', verbs: ['create'] },
    },
  ],
  ['', 'v1', 'podtemplates', 'PodTemplate', true],
  ['', 'v1', 'replicationcontrollers', 'ReplicationController', true, { ...status, scale }],
  ['', 'v1', 'resourcequotas', 'ResourceQuota', true, status],
  ['', 'v1', 'secrets', 'Secret', true],
  [
    '',
    'v1',
    'serviceaccounts',
    'ServiceAccount',
    true,
    {
      token: {
        kind: 'other',
        group: 'authentication.k8s.io',
        version: 'v1',
        objectKind: 'TokenRequest',
        verbs: ['create'],
      },
    },
  ],
  ['', 'v1', 'services', 'Service', true, status],
  ['apps', 'v1', 'controllerrevisions', 'ControllerRevision', true],
  ['apps', 'v1', 'daemonsets', 'DaemonSet', true, status],
  ['apps', 'v1', 'deployments', 'Deployment', true, { ...status, scale }],
  ['apps', 'v1', 'replicasets', 'ReplicaSet', true, { ...status, scale }],
  ['apps', 'v1', 'statefulsets', 'StatefulSet', true, { ...status, scale }],
  ['authentication.k8s.io', 'v1', 'tokenreviews', 'TokenReview', false, {}, review],
  ['authentication.k8s.io', 'v1', 'selfsubjectreviews', 'SelfSubjectReview', false, {}, review],
  ['authorization.k8s.io', 'v1', 'localsubjectaccessreviews', 'LocalSubjectAccessReview', true, {}, review],
  ['authorization.k8s.io', 'v1', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview', false, {}, review],
  ['authorization.k8s.io', 'v1', 'selfsubjectrulesreviews', 'SelfSubjectRulesReview', false, {}, review],
  ['authorization.k8s.io', 'v1', 'subjectaccessreviews', 'SubjectAccessReview', false, {}, review],
  ['batch', 'v1', 'cronjobs', 'CronJob', true, status],
  ['batch', 'v1', 'jobs', 'Job', true, status],
  ['coordination.k8s.io', 'v1', 'leases', 'Lease', true],
  ['discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', true],
  ['networking.k8s.io', 'v1', 'ingresses', 'Ingress', true, status],
  ['networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', true],
  ['policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', true, status],
  ['rbac.authorization.k8s.io', 'v1', 'clusterrolebindings', 'ClusterRoleBinding', false],
  ['rbac.authorization.k8s.io', 'v1', 'clusterroles', 'ClusterRole', false],
  ['rbac.authorization.k8s.io', 'v1', 'rolebindings', 'RoleBinding', true],
  ['rbac.authorization.k8s.io', 'v1', 'roles', 'Role', true],
  ['scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', false],
  ['storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', false],
  ['apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition', false, status],
];

/** Until the types are written down. */
export const interimDefinitions: readonly ResourceDefinition[] = rows.map(
  ([group, version, resource, kind, namespaced, subresources = {}, own = verbs]) => ({
    group,
    version,
    resource,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    namespaced,
    shortNames: [],
    categories: [],
    verbs: own,
    storageVersion: version,
    schema: anything,
    subresources,
    strategy: {},
    columns: [],
    custom: false,
    selectable: {},
  }),
);
