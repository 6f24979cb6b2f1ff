import type { Doubt, PlannedStep } from '../model/plan.ts';
import { networkOf } from '../kubernetes/cni/network.ts';
import { changesOf, type Changes } from './changes.ts';
import { planNetwork } from './cni.ts';
import { idOf, planned, together, type Part } from './graph.ts';
import { countOf } from './machines.ts';
import { isUp, wantedOf, type Situation, type Standing } from './situation.ts';
import { isStuck, type Ways } from './ways.ts';

export const allReady = 'node.await-ready';

/** From etcd to nodes that are Ready. `begins`: this plan begins the cluster. */
export function planKubernetes(situation: Situation, ways: Ways, begins: boolean): Part {
  const { nodes, etcd, world } = situation;
  if (etcd !== 'running' && !begins) return { steps: [] };
  const doubts: readonly Doubt[] =
    nodes === 'unclear' && world.nodes.kind === 'unknown'
      ? [{ about: 'Kubernetes', because: world.nodes.because }]
      : [];
  return together({ steps: typeof nodes === 'string' ? [awaitApi(situation)] : [], doubts }, planNetwork(situation), {
    steps: awaitReady(situation, ways),
  });
}

function awaitApi({ controlPlanes, nodes }: Situation): PlannedStep {
  const after = controlPlanes.flatMap(({ name }) => [idOf('etcd.bootstrap', name), idOf('talos.reconfigure', name)]);
  const because =
    nodes === 'none'
      ? 'control planes serve Kubernetes once etcd runs'
      : 'it did not answer, and everything after asks it';
  return planned({ kind: 'kubernetes.await-api' }, { after, because });
}

function awaitReady(situation: Situation, ways: Ways): readonly PlannedStep[] {
  const lacking = wantedOf(situation).filter((standing) => !isStuck(ways, standing) && lacksReady(situation, standing));
  if (lacking.length === 0 || !canBeReady(situation)) return [];
  const after = [
    idOf('kubernetes.await-api'),
    idOf('cni.install'),
    ...lacking.flatMap(({ name }) => [idOf('talos.await-up', name), idOf('etcd.await-member', name)]),
  ];
  const because = `${countOf(lacking.length, 'node')} ${lacking.length === 1 ? 'is' : 'are'} not Ready yet`;
  const step = planned({ kind: 'node.await-ready', machines: lacking.map(({ name }) => name) }, { after, because });
  return [{ ...step, id: allReady, machine: undefined }];
}

function lacksReady(situation: Situation, standing: Standing): boolean {
  const { nodes } = situation;
  const { node, phase } = standing;
  if (nodes === 'unclear') return phase !== 'running';
  // What is to be changed may need that to become well: its turn waits for it.
  if (nodes !== 'none' && isUp(standing) && hasTurn(changesOf(situation, standing))) return false;
  return node === undefined || !node.ready || phase === 'absent' || phase === 'off' || phase === 'maintenance';
}

const hasTurn = (changes: Changes | undefined): boolean =>
  changes !== undefined && (changes.restarts || changes.config.length > 0);

/** Without a network no node ever is, and who installs one, if anybody, nobody says. */
export const canBeReady = ({ platform, nodes }: Situation): boolean =>
  networkOf(platform).kind !== 'none' || (typeof nodes !== 'string' && nodes.some(({ ready }) => ready));
