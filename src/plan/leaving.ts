import type { Ask, Doubt, PlannedStep } from '../model/plan.ts';
import { holders } from './addresses.ts';
import { inTheWay } from './crowd.ts';
import { isProtected } from './destroy-asks.ts';
import { fewOf } from '../spec/names.ts';
import { idOf, planned, together, type Part } from './graph.ts';
import type { Held } from './held.ts';
import { clause, ifGone, removal, why } from './removal.ts';
import { aliveMembers, isUp, majorityOf, mayHaveEtcd, type Situation, type Standing } from './situation.ts';

/** What leaves waits for this: whoever comes is there first, unless there is no room for both. */
export type Leave = {
  readonly base: readonly string[];
  /** How many members this plan adds before. */
  readonly joining: number;
  readonly isMeant: (name: string) => boolean;
  /** Those that do not come yet. */
  readonly held: Held;
};

/** Machines that the file no longer has: workers one drain after the other, then control planes one by one. */
export function planLeaving(situation: Situation, { base, joining, isMeant, held }: Leave): Part {
  const kept = holders(situation);
  const mayGo = (standing: Standing): boolean =>
    !kept.has(standing.name) && !isProtected(standing) && standing.seen?.damage === undefined;
  const leaving = situation.leaving.filter(
    (standing) => standing.phase !== 'absent' && isMeant(standing.name) && mayGo(standing),
  );
  const idle = leaving.filter((standing) => isIdle(situation, standing));
  const stays = waitsForOthers(situation, held);
  const busy = leaving.filter((standing) => !isIdle(situation, standing) && !stays(standing));
  const workers = busy.filter(({ role }) => role === 'worker');
  const controlPlanes = busy.filter(({ role }) => role === 'control-plane');
  const atOnce = together(...idle.map((standing) => removal(situation, standing, { after: [], drain: false })));
  const first = planWorkers(situation, workers, base);
  const gone = [...base, ...first.steps.map(({ id }) => id)];
  const because = `it leaves when ${fewOf([...held.keys()])} can take its place`;
  const doubts = leaving.filter(stays).map(({ name }): Doubt => ({ about: name, because, later: true }));
  return together(atOnce, first, planControlPlanes(situation, controlPlanes, gone, joining), { steps: [], doubts });
}

/** What works is not taken away before those that come are there, unless it is in their way. */
function waitsForOthers(situation: Situation, held: Held): (standing: Standing) => boolean {
  const first = inTheWay(situation);
  return (standing) => held.size > 0 && isUp(standing) && !first.has(standing);
}

/** Nothing of the cluster is on it: it was never configured, or is wiped already. */
function isIdle({ nodes, etcd }: Situation, { phase, node, member, role }: Standing): boolean {
  if (phase === 'unseen' || phase === 'foreign' || isNeeded(phase)) return false;
  if (node !== undefined || member !== undefined) return false;
  return phase === 'maintenance' || (nodes !== 'unclear' && (role === 'worker' || etcd !== 'unclear'));
}

const isNeeded = (phase: Standing['phase']): boolean => phase === 'running' || phase === 'booting';

function planWorkers(situation: Situation, workers: readonly Standing[], base: readonly string[]): Part {
  const first = inTheWay(situation);
  let drained: string | undefined;
  return together(
    ...[...workers.filter((each) => first.has(each)), ...workers.filter((each) => !first.has(each))].map(
      (standing): Part => {
        const hidden = hiddenReason(situation, standing);
        if (hidden !== undefined) return { steps: [], doubts: [hidden] };
        if (standing.phase === 'foreign') return { steps: [] };
        const part = removal(situation, standing, {
          after: [...(first.has(standing) ? [] : base), ...(drained === undefined ? [] : [drained])],
          drain: isUp(standing) || standing.phase === 'silent',
        });
        drained = part.steps.find(({ step }) => step.kind === 'node.drain')?.id ?? drained;
        return part;
      },
    ),
  );
}

function hiddenReason({ nodes }: Situation, { name, phase, because }: Standing): Doubt | undefined {
  if (phase === 'unseen') return { about: name, because };
  if (nodes === 'unclear')
    return { about: name, because: 'it leaves when Kubernetes answers, which must let go of it' };
  return undefined;
}

/** Whoever is dead goes first: then those that stay are all alive when the next one leaves. */
function planControlPlanes(
  situation: Situation,
  leaving: readonly Standing[],
  base: readonly string[],
  joining: number,
): Part {
  if (leaving.length === 0) return { steps: [] };
  if (situation.etcd === 'unclear')
    return {
      steps: leaving.flatMap((standing) => wake(situation, standing)),
      doubts: leaving.map(({ name }) => ({ about: name, because: 'it leaves when etcd can be seen, and not before' })),
    };
  const isDead = ({ phase }: Standing): boolean => phase === 'off' || phase === 'maintenance';
  const order = [...leaving.filter(isDead), ...leaving.filter((standing) => !isDead(standing))];
  const mayGo = goodbyes(situation, joining);
  const parts: Part[] = [];
  let before = base;
  for (const standing of order) {
    const part = leaveEtcd(situation, standing, before, mayGo);
    parts.push(part);
    if (part.steps.length > 0) before = [part.steps.at(-1)!.id];
  }
  const last = parts.findLast(({ steps }) => steps.length > 0);
  const gate =
    last === undefined || situation.etcd === 'none'
      ? []
      : [gateBefore(undefined, before, [], 'nothing else is touched before those that stay are well')];
  return together(...parts, { steps: gate });
}

