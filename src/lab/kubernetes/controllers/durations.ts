import type { KubernetesDurations } from '../twin.ts';

export const usualDurations: KubernetesDurations = {
  podStart: 2000,
  podStop: 1000,
  jobRun: 3000,
  nodeLease: 10_000,
  nodeGone: 50_000,
  podEviction: 300_000,
  networkUp: 1000,
};
