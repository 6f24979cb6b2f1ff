import type { Doubt, PlannedStep } from '../model/plan.ts';
import type { ConfigChange, Disruption } from '../model/step.ts';
import { changesOf, type Changes } from './changes.ts';
import { idOf, planned, together, type Part } from './graph.ts';
import { allReady, canBeReady } from './kubernetes.ts';
import { kubeletVersion, kubernetesChange } from './kubernetes-version.ts';
import { gateBefore } from './leaving.ts';
import { resizeStep, waitsForRoom } from './resize.ts';
import { aliveMembers, isUp, wantedOf, type Situation, type Standing } from './situation.ts';

type Turn = { readonly standing: Standing; readonly changes: Changes };

/** Changes of machines that run: one machine at a time, control planes first, each only while all the others are well. */
export function planRollout(situation: Situation, base: readonly string[], isMeant: (name: string) => boolean): Part {
  const turns = wantedOf(situation).flatMap((standing): readonly Turn[] => {
    const changes = isUp(standing) && isMeant(standing.name) ? changesOf(situation, standing) : undefined;
    return changes === undefined ? [] : [{ standing, changes }];
  });
  const left = { steps: uncordons(situation, turns, isMeant), doubts: laterLarger(situation, isMeant) };
  if (turns.length === 0) return left;
  if (situation.etcd === 'none' || (situation.etcd === 'running' && situation.nodes === 'none'))
    return { steps: beforeTheCluster(turns) };
  if (situation.etcd === 'unclear' || situation.nodes === 'unclear') return withoutApi(situation, turns);
  return together(oneByOne(situation, turns, base), left);
}

const laterLarger = (situation: Situation, isMeant: (name: string) => boolean): readonly Doubt[] =>
  wantedOf(situation)
    .filter((standing) => isMeant(standing.name) && waitsForRoom(situation, standing))
    .map(({ name, observed }) => ({
      about: name,
      because: `it becomes larger when others on ${observed?.host} are smaller: until then there is no room`,
      later: true,
    }));

/** Nodes that a drain of ours left cordoned, because somebody ended it: they work again. */
const uncordons = (
  situation: Situation,
  turns: readonly Turn[],
  isMeant: (name: string) => boolean,
): readonly PlannedStep[] =>
  wantedOf(situation).flatMap((standing) => {
    const { name, node, phase } = standing;
    const inTurn = turns.some((turn) => turn.standing === standing && turn.changes.restarts);
    if (node === undefined || !node.drained || inTurn || !isMeant(name)) return [];
    if (phase !== 'running' && phase !== 'booting' && phase !== 'off') return [];
    return [
      planned(
        { kind: 'node.uncordon', machine: name, node: node.name },
        { after: [allReady, idOf('node.await-ready', name)], because: 'a drain of ours cordoned it, and did not end' },
      ),
    ];
  });

/** Nobody uses it yet: what was configured wrongly is put right before etcd begins. */
const beforeTheCluster = (turns: readonly Turn[]): readonly PlannedStep[] =>
  turns.flatMap(({ standing, changes }, index) => {
    const { name, ref } = standing;
    if (changes.config.length === 0) return [];
    const before = turns.slice(0, index).findLast((turn) => turn.changes.config.length > 0);
    const after = before === undefined ? [] : [idOf('talos.await-up', before.standing.name)];
    return [
      reconfigure(standing, changes, after, 'none'),
      planned(
        { kind: 'talos.await-up', machine: name, ref },
        { after: [idOf('talos.reconfigure', name)], because: 'it goes on with its new configuration' },
      ),
    ];
  });

/**
 * While Kubernetes does not answer, only control planes are changed, and only what needs no restart: an API server that does not
 * start may need just that.
 */