export const gateBefore = (
  machine: string | undefined,
  after: readonly string[],
  except: readonly string[],
  because: string,
): PlannedStep =>
  planned(
    { kind: 'cluster.await-healthy', except },
    { after, because, ...(machine === undefined ? {} : { mark: machine }) },
  );

/** Whether one more may go; counts it as gone if so. */
type Goodbye = (isAlive: boolean) => boolean;

/** Counts members, and those of them that are alive, as one after the other leaves. */
function goodbyes({ members, controlPlanes, leaving }: Situation, joining: number): Goodbye {
  const names = new Set(controlPlanes.map(({ name }) => name));
  const up = aliveMembers(members, [...controlPlanes, ...leaving]);
  const staying = up.filter(({ machine }) => machine !== undefined && names.has(machine)).length + joining;
  let [count, alive] = [members.length + joining, up.length + joining];
  return (isAlive) => {
    const left = alive - (isAlive ? 1 : 0);
    if (staying < 1 || alive < majorityOf(count) || left < majorityOf(count - 1)) return false;
    [count, alive] = [count - 1, left];
    return true;
  };
}

function leaveEtcd(situation: Situation, standing: Standing, before: readonly string[], mayGo: Goodbye): Part {
  const { name, phase, member, seen } = standing;
  const { world, etcd } = situation;
  const hidden = hiddenReason(situation, standing);
  if (hidden !== undefined) return { steps: [], doubts: [hidden] };
  if (phase === 'foreign') return { steps: [] };
  if (etcd === 'none')
    return world.memory.bootstrap?.machine === name
      ? { steps: [] }
      : removal(situation, standing, { after: before, drain: false });
  if (phase === 'silent') return waitFor(situation, standing);
  if (member === undefined) {
    const gate = gateBefore(name, before, [name], `the next control plane leaves when the others are well`);
    return together({ steps: [gate] }, removal(situation, standing, { after: [gate.id], drain: isUp(standing) }));
  }
  if (!mayGo(isUp(standing) && !member.learner)) return { steps: [], asks: [keepsQuorum(name)] };
  if (!isUp(standing)) {
    const remove = planned(
      { kind: 'etcd.remove', member: member.id, hostname: member.hostname },
      { after: before, because: `${why(standing)}, and it cannot leave by itself` },
    );
    return together({ steps: [remove] }, removal(situation, standing, { after: [remove.id], drain: false }));
  }
  if (seen?.address === undefined)
    return { steps: [], doubts: [{ about: name, because: 'it must leave etcd, and nobody says where it is' }] };
  const gate = gateBefore(
    name,
    before,
    [],
    'control planes leave one at a time, and only while all the others are well',
  );
  const leave = planned(
    { kind: 'etcd.leave', machine: name, address: seen.address, hostname: member.hostname },
    {
      after: [gate.id, idOf('node.drain', name)],
      because: `${why(standing)}; it hands over before it goes`,
      disruption: 'restart',
    },
  );
  const rest = removal(situation, standing, { after: [gate.id], drain: true, thenAfter: [leave.id] });
  return together({ steps: [gate, leave] }, rest);
}

/** While etcd has no majority, a vote that lies without power is missed: nobody can leave before it is back. */
function wake({ world, members }: Situation, standing: Standing): readonly PlannedStep[] {
  const { name, ref, phase, member } = standing;
  const unseen = members.length === 0;
  const votes = member !== undefined || (unseen && world.memory.bootstrap?.members?.includes(name) === true);
  if (ref === undefined || phase !== 'off' || !(votes || (unseen && mayHaveEtcd(world, standing)))) return [];
  const because = votes
    ? 'the file no longer has it, and etcd lacks its vote: nobody can leave without a majority'
    : 'the file no longer has it, and it may have etcd: it goes when that is clear';
  const start = planned({ kind: 'machine.start', machine: name, ref }, { because });
  const up = votes
    ? planned(
        { kind: 'talos.await-up', machine: name, ref },
        { after: [start.id], because: 'it is part of the cluster, and comes back by itself' },
      )
    : planned(
        { kind: 'talos.reach', machine: name, ref },
        { after: [start.id], because: 'what is on it shows when it has started', reveals: `the address of ${name}` },
      );
  return [start, up];
}

/** It may be on its way back: to take its vote away on a guess could cost the majority. */
function waitFor({ platform }: Situation, standing: Standing): Part {
  const { name, ref, because } = standing;
  const dead =
    platform.provider.kind === 'existing' ? ifGone(standing) : '; cut its power if it is dead, and it is taken out';
  return {
    steps: [
      planned(
        { kind: 'talos.await-up', machine: name, ref },
        { because: `it is to leave etcd, and does not answer: ${because}` },
      ),
    ],
    doubts: [{ about: name, because: `it does not answer: ${clause(because)}${dead}` }],
  };
}

const keepsQuorum = (name: string): Ask => ({
  code: 'quorum',
  message: `${name} is no longer in the file, and etcd would lose its majority without it.`,
  remedy: 'Bring the other control planes back first; what is wrong with them, this tells:\n    ichor status',
});
