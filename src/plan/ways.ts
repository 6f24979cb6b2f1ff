import type { Held } from './held.ts';
import { wantedOf, type Situation, type Standing } from './situation.ts';

/**
 * How far this plan brings a machine. `there`: it runs. `coming`: it will, at the end of the plan. `stuck`: nobody can say, or
 * somebody must decide first.
 */
type Way = 'there' | 'coming' | 'stuck';

export type Ways = ReadonlyMap<string, Way>;

/** Kubernetes or etcd have it: it was configured once, and comes back by itself once it has power. */
export const isKnownToCluster = ({ node, member, phase }: Standing): boolean =>
  (node !== undefined || member !== undefined) && phase !== 'absent' && phase !== 'maintenance';

export function waysOf(situation: Situation, mayCreate: boolean, held: Held): Ways {
  const upSomewhere = situation.controlPlanes.some(({ phase }) => phase === 'running' || phase === 'booting');
  const mayConfigure = ({ role }: Standing): boolean =>
    situation.etcd !== 'unclear' || (role === 'worker' && upSomewhere);
  return new Map(
    wantedOf(situation).map((standing) => [standing.name, held.has(standing.name) ? 'stuck' : wayOf(standing)]),
  );

  function wayOf(standing: Standing): Way {
    switch (standing.phase) {
      case 'running':
        return 'there';
      case 'booting':
        return 'coming';
      case 'barred':
      case 'unseen':
      case 'foreign':
        return 'stuck';
      case 'silent':
        return isKnownToCluster(standing) ? 'coming' : 'stuck';
      case 'off':
        return isKnownToCluster(standing) || mayConfigure(standing) ? 'coming' : 'stuck';
      case 'maintenance':
        return mayConfigure(standing) ? 'coming' : 'stuck';
      case 'absent':
        return mayCreate && mayConfigure(standing) ? 'coming' : 'stuck';
    }
  }
}

export const isStuck = (ways: Ways, { name }: Standing): boolean => ways.get(name) === 'stuck';
