import type { Types } from '../notation.ts';

/** Who goes first. */
export const scheduling: Types = {
  PriorityClass: `
    @kind @list
    value int32 written
    globalDefault bool
    description string
    preemptionPolicy *core.PreemptionPolicy`,
};
