import type { Types } from '../notation.ts';

/** How containers are run. */
export const node: Types = {
  Overhead: 'podFixed {}quantity',
  RuntimeClass: `
    @kind @list
    handler! string
    overhead *Overhead
    scheduling *Scheduling`,
  Scheduling: `
    nodeSelector {}string atomic
    tolerations []core.Toleration atomic`,
};
