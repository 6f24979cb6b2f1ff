import { typeNote } from './types.ts';

/**
 * The numbers that fields have in protobuf, in the order in which the types are written down: `2-4` is 2 3 4, and `1.2` the
 * second field of a message that JSON does not show. Types that are not here count from one.
 */
const written: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  core: {
    ClusterTrustBundleProjection: '1-3 5 4',
    ConfigMap: '1 4 2 3',
    ConfigMapEnvSource: '1.1 2',
    ConfigMapKeySelector: '1.1 2 3',
    ConfigMapProjection: '1.1 2 4',
    ConfigMapVolumeSource: '1.1 2-4',
    Container: '1-6 19 7 8 23-25 9 21 10 11 22 12 13 20 14-18',
    EndpointAddress: '1 3 4 2',
    EphemeralContainer: '1.1-6 1.19 1.7 1.8 1.23-25 1.9 1.21 1.10 1.11 1.22 1.12 1.13 1.20 1.14-18 2',
    ISCSIPersistentVolumeSource: '1-8 11 10 12',
    ISCSIVolumeSource: '1-8 11 10 12',
    NamespaceCondition: '1 2 4-6',
    NodeConfigSource: '2',
    NodeSpec: '1 7 3-6 2',
    PersistentVolumeClaimSpec: '1 4 2 3 5-9',
    PersistentVolumeClaimStatus: '1-5 7-9',
    PersistentVolumeSpec: '1 2.1-22 3-10',
    PodCondition: '1 7 2-6',
    PodResourceClaim: '1 3 4',
    PodSecurityContext: '1 8 2 6 3 4 12 5 7 9-11 13',
    PodSpec: '1 20 2 34 3-9 21 10-13 27 14-19 22-26 28-33 35-41 43',
    PodStatus: '17 1-4 11 5 16 6 12 7 10 8 9 13-15 18-21',
    Probe: '1.1-4 2-7',
    ReplicationControllerSpec: '1 4 2 3',
    ReplicationControllerStatus: '1 2 4 5 3 6',
    ResourceHealth: '1 2 6',
    Secret: '1 5 2 4 3',
    SecretEnvSource: '1.1 2',
    SecretKeySelector: '1.1 2 3',
    SecretProjection: '1.1 2 4',
    SecurityContext: '1-3 10 4 8 5-7 9 11 12',
    ServicePort: '1 2 6 3-5',
    ServiceSpec: '1-3 18 4 5 7-14 19 17 20-23',
    Volume: '1 2.1-23 2.26 2.24 2.25 2.27-30',
    VolumeMount: '1 2 7 3-6',
  },
  admissionregistration: {
    ExpressionWarning: '2 3',
    MatchResources: '1-4 7',
    MutatingWebhook: '1-4 9 5 11 6-8 10 12',
    Mutation: '2-4',
    NamedRuleWithOperations: '1 2.1 2.2.1-4',
    RuleWithOperations: '1 2.1-4',
    ValidatingWebhook: '1-4 9 5 10 6-8 11',
    WebhookClientConfig: '3 1 2',
  },
  apiextensions: {
    CustomResourceDefinitionSpec: '1 3 4 7 9 10',
    CustomResourceDefinitionVersion: '1-3 7 8 4-6 9',
    WebhookClientConfig: '3 1 2',
    WebhookConversion: '2 3',
  },
  apiregistration: {
    APIServiceSpec: '1-5 7 8',
  },
  apps: {
    DaemonSetSpec: '1-4 6',
    DeploymentCondition: '1 2 6 7 4 5',
    DeploymentSpec: '1-7 9',
    DeploymentStatus: '1-3 7 4 5 9 6 8',
    ReplicaSetSpec: '1 4 2 3',
    ReplicaSetStatus: '1 2 4 5 7 3 6',
    StatefulSetStatus: '1-7 9-11',
  },
  authentication: {
    TokenRequestSpec: '1 4 3',
    TokenReviewStatus: '1 2 4 3',
  },
  authorization: {
    SubjectAccessReviewStatus: '1 4 2 3',
  },
  autoscalingv2: {
    HPAScalingRules: '3 1 2 4',
    MetricSpec: '1-4 7 5',
    MetricStatus: '1-4 7 5',
  },
  batch: {
    CronJobSpec: '1 8 2-7',
    CronJobStatus: '1 4 5',
    JobSpec: '1-3 11 16 7 12 13 4-6 8-10 14 15',
    JobStatus: '1-6 11 7 10 8 9',
  },
  certificates: {
    CertificateSigningRequestCondition: '1 6 2-5',
    CertificateSigningRequestSpec: '1 7 8 5 2-4 6',
  },
  discovery: {
    EndpointSlice: '1 4 2 3',
  },
  flowcontrol: {
    NonResourcePolicyRule: '1 6',
  },
  networking: {
    HTTPIngressPath: '1 3 2',
    IngressBackend: '4 3',
    IngressLoadBalancerIngress: '1 2 4',
    IngressRule: '1 2.1',
    IngressSpec: '4 1-3',
  },
  resource: {
    AllocatedDeviceStatus: '1-3 7 4-6',
    AllocationResult: '1 3 5',
    CapacityRequestPolicy: '1 3 4',
    DeviceAllocationConfiguration: '1 2 3.1',
    DeviceAttribute: '2-9',
    DeviceClaimConfiguration: '1 2.1',
    DeviceClassConfiguration: '1.1',
    DeviceClassSpec: '1 2 4',
    ResourceClaimConsumerReference: '1 3-5',
    ResourceClaimStatus: '1 2 4',
  },
  meta: {
    APIResource: '1 6 2 8 9 3-5 7 10',
    ManagedFieldsEntry: '1-4 6-8',
    ObjectMeta: '1-14 17',
    OwnerReference: '5 1 3 4 6 7',
    StatusDetails: '1-3 6 4 5',
  },
};

const read = new Map<string, Readonly<Record<string, string>>>();

/** By number, or by numbers through messages that JSON does not show, which field of `core.Pod` it is. */
export function fieldsByNumber(name: string): Readonly<Record<string, string>> {
  let numbers = read.get(name);
  if (numbers === undefined) {
    const note = typeNote(name);
    const fields = note?.kind === 'struct' ? note.fields.map((field) => field.name) : [];
    const own = note?.kind === 'struct' && note.typed ? fields.filter((each) => !isType(each)) : fields;
    const [home = '', type = ''] = name.split('.');
    const listed = spread(written[home]?.[type] ?? `1-${own.length}`);
    read.set(name, (numbers = Object.fromEntries(own.map((field, index) => [listed[index] ?? '', field]))));
  }
  return numbers;
}

/** Stands around the message, not in it. */
const isType = (field: string): boolean => field === 'kind' || field === 'apiVersion';

const spread = (text: string): readonly string[] =>
  text.split(' ').flatMap((term) => {
    const [, path = '', from = '0', to = from] = /^((?:\d+\.)*)(\d+)(?:-(\d+))?$/.exec(term) ?? [];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => `${path}${Number(from) + index}`);
  });
