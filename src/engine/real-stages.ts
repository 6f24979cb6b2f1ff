import { handlers } from '../execute/handlers.ts';
import { observe } from '../observe/observe.ts';
import { planPlatform } from '../plan/plan.ts';
import { materialOf } from './material.ts';
import { preflight } from './preflight.ts';
import type { Stages } from './stages.ts';

export const realStages: Stages = {
  material: (meant, { store, clock, entropy }) => materialOf(meant, store, { clock, entropy }),
  observe,
  plan: planPlatform,
  preflight,
  handlers,
};
