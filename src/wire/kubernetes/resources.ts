import { packages } from './types.ts';

/**
 * What a fresh Kubernetes 1.36 serves, by package and in discovery’s order: `plural Kind`, and what differs from a
 * namespaced resource with every verb. Below it its subresources, of the same kind and with get, patch and update where
 * nothing else is said. `stored` is the version, or the package, in whose form it lies in etcd.
 */
const written: Readonly<Record<string, string>> = {
  core: `
    bindings Binding verbs=create
    componentstatuses ComponentStatus cluster short=cs verbs=get,list
    configmaps ConfigMap short=cm
    endpoints Endpoints short=ep
    events Event short=ev
    limitranges LimitRange short=limits
    namespaces Namespace cluster short=ns verbs=create,delete,get,list,patch,update,watch
      /finalize verbs=update
      /status
    nodes Node cluster short=no
      /proxy NodeProxyOptions verbs=create,delete,get,patch,update
      /status
    persistentvolumeclaims PersistentVolumeClaim short=pvc
      /status
    persistentvolumes PersistentVolume cluster short=pv
      /status
    pods Pod short=po in=all
      /attach PodAttachOptions verbs=create,get
      /binding Binding verbs=create
      /ephemeralcontainers
      /eviction policy.Eviction verbs=create
      /exec PodExecOptions verbs=create,get
      /log verbs=get
      /portforward PodPortForwardOptions verbs=create,get
      /proxy PodProxyOptions verbs=create,delete,get,patch,update
      /resize
      /status
    podtemplates PodTemplate
    replicationcontrollers ReplicationController short=rc in=all
      /scale autoscaling.Scale
      /status
    resourcequotas ResourceQuota short=quota
      /status
    secrets Secret
    serviceaccounts ServiceAccount short=sa
      /token authentication.TokenRequest verbs=create
    services Service short=svc in=all
      /proxy ServiceProxyOptions verbs=create,delete,get,patch,update
      /status`,
  apiregistration: `
    apiservices APIService cluster in=api-extensions
      /status`,
  apps: `
    controllerrevisions ControllerRevision
    daemonsets DaemonSet short=ds in=all
      /status
    deployments Deployment short=deploy in=all
      /scale autoscaling.Scale
      /status
    replicasets ReplicaSet short=rs in=all
      /scale autoscaling.Scale
      /status
    statefulsets StatefulSet short=sts in=all
      /scale autoscaling.Scale
      /status`,
  events: `
    events Event short=ev stored=core/v1`,
  authentication: `
    selfsubjectreviews SelfSubjectReview cluster verbs=create
    tokenreviews TokenReview cluster verbs=create`,
  authorization: `
    localsubjectaccessreviews LocalSubjectAccessReview verbs=create
    selfsubjectaccessreviews SelfSubjectAccessReview cluster verbs=create
    selfsubjectrulesreviews SelfSubjectRulesReview cluster verbs=create
    subjectaccessreviews SubjectAccessReview cluster verbs=create`,
  autoscalingv2: `
    horizontalpodautoscalers HorizontalPodAutoscaler short=hpa in=all
      /status`,
  autoscaling: `
    horizontalpodautoscalers HorizontalPodAutoscaler short=hpa in=all stored=v2
      /status`,
  batch: `
    cronjobs CronJob short=cj in=all
      /status
    jobs Job in=all
      /status`,
  certificates: `
    certificatesigningrequests CertificateSigningRequest cluster short=csr
      /approval
      /status`,
  networking: `
    ingressclasses IngressClass cluster
    ingresses Ingress short=ing
      /status
    ipaddresses IPAddress cluster short=ip
    networkpolicies NetworkPolicy short=netpol
    servicecidrs ServiceCIDR cluster
      /status`,
  policy: `
    poddisruptionbudgets PodDisruptionBudget short=pdb
      /status`,
  rbac: `
    clusterrolebindings ClusterRoleBinding cluster
    clusterroles ClusterRole cluster
    rolebindings RoleBinding
    roles Role`,
  storage: `
    csidrivers CSIDriver cluster
    csinodes CSINode cluster
    csistoragecapacities CSIStorageCapacity
    storageclasses StorageClass cluster short=sc
    volumeattachments VolumeAttachment cluster
      /status
    volumeattributesclasses VolumeAttributesClass cluster short=vac`,
  admissionregistration: `
    mutatingadmissionpolicies MutatingAdmissionPolicy cluster in=api-extensions stored=v1beta1
    mutatingadmissionpolicybindings MutatingAdmissionPolicyBinding cluster in=api-extensions stored=v1beta1
    mutatingwebhookconfigurations MutatingWebhookConfiguration cluster in=api-extensions
    validatingadmissionpolicies ValidatingAdmissionPolicy cluster in=api-extensions
      /status
    validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding cluster in=api-extensions
    validatingwebhookconfigurations ValidatingWebhookConfiguration cluster in=api-extensions`,
  apiextensions: `
    customresourcedefinitions CustomResourceDefinition cluster short=crd,crds in=api-extensions stored=v1beta1
      /status`,
  scheduling: `
    priorityclasses PriorityClass cluster short=pc`,
  coordination: `
    leases Lease`,
  node: `
    runtimeclasses RuntimeClass cluster`,
  discovery: `
    endpointslices EndpointSlice`,
  resource: `
    deviceclasses DeviceClass cluster
    resourceclaims ResourceClaim
      /status
    resourceclaimtemplates ResourceClaimTemplate
    resourceslices ResourceSlice cluster`,
  flowcontrol: `
    flowschemas FlowSchema cluster
      /status
    prioritylevelconfigurations PriorityLevelConfiguration cluster
      /status`,
};