function withoutApi({ etcd }: Situation, turns: readonly Turn[]): Part {
  const isUrgent = ({ standing, changes }: Turn): boolean =>
    etcd === 'running' && standing.role === 'control-plane' && changes.config.length > 0 && !changes.restarts;
  const steps: PlannedStep[] = [];
  for (const { standing, changes } of turns.filter(isUrgent)) {
    const change = reconfigure(
      standing,
      changes,
      steps.slice(-1).map(({ id }) => id),
      'none',
    );
    steps.push(change, awaitServer(standing, [change.id]));
  }
  const because = 'it is changed when the cluster can be seen, which must do without it meanwhile';
  const doubts = turns.filter((turn) => !isUrgent(turn)).map(({ standing }) => ({ about: standing.name, because }));
  return { steps, doubts };
}

function oneByOne(situation: Situation, turns: readonly Turn[], base: readonly string[]): Part {
  const parts: Part[] = [];
  let before = base;
  const order = sickFirst(turns);
  for (const [index, turn] of order.entries()) {
    const { standing, changes } = turn;
    if (standing.role === 'control-plane' && changes.restarts && !etcdIsWhole(situation)) {
      const because = 'it is restarted when all other members of etcd are alive, and they are not';
      parts.push({ steps: [], doubts: [{ about: standing.name, because, later: true }] });
      continue;
    }
    // Whoever is not well and still has its turn may need that turn to become well.
    const except = order.slice(index).flatMap((later) => (isWell(later) ? [] : [later.standing.name]));
    const steps = chain(situation, turn, before, except);
    before = [steps.at(-1)!.id];
    parts.push({ steps });
  }
  return together(...parts);
}

const isWell = ({ standing }: Turn): boolean => standing.node?.ready === true;

/** Control planes before workers; of each those first that are not well, so that nobody who is goes down beside them. */
function sickFirst(turns: readonly Turn[]): readonly Turn[] {
  const rank = (turn: Turn): number => (turn.standing.role === 'control-plane' ? 0 : 2) + (isWell(turn) ? 1 : 0);
  return turns.toSorted((one, other) => rank(one) - rank(other));
}

function etcdIsWhole({ members, controlPlanes, leaving }: Situation): boolean {
  const gone = controlPlanes.filter(
    ({ member, phase }) => member !== undefined && (phase === 'absent' || phase === 'maintenance'),
  ).length;
  return aliveMembers(members, [...controlPlanes, ...leaving]).length + gone === members.length;
}

function chain(
  situation: Situation,
  { standing, changes }: Turn,
  before: readonly string[],
  except: readonly string[],
): readonly PlannedStep[] {
  const { name, ref, node } = standing;
  const { config, upgrade, resize, restarts } = changes;
  if (config.length === 0 && upgrade === undefined && resize !== undefined && !resize.restart)
    return resizeStep(standing, resize, before);
  const disruption = restarts ? disruptionOf(situation, standing) : 'none';
  const steps: PlannedStep[] = [
    gateBefore(name, before, except, 'one machine at a time, while all the others are well'),
  ];
  const add = (step: PlannedStep): void => void steps.push(step);
  const last = (): readonly string[] => [steps.at(-1)!.id];
  const up = (mark: string, because: string): void =>
    add(planned({ kind: 'talos.await-up', machine: name, ref }, { after: last(), because, mark }));

  const drains = restarts && node !== undefined && (node.drained || worksElsewhere(situation, standing));
  if (drains)
    add(
      planned(
        { kind: 'node.drain', machine: name, node: node.name },
        { after: last(), because: 'it restarts: its pods move first', disruption: 'drain' },
      ),
    );
  if (upgrade !== undefined) {
    add(upgradeStep(standing, upgrade, last(), disruption));
    up('upgraded', 'it comes back with its new Talos');
  }
  if (config.length > 0) {
    const step = reconfigure(standing, changes, last(), disruption);
    add(step);
    if (config.some(({ reboot }) => reboot) || standing.phase === 'booting')
      up('reconfigured', 'it comes back with its new configuration');
  }
  if (resize !== undefined && ref !== undefined) {
    if (resize.restart)
      add(
        planned(
          { kind: 'talos.shutdown', machine: name, ref },
          { after: last(), because: 'processors and memory change while it is off', disruption },
        ),
      );
    for (const step of resizeStep(standing, resize, last())) add({ ...step, disruption });
    if (resize.restart) {
      add(planned({ kind: 'machine.start', machine: name, ref }, { after: last(), because: 'it has its new size' }));
      up('resized', 'it comes back with its new size');
    }
  }
  if (standing.role === 'control-plane' && (restarts || config.some(isOfKubernetes)))
    add(awaitServer(standing, last()));
  if (node !== undefined && config.some(isOfKubelet)) add(awaitKubelet(standing, changes, last()));
  if (canBeReady(situation))
    add(
      planned({ kind: 'node.await-ready', machines: [name] }, { after: last(), because: 'the next one waits for it' }),
    );
  if (drains && (node.schedulable || node.drained))
    add(
      planned(
        { kind: 'node.uncordon', machine: name, node: node.name },
        { after: last(), because: 'it takes pods again, as before' },
      ),
    );
  return steps;
}

