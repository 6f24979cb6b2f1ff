import type { Ask, Doubt, PlannedStep } from '../model/plan.ts';
import type { WorldMember } from '../model/world.ts';
import { fewOf } from '../spec/names.ts';
import { idOf, planned, type Part } from './graph.ts';
import { aliveMembers, isUp, majorityOf, mayHaveEtcd, type Situation, type Standing } from './situation.ts';
import { isStuck, type Ways } from './ways.ts';

/** Control planes that are to become members, in their order: those that have their configuration already go first. */
export function joiningOf({ etcd, controlPlanes }: Situation, ways: Ways): readonly Standing[] {
  if (etcd !== 'running') return [];
  const joining = controlPlanes.filter((standing) => !isVoter(standing) && !isStuck(ways, standing));
  return [...joining.filter(isUp), ...joining.filter((standing) => !isUp(standing))];
}

/** A member whose data is gone does not come back as the same one. */
const isVoter = ({ member, phase }: Standing): boolean =>
  member !== undefined && !member.learner && phase !== 'absent' && phase !== 'maintenance';

export function planEtcd(
  situation: Situation,
  ways: Ways,
  joining: readonly Standing[],
  gone: readonly WorldMember[],
): Part {
  switch (situation.etcd) {
    case 'none':
      return beginCluster(situation, ways);
    case 'running':
      return growCluster(situation, joining, gone);
    case 'unclear':
      return waitForCluster(situation, ways);
  }
}

/** The one that was chosen, for the whole life of the cluster; else the first by name. */
function bootstrapMachine({ world, controlPlanes }: Situation): Standing | undefined {
  const chosen = world.memory.bootstrap?.machine;
  return chosen === undefined ? controlPlanes[0] : controlPlanes.find(({ name }) => name === chosen);
}

function beginCluster(situation: Situation, ways: Ways): Part {
  const { controlPlanes, world } = situation;
  const lost = lostCluster(situation);
  if (lost !== undefined) return { steps: [], asks: [lost] };
  const first = bootstrapMachine(situation);
  if (first === undefined)
    return controlPlanes.length === 0
      ? { steps: [] }
      : { steps: [], asks: [bootstrapGone(world.memory.bootstrap?.machine)] };
  if (controlPlanes.some((standing) => isStuck(ways, standing))) return { steps: [] };
  const up = controlPlanes.flatMap(({ name }) => [idOf('talos.await-up', name), idOf('talos.reconfigure', name)]);
  const because =
    world.memory.bootstrap === undefined
      ? 'no control plane has etcd yet; the first by name begins it, once for ever'
      : 'no control plane has etcd yet, and this one was chosen to begin it';
  return {
    steps: [
      planned({ kind: 'etcd.bootstrap', machine: first.name, ref: first.ref }, { after: up, because }),
      ...controlPlanes
        .filter((standing) => standing !== first)
        .map((standing) => awaitMember(standing, [idOf('etcd.bootstrap', first.name)])),
    ],
  };
}

const awaitMember = ({ name, ref }: Standing, after: readonly string[]): PlannedStep =>
  planned(
    { kind: 'etcd.await-member', machine: name, ref },
    { after: [...after, idOf('talos.await-up', name)], because: 'a control plane counts once it votes' },
  );

/** Whoever is gone for good is taken out first; then one joins after the other. */
function growCluster({ members }: Situation, joining: readonly Standing[], gone: readonly WorldMember[]): Part {
  return {
    steps: [
      ...gone.map((member, index) =>
        planned(
          { kind: 'etcd.remove', member: member.id, hostname: member.hostname },
          {
            after: index === 0 ? [] : [idOf('etcd.remove', gone[index - 1]!.hostname)],
            because: `its machine is gone, and ${members.length} members need ${majorityOf(members.length)} for a majority`,
          },
        ),
      ),
      ...joining.map((standing, index) =>
        awaitMember(standing, index === 0 ? [] : [idOf('etcd.await-member', joining[index - 1]!.name)]),
      ),
    ],
  };
}

/** Nothing is begun or joined on a guess. */
function waitForCluster(situation: Situation, ways: Ways): Part {
  const { world } = situation;
  const first = world.memory.bootstrap === undefined ? undefined : bootstrapMachine(situation);
  const doubt: Doubt = { about: 'etcd', because: whyUnclear(situation) };
  const steps = first === undefined || isStuck(ways, first) ? [] : [awaitMember(first, [])];
  return { steps, doubts: [doubt] };
}

function whyUnclear({ world, controlPlanes, leaving, members }: Situation): string {
  if (world.etcd.kind === 'unknown') return world.etcd.because;
  if (members.length > 0) {
    const alive = aliveMembers(members, [...controlPlanes, ...leaving]).map(({ hostname }) => hostname);
    return `of its ${members.length} members, only ${fewOf(alive)} can be seen at work`;
  }
  const hidden = [...controlPlanes, ...leaving].filter((standing) => mayHaveEtcd(world, standing));
  return `${fewOf(hidden.map(({ name }) => name))} may have it, and cannot be looked at`;
}

/**
 * A life that has begun is never begun again without being asked: its data may be in a snapshot. Where nobody remembers, workers
 * tell it that are configured while no control plane is: they get their configuration after those.
 */
function lostCluster({ world, controlPlanes, workers }: Situation): Ask | undefined {
  const { bootstrap } = world.memory;
  const orphans = bootstrap === undefined && !controlPlanes.some(isUp) ? workers.filter(isUp) : [];
  const begun = bootstrap?.members !== undefined && bootstrap.ending === undefined;
  if (!begun && orphans.length === 0) return undefined;
  const [first] = controlPlanes;
  const because =
    orphans.length > 0
      ? `${fewOf(orphans.map(({ name }) => name))} ${orphans.length === 1 ? 'is' : 'are'} configured for one`
      : `${fewOf(bootstrap?.members ?? [])} had it`;
  return {
    code: 'cluster-lost',
    message: `No control plane has etcd, and there was a cluster: ${because}. Its data is gone from its machines; a new etcd would be empty.`,
    remedy: `If nothing of it is to be kept, end this life and begin another: ichor destroy && ichor up. If there is a snapshot, bring it back on one control plane once that is up, then go on:\n    ichor talos etcd recover etcd.db -n ${first?.seen?.address ?? first?.machine?.fixed.address ?? 'ADDRESS'} && ichor up`,
  };
}

const bootstrapGone = (machine: string | undefined): Ask => ({
  code: 'bootstrap-machine-gone',
  message: `etcd was to be begun on ${machine}, which is no longer in the file, and no control plane has it: whether there ever was a cluster is not known.`,
  remedy: `Put ${machine} back into the file; or, if nothing is to be kept, end this life and begin another:\n    ichor destroy && ichor up`,
});