export type ResourceNote = {
  readonly group: string;
  readonly version: string;
  /** `core.Pod`. */
  readonly type: string;
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** In whose form it is kept; absent: it is not kept at all. */
  readonly stored?: { readonly group: string; readonly version: string };
  readonly subresources: readonly SubresourceNote[];
};

export type SubresourceNote = {
  readonly name: string;
  /** `policy.Eviction`; options of a connection (`core.PodExecOptions`) are no types that OpenAPI knows. */
  readonly type: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
};

const everyVerb = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

let read: readonly ResourceNote[] | undefined;

/** Every resource that is built in, in the order in which discovery tells them. */
export function builtinResources(): readonly ResourceNote[] {
  read ??= Object.entries(written).flatMap(([home, text]) => readResources(home, text));
  return read;
}

function readResources(home: string, text: string): readonly ResourceNote[] {
  const { group = '', version = '' } = packages[home] ?? {};
  const blocks = text.trim().split(/\n {4}(?=\S)/);
  return blocks.map((block) => {
    const [line = '', ...below] = block.split('\n').map((each) => each.trim());
    const [resource = '', kind = '', ...marks] = line.split(' ');
    const verbs = listed(marks, 'verbs') ?? everyVerb;
    return {
      group,
      version,
      type: `${home}.${kind}`,
      resource,
      singular: kind.toLowerCase(),
      kind,
      namespaced: !marks.includes('cluster'),
      shortNames: listed(marks, 'short') ?? [],
      categories: listed(marks, 'in') ?? [],
      verbs,
      ...(verbs.includes('delete') && { stored: readStored(listed(marks, 'stored')?.[0], { group, version }) }),
      subresources: below.map((each) => readSubresource(each, home, kind)),
    };
  });
}

function readStored(text: string | undefined, own: { readonly group: string; readonly version: string }) {
  if (text === undefined) return own;
  const [home = '', version] = text.split('/');
  return version === undefined ? { group: own.group, version: home } : { group: packages[home]?.group ?? '', version };
}

function readSubresource(line: string, home: string, parent: string): SubresourceNote {
  const [path = '', ...rest] = line.split(' ');
  const named = rest[0] !== undefined && !rest[0].includes('=') ? rest[0] : parent;
  const type = named.includes('.') ? named : `${home}.${named}`;
  const [where = '', kind = ''] = type.split('.');
  return {
    name: path.slice(1),
    type,
    group: packages[where]?.group ?? '',
    version: packages[where]?.version ?? '',
    kind,
    verbs: listed(rest, 'verbs') ?? subresourceVerbs,
  };
}

const listed = (marks: readonly string[], name: string): readonly string[] | undefined =>
  marks
    .find((mark) => mark.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .split(',');
