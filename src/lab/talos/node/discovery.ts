import type { Machine } from './machine.ts';

/** Container nodes are cut off from the discovery service, as the ones are that we learnt from. */
export const reachesDiscovery = (machine: Machine): boolean =>
  machine.boot?.image.platform !== 'container' && machine.boot?.settings?.discovery === true;