/** What Kubernetes itself is made of, in whatever contract. */
const isOfKubernetes = ({ path }: ConfigChange): boolean => /^(cluster|machine\.kubelet|Kube[A-Za-z]*)\b/.test(path);

const isOfKubelet = ({ path }: ConfigChange): boolean => /^(machine\.kubelet|KubeletConfig)\b/.test(path);

/** A Node is Ready for a while after its kubelet has gone: the next one is left alone until this one is back. */
const awaitKubelet = ({ name, ref }: Standing, { config }: Changes, after: readonly string[]): PlannedStep =>
  planned(
    { kind: 'kubernetes.await-kubelet', machine: name, ref, version: kubeletVersion(config) },
    { after, because: 'kubelets restart one at a time' },
  );

/** Talos takes a configuration at once, and Kubernetes follows: the next one is left alone until this one serves again. */
const awaitServer = ({ name, ref }: Standing, after: readonly string[]): PlannedStep =>
  planned(
    { kind: 'kubernetes.await-server', machine: name, ref },
    { after, because: 'API servers restart one at a time' },
  );

function reconfigure(
  { name, ref }: Standing,
  { config }: Changes,
  after: readonly string[],
  disruption: Disruption,
): PlannedStep {
  const reboot = config.some((change) => change.reboot);
  const paths = config.map(({ path }) => path);
  const shown = paths.length > 4 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ');
  const kubernetes = kubernetesChange(config);
  const otherwise = `the file says otherwise about ${shown}${reboot ? '; Talos restarts the machine for it' : ''}`;
  const because =
    kubernetes === undefined ? otherwise : `Kubernetes ${kubernetes.from} becomes ${kubernetes.to}; ${otherwise}`;
  return planned(
    { kind: 'talos.reconfigure', machine: name, ref, changes: config, reboot },
    { after, because, disruption: reboot ? disruption : 'none' },
  );
}

function upgradeStep(
  { name, ref }: Standing,
  { from, to, image }: NonNullable<Changes['upgrade']>,
  after: readonly string[],
  disruption: Disruption,
): PlannedStep {
  const because =
    from === to
      ? 'the file asks for another image of the same Talos'
      : `the file asks for Talos ${to}, it runs ${from}`;
  return planned({ kind: 'talos.upgrade', machine: name, ref, from, to, image }, { after, because, disruption });
}

/** A control plane among three is not missed; one alone is. */
function disruptionOf(situation: Situation, standing: Standing): Disruption {
  if (worksElsewhere(situation, standing)) return 'drain';
  if (standing.role === 'control-plane') return situation.members.length >= 3 ? 'restart' : 'downtime';
  return 'downtime';
}

/** Whether it carries pods that others can take. */
function worksElsewhere({ nodes, platform }: Situation, { role, name }: Standing): boolean {
  if (typeof nodes === 'string') return false;
  if (role === 'control-plane' && !platform.cluster.controlPlane.schedulable) return false;
  return nodes.some(
    ({ schedulable, machine, controlPlane }) =>
      schedulable && machine !== name && (!controlPlane || platform.cluster.controlPlane.schedulable),
  );
}
