import type { ProxmoxDurations } from './twin.ts';

/** As they were measured on an idle host with a directory on a fast disk. */
export const usualDurations: ProxmoxDurations = {
  create: 600,
  importPerGiB: 4000,
  start: 500,
  stop: 400,
  destroy: 400,
  resize: 400,
  config: 100,
  clonePerGiB: 4000,
  downloadPerGiB: 8000,
  refusal: 3000,
  agentSilence: 3000,
  lockWait: 10_000,
  haRound: 5000,
  statistics: 10_000,
  forget: 300_000,
  proxy: 30_000,
};
