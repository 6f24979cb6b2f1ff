import type { Numbers } from '../protobuf.ts';

export const schedulingNumbers: Numbers = {
  PriorityClass: 'metadata value globalDefault description preemptionPolicy',
};
