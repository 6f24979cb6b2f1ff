import type { PlannedStep } from '../model/plan.ts';
import { networkOf } from '../kubernetes/cni/network.ts';
import { idOf, planned, type Part } from './graph.ts';
import type { Situation } from './situation.ts';

/** The pod network, where it is ours to install. */
export function planNetwork({ platform, world, nodes }: Situation): Part {
  const network = networkOf(platform);
  if (network.kind !== 'cilium') return { steps: [] };
  const { version } = network.release;
  const install = (because: string, disruption: 'none' | 'restart' = 'none'): Part => ({
    steps: [
      planned(
        { kind: 'cni.install', network: network.kind, version },
        { after: [idOf('kubernetes.await-api')], because, disruption },
      ) satisfies PlannedStep,
    ],
  });
  const fresh = 'nodes have no network without it';
  if (nodes === 'none') return install(fresh);
  if (world.network.kind === 'unknown')
    return nodes === 'unclear'
      ? { steps: [] }
      : { steps: [], doubts: [{ about: 'Cilium', because: world.network.because }] };
  const standing = world.network.value;
  switch (standing.kind) {
    case 'absent':
      return install(fresh);
    case 'differs':
      return install(`it is other than the file says: ${standing.reasons.join('; ')}`, 'restart');
    case 'pending':
      return install(
        `an installation was begun${standing.since === undefined ? '' : ` at ${standing.since}`} and did not end`,
      );
    case 'not-ours':
    case 'current':
    case 'handed-over':
    case 'foreign':
      return { steps: [] };
  }
}
