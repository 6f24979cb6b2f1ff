import type { Types } from '../notation.ts';

/** How many there should be. */
export const autoscaling: Types = {
  CrossVersionObjectReference: `
    @atomic
    kind! string
    name! string
    apiVersion string`,
  HorizontalPodAutoscaler: `
    @kind @list
    spec HorizontalPodAutoscalerSpec required
    status HorizontalPodAutoscalerStatus`,
  HorizontalPodAutoscalerSpec: `
    scaleTargetRef! CrossVersionObjectReference
    minReplicas *int32
    maxReplicas! int32
    targetCPUUtilizationPercentage *int32`,
  HorizontalPodAutoscalerStatus: `
    observedGeneration *int64
    lastScaleTime *time
    currentReplicas! int32
    desiredReplicas! int32
    currentCPUUtilizationPercentage *int32`,
  Scale: `
    @kind
    spec ScaleSpec
    status ScaleStatus`,
  ScaleSpec: 'replicas int32 = 0',
  ScaleStatus: `
    replicas! int32
    selector string`,
};

export const autoscalingv2: Types = {
  ContainerResourceMetricSource: `
    name! string
    target! MetricTarget
    container! string`,
  ContainerResourceMetricStatus: `
    name! string
    current! MetricValueStatus
    container! string`,
  CrossVersionObjectReference: `
    kind! string
    name! string
    apiVersion string`,
  ExternalMetricSource: `
    metric! MetricIdentifier
    target! MetricTarget`,
  ExternalMetricStatus: `
    metric! MetricIdentifier
    current! MetricValueStatus`,
  HPAScalingPolicy: `
    type! string
    value! int32
    periodSeconds! int32`,
  HPAScalingRules: `
    stabilizationWindowSeconds *int32
    selectPolicy *string
    policies []HPAScalingPolicy atomic
    tolerance *quantity`,
  HorizontalPodAutoscaler: `
    @kind @list
    spec HorizontalPodAutoscalerSpec required
    status HorizontalPodAutoscalerStatus`,
  HorizontalPodAutoscalerBehavior: `
    scaleUp *HPAScalingRules
    scaleDown *HPAScalingRules`,
  HorizontalPodAutoscalerCondition: `
    type! string
    status! string
    lastTransitionTime time
    reason string
    message string`,
  HorizontalPodAutoscalerSpec: `
    scaleTargetRef! CrossVersionObjectReference
    minReplicas *int32
    maxReplicas! int32
    metrics []MetricSpec atomic
    behavior *HorizontalPodAutoscalerBehavior`,
  HorizontalPodAutoscalerStatus: `
    observedGeneration *int64
    lastScaleTime *time
    currentReplicas int32
    desiredReplicas! int32
    currentMetrics []MetricStatus written atomic
    conditions []HorizontalPodAutoscalerCondition by=type merge`,
  MetricIdentifier: `
    name! string
    selector *meta.LabelSelector`,
  MetricSpec: `
    type! string
    object *ObjectMetricSource
    pods *PodsMetricSource
    resource *ResourceMetricSource
    containerResource *ContainerResourceMetricSource
    external *ExternalMetricSource`,
  MetricStatus: `
    type! string
    object *ObjectMetricStatus
    pods *PodsMetricStatus
    resource *ResourceMetricStatus
    containerResource *ContainerResourceMetricStatus
    external *ExternalMetricStatus`,
  MetricTarget: `
    type! string
    value *quantity
    averageValue *quantity
    averageUtilization *int32`,
  MetricValueStatus: `
    value *quantity
    averageValue *quantity
    averageUtilization *int32`,
  ObjectMetricSource: `
    describedObject! CrossVersionObjectReference
    target! MetricTarget
    metric! MetricIdentifier`,
  ObjectMetricStatus: `
    metric! MetricIdentifier
    current! MetricValueStatus
    describedObject! CrossVersionObjectReference`,
  PodsMetricSource: `
    metric! MetricIdentifier
    target! MetricTarget`,
  PodsMetricStatus: `
    metric! MetricIdentifier
    current! MetricValueStatus`,
  ResourceMetricSource: `
    name! string
    target! MetricTarget`,
  ResourceMetricStatus: `
    name! string
    current! MetricValueStatus`,
};
