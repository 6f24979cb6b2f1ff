import type { Types } from '../notation.ts';

/** How much may be away at once. */
export const policy: Types = {
  Eviction: `
    @kind
    deleteOptions *meta.DeleteOptions`,
  PodDisruptionBudget: `
    @kind @list
    spec PodDisruptionBudgetSpec
    status PodDisruptionBudgetStatus`,
  PodDisruptionBudgetSpec: `
    minAvailable *intstr
    selector *meta.LabelSelector replace
    maxUnavailable *intstr
    unhealthyPodEvictionPolicy *UnhealthyPodEvictionPolicyType`,
  PodDisruptionBudgetStatus: `
    observedGeneration int64
    disruptedPods {}time
    disruptionsAllowed int32 written
    currentHealthy int32 written
    desiredHealthy int32 written
    expectedPods int32 written
    conditions []meta.Condition by=type merge`,
  UnhealthyPodEvictionPolicyType: '@enum AlwaysAllow | IfHealthyBudget',
};
