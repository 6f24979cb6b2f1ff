import { kubernetesChange, minorIn } from './kubernetes-version.ts';
import { isUp, wantedOf, type Situation, type Standing } from './situation.ts';
import { isKnownToCluster } from './ways.ts';

/** Machines that come in a later pass, by name, and why: what runs is changed first. */
export type Held = ReadonlyMap<string, string>;

export function heldBack(situation: Situation): Held {
  const { etcd, nodes, crowded } = situation;
  if (etcd !== 'running' || typeof nodes === 'string') return new Map();
  const version = risingKubernetes(situation);
  const reasonFor = (standing: Standing): string | undefined => {
    if (version !== undefined && standing.role === 'worker' && isNew(standing))
      return `it joins when all control planes run Kubernetes ${version}: a node is never ahead of them`;
    const host = standing.phase === 'absent' ? standing.ref?.host : undefined;
    if (host !== undefined && crowded.has(host))
      return `it is made when others on ${host} are smaller: until then there is no room`;
    return undefined;
  };
  return new Map(
    wantedOf(situation).flatMap((standing) => {
      const because = reasonFor(standing);
      return because === undefined ? [] : [[standing.name, because] as const];
    }),
  );
}

/** The minor version that control planes are about to go up to; undefined: they stay at theirs. */
function risingKubernetes({ controlPlanes }: Situation): string | undefined {
  return controlPlanes
    .filter(isUp)
    .flatMap(({ talos }) => kubernetesChange(talos?.changes ?? []) ?? [])
    .find(({ from, to }) => minorIn(from) !== minorIn(to))?.to;
}

/** Nobody waits for it: it has no Node that is to become Ready again. */
function isNew(standing: Standing): boolean {
  const { phase, node } = standing;
  if (phase === 'absent') return true;
  return node === undefined && (phase === 'maintenance' || (phase === 'off' && !isKnownToCluster(standing)));
}
