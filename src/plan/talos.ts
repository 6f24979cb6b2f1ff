import type { PlannedStep } from '../model/plan.ts';
import { idOf, planned } from './graph.ts';
import { wantedOf, type Situation, type Standing } from './situation.ts';
import { isKnownToCluster, isStuck, type Ways } from './ways.ts';

/**
 * Configures what waits for it. In a cluster that is to be, all control planes at once, and then workers; in one that runs, each
 * control plane when the one before it is a member.
 */
export function planTalos(
  situation: Situation,
  ways: Ways,
  joining: readonly Standing[],
  gone: readonly string[],
): readonly PlannedStep[] {
  const { controlPlanes, etcd } = situation;
  const before = new Map(
    joining.map(({ name }, index) => [
      name,
      index === 0 ? gone : [idOf('etcd.await-member', joining[index - 1]!.name)],
    ]),
  );
  const configured = controlPlanes.map(({ name }) => idOf('talos.configure', name));
  return wantedOf(situation).flatMap((standing) => {
    if (isStuck(ways, standing)) return [];
    const turn = standing.role === 'worker' ? (etcd === 'none' ? configured : []) : (before.get(standing.name) ?? []);
    return [...configure(standing, turn), ...awaitUp(standing)];
  });
}

const needsConfig = (standing: Standing): boolean =>
  standing.phase === 'absent' ||
  standing.phase === 'maintenance' ||
  (standing.phase === 'off' && !isKnownToCluster(standing));

function configure(standing: Standing, turn: readonly string[]): readonly PlannedStep[] {
  if (!needsConfig(standing)) return [];
  const { name, ref, phase } = standing;
  const because =
    phase === 'maintenance'
      ? 'it waits in maintenance mode for its configuration'
      : 'it starts without a configuration';
  const after = [idOf('secrets.make'), idOf('talos.reach', name), idOf('node.delete', name), ...turn];
  return [planned({ kind: 'talos.configure', machine: name, ref }, { after, because })];
}

function awaitUp(standing: Standing): readonly PlannedStep[] {
  const { name, ref, phase, talos } = standing;
  // What does not finish booting with its configuration may do so with the next one.
  if (phase === 'running' || (phase === 'booting' && (talos?.changes.length ?? 0) > 0)) return [];
  const because =
    phase === 'booting'
      ? `its boot is not done: it is ${talos?.stage}`
      : phase === 'silent'
        ? `it is part of the cluster, and does not answer: ${standing.because}`
        : 'it comes up with its configuration';
  // One that has power may be started too: at the end of its own turn, when it becomes larger.
  const start = phase === 'absent' || phase === 'off' ? [idOf('machine.start', name)] : [];
  const after = [idOf('talos.configure', name), ...start];
  return [planned({ kind: 'talos.await-up', machine: name, ref }, { after, because })];
}
