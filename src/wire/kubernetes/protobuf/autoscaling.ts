import type { Numbers } from '../protobuf.ts';

export const autoscalingNumbers: Numbers = {
  CrossVersionObjectReference: 'kind name apiVersion',
  HorizontalPodAutoscaler: 'metadata spec status',
  HorizontalPodAutoscalerSpec: 'scaleTargetRef minReplicas maxReplicas targetCPUUtilizationPercentage',
  HorizontalPodAutoscalerStatus:
    'observedGeneration lastScaleTime currentReplicas desiredReplicas currentCPUUtilizationPercentage',
  Scale: 'metadata spec status',
  ScaleSpec: 'replicas',
  ScaleStatus: 'replicas selector',
};
