import type { Numbers } from '../protobuf.ts';

export const policyNumbers: Numbers = {
  Eviction: 'metadata deleteOptions',
  PodDisruptionBudget: 'metadata spec status',
  PodDisruptionBudgetSpec: 'minAvailable selector maxUnavailable unhealthyPodEvictionPolicy',
  PodDisruptionBudgetStatus: `
    observedGeneration disruptedPods disruptionsAllowed currentHealthy desiredHealthy expectedPods conditions`,
};
