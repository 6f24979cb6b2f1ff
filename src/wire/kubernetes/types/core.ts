import type { Types } from '../notation.ts';

/** Pods, nodes, services, volumes and what belongs to them. */
export const core: Types = {
  AWSElasticBlockStoreVolumeSource: `
    volumeID! string
    fsType string
    partition int32
    readOnly bool`,
  Affinity: `
    nodeAffinity *NodeAffinity
    podAffinity *PodAffinity
    podAntiAffinity *PodAntiAffinity`,
  AppArmorProfile: `
    type! AppArmorProfileType
    localhostProfile *string`,
  AppArmorProfileType: '@enum Localhost | RuntimeDefault | Unconfined',
  AttachedVolume: `
    name! string
    devicePath! string`,
  AzureDataDiskCachingMode: '@enum None | ReadOnly | ReadWrite',
  AzureDataDiskKind: '@enum Dedicated | Managed | Shared',
  AzureDiskVolumeSource: `
    diskName! string
    diskURI! string
    cachingMode *AzureDataDiskCachingMode = "ReadWrite"
    fsType *string = "ext4"
    readOnly *bool = false
    kind *AzureDataDiskKind = "Shared"`,
  AzureFilePersistentVolumeSource: `
    secretName! string
    shareName! string
    readOnly bool
    secretNamespace *string written`,
  AzureFileVolumeSource: `
    secretName! string
    shareName! string
    readOnly bool`,
  Binding: `
    @kind
    target! ObjectReference`,
  CSIPersistentVolumeSource: `
    driver! string
    volumeHandle! string
    readOnly bool
    fsType string
    volumeAttributes {}string
    controllerPublishSecretRef *SecretReference
    nodeStageSecretRef *SecretReference
    nodePublishSecretRef *SecretReference
    controllerExpandSecretRef *SecretReference
    nodeExpandSecretRef *SecretReference`,
  CSIVolumeSource: `
    driver! string
    readOnly *bool
    fsType *string
    volumeAttributes {}string
    nodePublishSecretRef *LocalObjectReference`,
  Capabilities: `
    add []string atomic
    drop []string atomic`,
  CephFSPersistentVolumeSource: `
    monitors! []string atomic
    path string
    user string
    secretFile string
    secretRef *SecretReference
    readOnly bool`,
  CephFSVolumeSource: `
    monitors! []string atomic
    path string
    user string
    secretFile string
    secretRef *LocalObjectReference
    readOnly bool`,
  CinderPersistentVolumeSource: `
    volumeID! string
    fsType string
    readOnly bool
    secretRef *SecretReference`,
  CinderVolumeSource: `
    volumeID! string
    fsType string
    readOnly bool
    secretRef *LocalObjectReference`,
  ClaimResourceStatus: `
    @enum ControllerResizeInProgress | ControllerResizeInfeasible | NodeResizeInProgress | NodeResizeInfeasible |
      NodeResizePending`,
  ClientIPConfig: 'timeoutSeconds *int32',
  ClusterTrustBundleProjection: `
    name *string
    signerName *string
    labelSelector *meta.LabelSelector
    optional *bool
    path! string`,
  ComponentCondition: `
    type! string
    status! string
    message string
    error string`,
  ComponentStatus: `
    @kind @list
    conditions []ComponentCondition by=type merge`,
  ConfigMap: `
    @kind @list
    immutable *bool
    data {}string
    binaryData {}bytes`,
  ConfigMapEnvSource: `
    name string = ""
    optional *bool`,
  ConfigMapKeySelector: `
    @atomic
    name string = ""
    key! string
    optional *bool`,
  ConfigMapNodeConfigSource: `
    namespace! string
    name! string
    uid string
    resourceVersion string
    kubeletConfigKey! string`,
  ConfigMapProjection: `
    name string = ""
    items []KeyToPath atomic
    optional *bool`,
  ConfigMapVolumeSource: `
    name string = ""
    items []KeyToPath atomic
    defaultMode *int32
    optional *bool`,
  Container: `
    name! string
    image string
    command []string atomic
    args []string atomic
    workingDir string
    ports []ContainerPort by=containerPort,protocol merge
    envFrom []EnvFromSource atomic
    env []EnvVar by=name merge
    resources ResourceRequirements
    resizePolicy []ContainerResizePolicy atomic
    restartPolicy *string
    restartPolicyRules []ContainerRestartRule atomic
    volumeMounts []VolumeMount by=mountPath merge
    volumeDevices []VolumeDevice by=devicePath merge
    livenessProbe *Probe
    readinessProbe *Probe
    startupProbe *Probe
    lifecycle *Lifecycle
    terminationMessagePath string
    terminationMessagePolicy TerminationMessagePolicy
    imagePullPolicy PullPolicy
    securityContext *SecurityContext
    stdin bool
    stdinOnce bool
    tty bool`,
  ContainerExtendedResourceRequest: `
    containerName! string
    resourceName! string
    requestName! string`,
  ContainerImage: `
    names []string written atomic
    sizeBytes int64`,
  ContainerPort: `
    name string
    hostPort int32
    containerPort! int32
    protocol Protocol = "TCP"
    hostIP string`,
  ContainerResizePolicy: `
    resourceName! string
    restartPolicy! string`,
  ContainerRestartRule: `
    action string required
    exitCodes *ContainerRestartRuleOnExitCodes`,
  ContainerRestartRuleOnExitCodes: `
    operator string required
    values []int32 set`,
  ContainerState: `
    waiting *ContainerStateWaiting
    running *ContainerStateRunning
    terminated *ContainerStateTerminated`,
  ContainerStateRunning: 'startedAt time',
  ContainerStateTerminated: `
    exitCode! int32
    signal int32
    reason string
    message string
    startedAt time
    finishedAt time
    containerID string`,
  ContainerStateWaiting: `
    reason string
    message string`,
  ContainerStatus: `
    name! string
    state ContainerState
    lastState ContainerState
    ready! bool
    restartCount! int32
    image! string
    imageID! string
    containerID string
    started *bool
    allocatedResources {}quantity
    resources *ResourceRequirements
    volumeMounts []VolumeMountStatus by=mountPath merge
    user *ContainerUser
    allocatedResourcesStatus []ResourceStatus by=name merge
    stopSignal *Signal`,
  ContainerUser: 'linux *LinuxContainerUser',
  DNSPolicy: '@enum ClusterFirst | ClusterFirstWithHostNet | Default | None',
  DaemonEndpoint: 'Port! int32',
  DownwardAPIProjection: 'items []DownwardAPIVolumeFile atomic',
  DownwardAPIVolumeFile: `
    path! string
    fieldRef *ObjectFieldSelector
    resourceFieldRef *ResourceFieldSelector
    mode *int32`,
  DownwardAPIVolumeSource: `
    items []DownwardAPIVolumeFile atomic
    defaultMode *int32`,
  EmptyDirVolumeSource: `
    medium string
    sizeLimit *quantity`,
  EndpointAddress: `
    @atomic
    ip! string
    hostname string
    nodeName *string
    targetRef *ObjectReference`,
  EndpointPort: `
    @atomic
    name string
    port! int32
    protocol Protocol
    appProtocol *string`,
  EndpointSubset: `
    addresses []EndpointAddress atomic
    notReadyAddresses []EndpointAddress atomic
    ports []EndpointPort atomic`,
  Endpoints: `
    @kind @list
    subsets []EndpointSubset atomic`,
  EnvFromSource: `
    prefix string
    configMapRef *ConfigMapEnvSource
    secretRef *SecretEnvSource`,
  EnvVar: `
    name! string
    value string
    valueFrom *EnvVarSource`,
  EnvVarSource: `
    fieldRef *ObjectFieldSelector
    resourceFieldRef *ResourceFieldSelector
    configMapKeyRef *ConfigMapKeySelector
    secretKeyRef *SecretKeySelector
    fileKeyRef *FileKeySelector`,
  EphemeralContainer: `
    name! string
    image string
    command []string atomic
    args []string atomic
    workingDir string
    ports []ContainerPort by=containerPort,protocol merge
    envFrom []EnvFromSource atomic
    env []EnvVar by=name merge
    resources ResourceRequirements
    resizePolicy []ContainerResizePolicy atomic
    restartPolicy *string
    restartPolicyRules []ContainerRestartRule atomic
    volumeMounts []VolumeMount by=mountPath merge
    volumeDevices []VolumeDevice by=devicePath merge
    livenessProbe *Probe
    readinessProbe *Probe
    startupProbe *Probe
    lifecycle *Lifecycle
    terminationMessagePath string
    terminationMessagePolicy TerminationMessagePolicy
    imagePullPolicy PullPolicy
    securityContext *SecurityContext
    stdin bool
    stdinOnce bool
    tty bool
    targetContainerName string`,
  EphemeralVolumeSource: 'volumeClaimTemplate *PersistentVolumeClaimTemplate',
  Event: `
    @typed
    metadata! meta.ObjectMeta
    involvedObject! ObjectReference
    reason string
    message string
    source EventSource
    firstTimestamp time
    lastTimestamp time
    count int32
    type string
    eventTime microtime
    series *EventSeries
    action string
    related *ObjectReference
    reportingComponent string written
    reportingInstance string written`,
  EventList: `
    @typed
    metadata meta.ListMeta
    items! []Event`,
  EventSeries: `
    count int32
    lastObservedTime microtime`,
  EventSource: `
    component string
    host string`,
  ExecAction: 'command []string atomic',
  FCVolumeSource: `
    targetWWNs []string atomic
    lun *int32
    fsType string
    readOnly bool
    wwids []string atomic`,
  FileKeySelector: `
    @atomic
    volumeName! string
    path! string
    key! string
    optional *bool = false`,
  FlexPersistentVolumeSource: `
    driver! string
    fsType string
    secretRef *SecretReference
    readOnly bool
    options {}string`,
  FlexVolumeSource: `
    driver! string
    fsType string
    secretRef *LocalObjectReference
    readOnly bool
    options {}string`,
  FlockerVolumeSource: `
    datasetName string
    datasetUUID string`,
  GCEPersistentDiskVolumeSource: `
    pdName! string
    fsType string
    partition int32
    readOnly bool`,
  GRPCAction: `
    port! int32
    service *string written = ""`,
  GitRepoVolumeSource: `
    repository! string
    revision string
    directory string`,
  GlusterfsPersistentVolumeSource: `
    endpoints! string
    path! string
    readOnly bool
    endpointsNamespace *string`,
  GlusterfsVolumeSource: `
    endpoints! string
    path! string
    readOnly bool`,
  HTTPGetAction: `
    path string
    port! intstr
    host string
    scheme URIScheme
    httpHeaders []HTTPHeader atomic`,
  HTTPHeader: `
    name! string
    value! string`,
  HostAlias: `
    ip! string
    hostnames []string atomic`,
  HostIP: 'ip! string',
  HostPathType: '@enum "" | BlockDevice | CharDevice | Directory | DirectoryOrCreate | File | FileOrCreate | Socket',
  HostPathVolumeSource: `
    path! string
    type *HostPathType`,
  IPFamily: '@enum "" | IPv4 | IPv6',
  IPFamilyPolicy: '@enum PreferDualStack | RequireDualStack | SingleStack',
  ISCSIPersistentVolumeSource: `
    targetPortal! string
    iqn! string
    lun! int32
    iscsiInterface string = "default"
    fsType string
    readOnly bool
    portals []string atomic
    chapAuthDiscovery bool
    chapAuthSession bool
    secretRef *SecretReference
    initiatorName *string`,
  ISCSIVolumeSource: `
    targetPortal! string
    iqn! string
    lun! int32
    iscsiInterface string = "default"
    fsType string
    readOnly bool
    portals []string atomic
    chapAuthDiscovery bool
    chapAuthSession bool
    secretRef *LocalObjectReference
    initiatorName *string`,
  ImageVolumeSource: `
    reference string
    pullPolicy PullPolicy`,
  ImageVolumeStatus: 'imageRef string required',
  KeyToPath: `
    key! string
    path! string
    mode *int32`,
  Lifecycle: `
    postStart *LifecycleHandler
    preStop *LifecycleHandler
    stopSignal *Signal`,
  LifecycleHandler: `
    exec *ExecAction
    httpGet *HTTPGetAction
    tcpSocket *TCPSocketAction
    sleep *SleepAction`,
  LimitRange: `
    @kind @list
    spec LimitRangeSpec`,
  LimitRangeItem: `
    type! string
    max {}quantity
    min {}quantity
    default {}quantity
    defaultRequest {}quantity
    maxLimitRequestRatio {}quantity`,
  LimitRangeSpec: 'limits! []LimitRangeItem atomic',
  LinuxContainerUser: `
    uid! int64
    gid! int64
    supplementalGroups []int64 atomic`,
  LoadBalancerIngress: `
    ip string
    hostname string
    ipMode *string
    ports []PortStatus atomic`,
  LoadBalancerStatus: 'ingress []LoadBalancerIngress atomic',
  LocalObjectReference: `
    @atomic
    name string = ""`,
  LocalVolumeSource: `
    path! string
    fsType *string`,
  ModifyVolumeStatus: `
    targetVolumeAttributesClassName string
    status! PersistentVolumeClaimModifyVolumeStatus`,
  MountPropagationMode: '@enum Bidirectional | HostToContainer | None',
  NFSVolumeSource: `
    server! string
    path! string
    readOnly bool`,
  Namespace: `
    @kind @list
    spec NamespaceSpec
    status NamespaceStatus`,
  NamespaceCondition: `
    type! string
    status! string
    lastTransitionTime time
    reason string
    message string`,
  NamespacePhase: '@enum Active | Terminating',
  NamespaceSpec: 'finalizers []string atomic',
  NamespaceStatus: `
    phase NamespacePhase
    conditions []NamespaceCondition by=type merge`,
  Node: `
    @kind @list
    spec NodeSpec
    status NodeStatus`,
  NodeAddress: `
    type! string
    address! string`,
  NodeAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution *NodeSelector
    preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm atomic`,
  NodeAllocatableResourceClaimStatus: `
    resourceClaimName! string
    containers []string set
    resources! {}quantity`,
  NodeCondition: `
    type! string
    status! string
    lastHeartbeatTime time
    lastTransitionTime time
    reason string
    message string`,
  NodeConfigSource: 'configMap *ConfigMapNodeConfigSource',
  NodeConfigStatus: `
    assigned *NodeConfigSource
    active *NodeConfigSource
    lastKnownGood *NodeConfigSource
    error string`,
  NodeDaemonEndpoints: 'kubeletEndpoint DaemonEndpoint',
  NodeFeatures: 'supplementalGroupsPolicy *bool',
  NodeInclusionPolicy: '@enum Honor | Ignore',
  NodePhase: '@enum Pending | Running | Terminated',
  NodeRuntimeHandler: `
    name string written
    features *NodeRuntimeHandlerFeatures`,
  NodeRuntimeHandlerFeatures: `
    recursiveReadOnlyMounts *bool
    userNamespaces *bool`,
  NodeSelector: `
    @atomic
    nodeSelectorTerms! []NodeSelectorTerm atomic`,
  NodeSelectorOperator: '@enum DoesNotExist | Exists | Gt | In | Lt | NotIn',
  NodeSelectorRequirement: `
    key! string
    operator! NodeSelectorOperator
    values []string atomic`,
  NodeSelectorTerm: `
    @atomic
    matchExpressions []NodeSelectorRequirement atomic
    matchFields []NodeSelectorRequirement atomic`,
  NodeSpec: `
    podCIDR string
    podCIDRs []string set merge
    providerID string
    unschedulable bool
    taints []Taint atomic
    configSource *NodeConfigSource
    externalID string`,
  NodeStatus: `
    capacity {}quantity
    allocatable {}quantity
    phase NodePhase
    conditions []NodeCondition by=type merge
    addresses []NodeAddress by=type merge
    daemonEndpoints NodeDaemonEndpoints
    nodeInfo NodeSystemInfo
    images []ContainerImage atomic
    volumesInUse []string atomic
    volumesAttached []AttachedVolume atomic
    config *NodeConfigStatus
    runtimeHandlers []NodeRuntimeHandler atomic
    features *NodeFeatures
    declaredFeatures []string atomic`,
  NodeSwapStatus: 'capacity *int64',
  NodeSystemInfo: `
    machineID! string
    systemUUID! string
    bootID! string
    kernelVersion! string
    osImage! string
    containerRuntimeVersion! string
    kubeletVersion! string
    kubeProxyVersion! string
    operatingSystem! string
    architecture! string
    swap *NodeSwapStatus`,
  ObjectFieldSelector: `
    @atomic
    apiVersion string
    fieldPath! string`,
  ObjectReference: `
    @atomic
    kind string
    namespace string
    name string
    uid string
    apiVersion string
    resourceVersion string
    fieldPath string`,
  PersistentVolume: `
    @kind @list
    spec PersistentVolumeSpec
    status PersistentVolumeStatus`,
  PersistentVolumeAccessMode: '@enum ReadOnlyMany | ReadWriteMany | ReadWriteOnce | ReadWriteOncePod',
  PersistentVolumeClaim: `
    @kind @list
    spec PersistentVolumeClaimSpec
    status PersistentVolumeClaimStatus`,
  PersistentVolumeClaimCondition: `
    type! string
    status! string
    lastProbeTime time
    lastTransitionTime time
    reason string
    message string`,
  PersistentVolumeClaimModifyVolumeStatus: '@enum InProgress | Infeasible | Pending',
  PersistentVolumeClaimPhase: '@enum Bound | Lost | Pending',
  PersistentVolumeClaimSpec: `
    accessModes []PersistentVolumeAccessMode atomic
    selector *meta.LabelSelector
    resources VolumeResourceRequirements
    volumeName string
    storageClassName *string
    volumeMode *PersistentVolumeMode
    dataSource *TypedLocalObjectReference
    dataSourceRef *TypedObjectReference
    volumeAttributesClassName *string`,
  PersistentVolumeClaimStatus: `
    phase PersistentVolumeClaimPhase
    accessModes []PersistentVolumeAccessMode atomic
    capacity {}quantity
    conditions []PersistentVolumeClaimCondition by=type merge
    allocatedResources {}quantity
    allocatedResourceStatuses {}ClaimResourceStatus granular
    currentVolumeAttributesClassName *string
    modifyVolumeStatus *ModifyVolumeStatus`,
  PersistentVolumeClaimTemplate: `
    metadata meta.ObjectMeta
    spec! PersistentVolumeClaimSpec`,
  PersistentVolumeClaimVolumeSource: `
    claimName! string
    readOnly bool`,
  PersistentVolumeMode: '@enum Block | Filesystem',
  PersistentVolumePhase: '@enum Available | Bound | Failed | Pending | Released',
  PersistentVolumeReclaimPolicy: '@enum Delete | Recycle | Retain',
  PersistentVolumeSpec: `
    capacity {}quantity
    gcePersistentDisk *GCEPersistentDiskVolumeSource
    awsElasticBlockStore *AWSElasticBlockStoreVolumeSource
    hostPath *HostPathVolumeSource
    glusterfs *GlusterfsPersistentVolumeSource
    nfs *NFSVolumeSource
    rbd *RBDPersistentVolumeSource
    iscsi *ISCSIPersistentVolumeSource
    cinder *CinderPersistentVolumeSource
    cephfs *CephFSPersistentVolumeSource
    fc *FCVolumeSource
    flocker *FlockerVolumeSource
    flexVolume *FlexPersistentVolumeSource
    azureFile *AzureFilePersistentVolumeSource
    vsphereVolume *VsphereVirtualDiskVolumeSource
    quobyte *QuobyteVolumeSource
    azureDisk *AzureDiskVolumeSource
    photonPersistentDisk *PhotonPersistentDiskVolumeSource
    portworxVolume *PortworxVolumeSource
    scaleIO *ScaleIOPersistentVolumeSource
    local *LocalVolumeSource
    storageos *StorageOSPersistentVolumeSource
    csi *CSIPersistentVolumeSource
    accessModes []PersistentVolumeAccessMode atomic
    claimRef *ObjectReference granular
    persistentVolumeReclaimPolicy PersistentVolumeReclaimPolicy
    storageClassName string
    mountOptions []string atomic
    volumeMode *PersistentVolumeMode
    nodeAffinity *VolumeNodeAffinity
    volumeAttributesClassName *string`,
  PersistentVolumeStatus: `
    phase PersistentVolumePhase
    message string
    reason string
    lastPhaseTransitionTime *time`,
  PhotonPersistentDiskVolumeSource: `
    pdID! string
    fsType string`,
  Pod: `
    @kind @list
    spec PodSpec
    status PodStatus`,
  PodAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm atomic
    preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm atomic`,
  PodAffinityTerm: `
    labelSelector *meta.LabelSelector
    namespaces []string atomic
    topologyKey! string
    namespaceSelector *meta.LabelSelector
    matchLabelKeys []string atomic
    mismatchLabelKeys []string atomic`,
  PodAntiAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm atomic
    preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm atomic`,
  PodCertificateProjection: `
    signerName string required
    keyType string required
    maxExpirationSeconds *int32
    credentialBundlePath string
    keyPath string
    certificateChainPath string
    userAnnotations {}string`,
  PodCondition: `
    type! string
    observedGeneration int64
    status! string
    lastProbeTime time
    lastTransitionTime time
    reason string
    message string`,
  PodDNSConfig: `
    nameservers []string atomic
    searches []string atomic
    options []PodDNSConfigOption atomic`,
  PodDNSConfigOption: `
    name string
    value *string`,
  PodExtendedResourceClaimStatus: `
    requestMappings! []ContainerExtendedResourceRequest atomic
    resourceClaimName! string`,
  PodFSGroupChangePolicy: '@enum Always | OnRootMismatch',
  PodIP: 'ip! string',
  PodOS: 'name! string',
  PodPhase: '@enum Failed | Pending | Running | Succeeded | Unknown',
  PodQOSClass: '@enum BestEffort | Burstable | Guaranteed',
  PodReadinessGate: 'conditionType! string',
  PodResourceClaim: `
    name! string
    resourceClaimName *string
    resourceClaimTemplateName *string`,
  PodResourceClaimStatus: `
    name! string
    resourceClaimName *string`,
  PodSchedulingGate: 'name! string',
  PodSchedulingGroup: 'podGroupName *string',
  PodSecurityContext: `
    seLinuxOptions *SELinuxOptions
    windowsOptions *WindowsSecurityContextOptions
    runAsUser *int64
    runAsGroup *int64
    runAsNonRoot *bool
    supplementalGroups []int64 atomic
    supplementalGroupsPolicy *SupplementalGroupsPolicy
    fsGroup *int64
    sysctls []Sysctl atomic
    fsGroupChangePolicy *PodFSGroupChangePolicy
    seccompProfile *SeccompProfile
    appArmorProfile *AppArmorProfile
    seLinuxChangePolicy *string`,
  PodSpec: `
    volumes []Volume by=name merge retainKeys
    initContainers []Container by=name merge
    containers! []Container by=name merge
    ephemeralContainers []EphemeralContainer by=name merge
    restartPolicy RestartPolicy
    terminationGracePeriodSeconds *int64
    activeDeadlineSeconds *int64
    dnsPolicy DNSPolicy
    nodeSelector {}string atomic
    serviceAccountName string
    serviceAccount string
    automountServiceAccountToken *bool
    nodeName string
    hostNetwork bool
    hostPID bool
    hostIPC bool
    shareProcessNamespace *bool
    securityContext *PodSecurityContext
    imagePullSecrets []LocalObjectReference by=name merge
    hostname string
    subdomain string
    affinity *Affinity
    schedulerName string
    tolerations []Toleration atomic
    hostAliases []HostAlias by=ip merge
    priorityClassName string
    priority *int32
    dnsConfig *PodDNSConfig
    readinessGates []PodReadinessGate atomic
    runtimeClassName *string
    enableServiceLinks *bool
    preemptionPolicy *PreemptionPolicy
    overhead {}quantity
    topologySpreadConstraints []TopologySpreadConstraint by=topologyKey,whenUnsatisfiable merge
    setHostnameAsFQDN *bool
    os *PodOS
    hostUsers *bool
    schedulingGates []PodSchedulingGate by=name merge
    resourceClaims []PodResourceClaim by=name merge retainKeys
    resources *ResourceRequirements
    hostnameOverride *string
    schedulingGroup *PodSchedulingGroup`,
  PodStatus: `
    observedGeneration int64
    phase PodPhase
    conditions []PodCondition by=type merge
    message string
    reason string
    nominatedNodeName string
    hostIP string
    hostIPs []HostIP atomic merge=ip
    podIP string
    podIPs []PodIP by=ip merge
    startTime *time
    initContainerStatuses []ContainerStatus atomic
    containerStatuses []ContainerStatus atomic
    qosClass PodQOSClass
    ephemeralContainerStatuses []ContainerStatus atomic
    resize string
    resourceClaimStatuses []PodResourceClaimStatus by=name merge retainKeys
    extendedResourceClaimStatus *PodExtendedResourceClaimStatus
    allocatedResources {}quantity
    resources *ResourceRequirements
    nodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus atomic`,
  PodTemplate: `
    @kind @list
    template PodTemplateSpec`,
  PodTemplateSpec: `
    metadata meta.ObjectMeta
    spec PodSpec`,
  PortStatus: `
    port! int32
    protocol! Protocol
    error *string`,
  PortworxVolumeSource: `
    volumeID! string
    fsType string
    readOnly bool`,
  PreemptionPolicy: '@enum Never | PreemptLowerPriority',
  PreferredSchedulingTerm: `
    weight! int32
    preference! NodeSelectorTerm`,
  Probe: `
    exec *ExecAction
    httpGet *HTTPGetAction
    tcpSocket *TCPSocketAction
    grpc *GRPCAction
    initialDelaySeconds int32
    timeoutSeconds int32
    periodSeconds int32
    successThreshold int32
    failureThreshold int32
    terminationGracePeriodSeconds *int64`,
  ProcMountType: '@enum Default | Unmasked',
  ProjectedVolumeSource: `
    sources []VolumeProjection written atomic
    defaultMode *int32`,
  Protocol: '@enum SCTP | TCP | UDP',
  PullPolicy: '@enum Always | IfNotPresent | Never',
  QuobyteVolumeSource: `
    registry! string
    volume! string
    readOnly bool
    user string
    group string
    tenant string`,
  RBDPersistentVolumeSource: `
    monitors! []string atomic
    image! string
    fsType string
    pool string = "rbd"
    user string = "admin"
    keyring string = "/etc/ceph/keyring"
    secretRef *SecretReference
    readOnly bool`,
  RBDVolumeSource: `
    monitors! []string atomic
    image! string
    fsType string
    pool string = "rbd"
    user string = "admin"
    keyring string = "/etc/ceph/keyring"
    secretRef *LocalObjectReference
    readOnly bool`,
  ReplicationController: `
    @kind @list
    spec ReplicationControllerSpec
    status ReplicationControllerStatus`,
  ReplicationControllerCondition: `
    type! string
    status! string
    lastTransitionTime time
    reason string
    message string`,
  ReplicationControllerSpec: `
    replicas *int32 = 1
    minReadySeconds int32 = 0
    selector {}string atomic
    template *PodTemplateSpec`,
  ReplicationControllerStatus: `
    replicas! int32
    fullyLabeledReplicas int32
    readyReplicas int32
    availableReplicas int32
    observedGeneration int64
    conditions []ReplicationControllerCondition by=type merge`,
  ResourceClaim: `
    name! string
    request string`,
  ResourceFieldSelector: `
    @atomic
    containerName string
    resource! string
    divisor quantity`,
  ResourceHealth: `
    resourceID! string
    health string
    message *string`,
  ResourceQuota: `
    @kind @list
    spec ResourceQuotaSpec
    status ResourceQuotaStatus`,
  ResourceQuotaScope: `
    @enum BestEffort | CrossNamespacePodAffinity | NotBestEffort | NotTerminating | PriorityClass | Terminating |
      VolumeAttributesClass`,
  ResourceQuotaSpec: `
    hard {}quantity
    scopes []ResourceQuotaScope atomic
    scopeSelector *ScopeSelector`,
  ResourceQuotaStatus: `
    hard {}quantity
    used {}quantity`,
  ResourceRequirements: `
    limits {}quantity
    requests {}quantity
    claims []ResourceClaim by=name`,
  ResourceStatus: `
    name! string
    resources []ResourceHealth by=resourceID`,
  RestartPolicy: '@enum Always | Never | OnFailure',
  SELinuxOptions: `
    user string
    role string
    type string
    level string`,
  ScaleIOPersistentVolumeSource: `
    gateway! string
    system! string
    secretRef! *SecretReference
    sslEnabled bool
    protectionDomain string
    storagePool string
    storageMode string = "ThinProvisioned"
    volumeName string
    fsType string = "xfs"
    readOnly bool`,
  ScaleIOVolumeSource: `
    gateway! string
    system! string
    secretRef! *LocalObjectReference
    sslEnabled bool
    protectionDomain string
    storagePool string
    storageMode string = "ThinProvisioned"
    volumeName string
    fsType string = "xfs"
    readOnly bool`,
  ScopeSelector: `
    @atomic
    matchExpressions []ScopedResourceSelectorRequirement atomic`,
  ScopeSelectorOperator: '@enum DoesNotExist | Exists | In | NotIn',
  ScopedResourceSelectorRequirement: `
    scopeName! ResourceQuotaScope
    operator! ScopeSelectorOperator
    values []string atomic`,
  SeccompProfile: `
    type! SeccompProfileType
    localhostProfile *string`,
  SeccompProfileType: '@enum Localhost | RuntimeDefault | Unconfined',
  Secret: `
    @kind @list
    immutable *bool
    data {}bytes
    stringData {}string
    type string`,
  SecretEnvSource: `
    name string = ""
    optional *bool`,
  SecretKeySelector: `
    @atomic
    name string = ""
    key! string
    optional *bool`,
  SecretProjection: `
    name string = ""
    items []KeyToPath atomic
    optional *bool`,
  SecretReference: `
    @atomic
    name string
    namespace string`,
  SecretVolumeSource: `
    secretName string
    items []KeyToPath atomic
    defaultMode *int32
    optional *bool`,
  SecurityContext: `
    capabilities *Capabilities
    privileged *bool
    seLinuxOptions *SELinuxOptions
    windowsOptions *WindowsSecurityContextOptions
    runAsUser *int64
    runAsGroup *int64
    runAsNonRoot *bool
    readOnlyRootFilesystem *bool
    allowPrivilegeEscalation *bool
    procMount *ProcMountType
    seccompProfile *SeccompProfile
    appArmorProfile *AppArmorProfile`,
  Service: `
    @kind @list
    spec ServiceSpec
    status ServiceStatus`,
  ServiceAccount: `
    @kind @list
    secrets []ObjectReference by=name merge
    imagePullSecrets []LocalObjectReference atomic
    automountServiceAccountToken *bool`,
  ServiceAccountTokenProjection: `
    audience string
    expirationSeconds *int64
    path! string`,
  ServiceAffinity: '@enum ClientIP | None',
  ServiceExternalTrafficPolicy: '@enum Cluster | Local',
  ServiceInternalTrafficPolicy: '@enum Cluster | Local',
  ServicePort: `
    name string
    protocol Protocol = "TCP"
    appProtocol *string
    port! int32
    targetPort intstr
    nodePort int32`,
  ServiceSpec: `
    ports []ServicePort by=port,protocol merge
    selector {}string atomic
    clusterIP string
    clusterIPs []string atomic
    type ServiceType
    externalIPs []string atomic
    sessionAffinity ServiceAffinity
    loadBalancerIP string
    loadBalancerSourceRanges []string atomic
    externalName string
    externalTrafficPolicy ServiceExternalTrafficPolicy
    healthCheckNodePort int32
    publishNotReadyAddresses bool
    sessionAffinityConfig *SessionAffinityConfig
    ipFamilies []IPFamily atomic
    ipFamilyPolicy *IPFamilyPolicy
    allocateLoadBalancerNodePorts *bool
    loadBalancerClass *string
    internalTrafficPolicy *ServiceInternalTrafficPolicy
    trafficDistribution *string`,
  ServiceStatus: `
    loadBalancer LoadBalancerStatus
    conditions []meta.Condition by=type merge`,
  ServiceType: '@enum ClusterIP | ExternalName | LoadBalancer | NodePort',
  SessionAffinityConfig: 'clientIP *ClientIPConfig',
  Signal: `
    @enum SIGABRT | SIGALRM | SIGBUS | SIGCHLD | SIGCLD | SIGCONT | SIGFPE | SIGHUP | SIGILL | SIGINT | SIGIO |
      SIGIOT | SIGKILL | SIGPIPE | SIGPOLL | SIGPROF | SIGPWR | SIGQUIT | SIGRTMAX | SIGRTMAX-1 | SIGRTMAX-10 |
      SIGRTMAX-11 | SIGRTMAX-12 | SIGRTMAX-13 | SIGRTMAX-14 | SIGRTMAX-2 | SIGRTMAX-3 | SIGRTMAX-4 | SIGRTMAX-5 |
      SIGRTMAX-6 | SIGRTMAX-7 | SIGRTMAX-8 | SIGRTMAX-9 | SIGRTMIN | SIGRTMIN+1 | SIGRTMIN+10 | SIGRTMIN+11 |
      SIGRTMIN+12 | SIGRTMIN+13 | SIGRTMIN+14 | SIGRTMIN+15 | SIGRTMIN+2 | SIGRTMIN+3 | SIGRTMIN+4 | SIGRTMIN+5 |
      SIGRTMIN+6 | SIGRTMIN+7 | SIGRTMIN+8 | SIGRTMIN+9 | SIGSEGV | SIGSTKFLT | SIGSTOP | SIGSYS | SIGTERM |
      SIGTRAP | SIGTSTP | SIGTTIN | SIGTTOU | SIGURG | SIGUSR1 | SIGUSR2 | SIGVTALRM | SIGWINCH | SIGXCPU |
      SIGXFSZ`,
  SleepAction: 'seconds! int64',
  StorageOSPersistentVolumeSource: `
    volumeName string
    volumeNamespace string
    fsType string
    readOnly bool
    secretRef *ObjectReference`,
  StorageOSVolumeSource: `
    volumeName string
    volumeNamespace string
    fsType string
    readOnly bool
    secretRef *LocalObjectReference`,
  SupplementalGroupsPolicy: '@enum Merge | Strict',
  Sysctl: `
    name! string
    value! string`,
  TCPSocketAction: `
    port! intstr
    host string`,
  Taint: `
    key! string
    value string
    effect! TaintEffect
    timeAdded *time`,
  TaintEffect: '@enum NoExecute | NoSchedule | PreferNoSchedule',
  TerminationMessagePolicy: '@enum FallbackToLogsOnError | File',
  Toleration: `
    key string
    operator TolerationOperator
    value string
    effect TaintEffect
    tolerationSeconds *int64`,
  TolerationOperator: '@enum Equal | Exists | Gt | Lt',
  TopologySelectorLabelRequirement: `
    key! string
    values! []string atomic`,
  TopologySelectorTerm: `
    @atomic
    matchLabelExpressions []TopologySelectorLabelRequirement atomic`,
  TopologySpreadConstraint: `
    maxSkew! int32
    topologyKey! string
    whenUnsatisfiable! UnsatisfiableConstraintAction
    labelSelector *meta.LabelSelector
    minDomains *int32
    nodeAffinityPolicy *NodeInclusionPolicy
    nodeTaintsPolicy *NodeInclusionPolicy
    matchLabelKeys []string atomic`,
  TypedLocalObjectReference: `
    @atomic
    apiGroup *string written
    kind! string
    name! string`,
  TypedObjectReference: `
    apiGroup *string written
    kind! string
    name! string
    namespace *string`,
  URIScheme: '@enum HTTP | HTTPS',
  UnsatisfiableConstraintAction: '@enum DoNotSchedule | ScheduleAnyway',
  Volume: `
    name! string
    hostPath *HostPathVolumeSource
    emptyDir *EmptyDirVolumeSource
    gcePersistentDisk *GCEPersistentDiskVolumeSource
    awsElasticBlockStore *AWSElasticBlockStoreVolumeSource
    gitRepo *GitRepoVolumeSource
    secret *SecretVolumeSource
    nfs *NFSVolumeSource
    iscsi *ISCSIVolumeSource
    glusterfs *GlusterfsVolumeSource
    persistentVolumeClaim *PersistentVolumeClaimVolumeSource
    rbd *RBDVolumeSource
    flexVolume *FlexVolumeSource
    cinder *CinderVolumeSource
    cephfs *CephFSVolumeSource
    flocker *FlockerVolumeSource
    downwardAPI *DownwardAPIVolumeSource
    fc *FCVolumeSource
    azureFile *AzureFileVolumeSource
    configMap *ConfigMapVolumeSource
    vsphereVolume *VsphereVirtualDiskVolumeSource
    quobyte *QuobyteVolumeSource
    azureDisk *AzureDiskVolumeSource
    photonPersistentDisk *PhotonPersistentDiskVolumeSource
    projected *ProjectedVolumeSource
    portworxVolume *PortworxVolumeSource
    scaleIO *ScaleIOVolumeSource
    storageos *StorageOSVolumeSource
    csi *CSIVolumeSource
    ephemeral *EphemeralVolumeSource
    image *ImageVolumeSource`,
  VolumeDevice: `
    name! string
    devicePath! string`,
  VolumeMount: `
    name! string
    readOnly bool
    recursiveReadOnly *string
    mountPath! string
    subPath string
    mountPropagation *MountPropagationMode
    subPathExpr string`,
  VolumeMountStatus: `
    name! string
    mountPath! string
    readOnly bool
    recursiveReadOnly *string
    volumeStatus *VolumeStatus`,
  VolumeNodeAffinity: 'required *NodeSelector',
  VolumeProjection: `
    secret *SecretProjection
    downwardAPI *DownwardAPIProjection
    configMap *ConfigMapProjection
    serviceAccountToken *ServiceAccountTokenProjection
    clusterTrustBundle *ClusterTrustBundleProjection
    podCertificate *PodCertificateProjection`,
  VolumeResourceRequirements: `
    limits {}quantity
    requests {}quantity`,
  VolumeStatus: 'image *ImageVolumeStatus',
  VsphereVirtualDiskVolumeSource: `
    volumePath! string
    fsType string
    storagePolicyName string
    storagePolicyID string`,
  WeightedPodAffinityTerm: `
    weight! int32
    podAffinityTerm! PodAffinityTerm`,
  WindowsSecurityContextOptions: `
    gmsaCredentialSpecName *string
    gmsaCredentialSpec *string
    runAsUserName *string
    hostProcess *bool`,
};
