import { installs } from '../talos/boot-image.ts';
import { idOf } from './graph.ts';
import type { Situation } from './situation.ts';

/** Workers of a cluster that is to be are made when its control planes are: everybody waits for those, and hosts have only so many hands. */
export const beforeMakingWorkers = ({ controlPlanes, etcd }: Situation): readonly string[] =>
  etcd === 'none' ? controlPlanes.map(({ name }) => idOf('machine.start', name)) : [];

/**
 * What workers of a cluster that is to be wait for: hundreds of them would keep its control planes waiting, and have nothing to
 * join before it has begun. Those that install themselves first need the time.
 */
export function beforeWorkers({ controlPlanes, etcd, platform }: Situation): readonly string[] {
  if (etcd !== 'none' || installs(platform)) return [];
  return controlPlanes.map(({ name }) => idOf('etcd.bootstrap', name));
}
