import type { Types } from '../notation.ts';

/** Workloads that keep pods running. */
export const apps: Types = {
  ControllerRevision: `
    @kind @list
    data raw
    revision! int64`,
  DaemonSet: `
    @kind @list
    spec DaemonSetSpec
    status DaemonSetStatus`,
  DaemonSetCondition: `
    type! string
    status! string
    lastTransitionTime time
    reason string
    message string`,
  DaemonSetSpec: `
    selector! *meta.LabelSelector
    template! core.PodTemplateSpec
    updateStrategy DaemonSetUpdateStrategy
    minReadySeconds int32
    revisionHistoryLimit *int32`,
  DaemonSetStatus: `
    currentNumberScheduled! int32
    numberMisscheduled! int32
    desiredNumberScheduled! int32
    numberReady! int32
    observedGeneration int64
    updatedNumberScheduled int32
    numberAvailable int32
    numberUnavailable int32
    collisionCount *int32
    conditions []DaemonSetCondition by=type merge`,
  DaemonSetUpdateStrategy: `
    type DaemonSetUpdateStrategyType
    rollingUpdate *RollingUpdateDaemonSet`,
  DaemonSetUpdateStrategyType: '@enum OnDelete | RollingUpdate',
  Deployment: `
    @kind @list
    spec DeploymentSpec
    status DeploymentStatus`,
  DeploymentCondition: `
    type! string
    status! string
    lastUpdateTime time
    lastTransitionTime time
    reason string
    message string`,
  DeploymentSpec: `
    replicas *int32
    selector! *meta.LabelSelector
    template! core.PodTemplateSpec
    strategy DeploymentStrategy retainKeys
    minReadySeconds int32
    revisionHistoryLimit *int32
    paused bool
    progressDeadlineSeconds *int32`,
  DeploymentStatus: `
    observedGeneration int64
    replicas int32
    updatedReplicas int32
    readyReplicas int32
    availableReplicas int32
    unavailableReplicas int32
    terminatingReplicas *int32
    conditions []DeploymentCondition by=type merge
    collisionCount *int32`,
  DeploymentStrategy: `
    type DeploymentStrategyType
    rollingUpdate *RollingUpdateDeployment`,
  DeploymentStrategyType: '@enum Recreate | RollingUpdate',
  PodManagementPolicyType: '@enum OrderedReady | Parallel',
  ReplicaSet: `
    @kind @list
    spec ReplicaSetSpec
    status ReplicaSetStatus`,
  ReplicaSetCondition: `
    type! string
    status! string
    lastTransitionTime time
    reason string
    message string`,
  ReplicaSetSpec: `
    replicas *int32
    minReadySeconds int32
    selector! *meta.LabelSelector
    template core.PodTemplateSpec`,
  ReplicaSetStatus: `
    replicas! int32
    fullyLabeledReplicas int32
    readyReplicas int32
    availableReplicas int32
    terminatingReplicas *int32
    observedGeneration int64
    conditions []ReplicaSetCondition by=type merge`,
  RollingUpdateDaemonSet: `
    maxUnavailable *intstr
    maxSurge *intstr`,
  RollingUpdateDeployment: `
    maxUnavailable *intstr
    maxSurge *intstr`,
  RollingUpdateStatefulSetStrategy: `
    partition *int32
    maxUnavailable *intstr`,
  StatefulSet: `
    @kind @list
    spec StatefulSetSpec
    status StatefulSetStatus`,
  StatefulSetCondition: `
    type! string
    status! string
    lastTransitionTime time
    reason string
    message string`,
  StatefulSetOrdinals: 'start int32 written',
  StatefulSetPersistentVolumeClaimRetentionPolicy: `
    whenDeleted string
    whenScaled string`,
  StatefulSetSpec: `
    replicas *int32
    selector! *meta.LabelSelector
    template! core.PodTemplateSpec
    volumeClaimTemplates []core.PersistentVolumeClaim atomic
    serviceName string written
    podManagementPolicy PodManagementPolicyType
    updateStrategy StatefulSetUpdateStrategy
    revisionHistoryLimit *int32
    minReadySeconds int32
    persistentVolumeClaimRetentionPolicy *StatefulSetPersistentVolumeClaimRetentionPolicy
    ordinals *StatefulSetOrdinals`,
  StatefulSetStatus: `
    observedGeneration int64
    replicas! int32
    readyReplicas int32
    currentReplicas int32
    updatedReplicas int32
    currentRevision string
    updateRevision string
    collisionCount *int32
    conditions []StatefulSetCondition by=type merge
    availableReplicas int32 written`,
  StatefulSetUpdateStrategy: `
    type StatefulSetUpdateStrategyType
    rollingUpdate *RollingUpdateStatefulSetStrategy`,
  StatefulSetUpdateStrategyType: '@enum OnDelete | RollingUpdate',
};
