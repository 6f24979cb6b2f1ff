import { naturally } from '../model/host.ts';
import type { Doubt, Plan, PlannedStep } from '../model/plan.ts';
import type { Proof } from '../model/proof.ts';
import type { World } from '../model/world.ts';
import type { Platform } from '../spec/platform.ts';
import { asksOf } from './asks.ts';
import { planDestroy } from './destroy.ts';
import { driftOf } from './drift.ts';
import { assembled, idOf, planned, together, without, type Part } from './graph.ts';
import { heldBack, type Held } from './held.ts';
import { allReady, planKubernetes } from './kubernetes.ts';
import { planLeaving } from './leaving.ts';
import { planMachines } from './machines.ts';
import { planFinish } from './finish.ts';
import { provePlatform } from './proof.ts';
import { joiningOf, planEtcd } from './quorum.ts';
import { planRemains, remainsOf } from './remains.ts';
import { planRollout } from './rollout.ts';
import { situationOf, wantedOf, type Situation, type Standing } from './situation.ts';
import { cutTo, targetOf, type Target } from './target.ts';
import { planTalos } from './talos.ts';
import { isKnownToCluster, isStuck, waysOf, type Ways } from './ways.ts';

export type PlanOptions = {
  readonly intent: 'converge' | 'destroy';
  readonly target?: string;
  readonly everything?: boolean;
  /** With a destroy: somebody named the platform, and means it. */
  readonly confirmed?: boolean;
};

/** From what the file asks for and what is there to what is to be done. Touches nothing. */
export function planPlatform(
  platform: Platform,
  world: World,
  { intent, target: written, everything = false, confirmed = false }: PlanOptions,
): { readonly plan: Plan; readonly proof: Proof } {
  const proof = proofOf(platform, world);
  const situation = situationOf(platform, world, proof);
  const target = written === undefined ? undefined : targetOf(situation, written);
  const decide = (only: Target | undefined): Required<Part> =>
    intent === 'destroy' ? planDestroy(situation, { everything, confirmed }) : converge(situation, only);
  const whole = decide(undefined);
  const meant = target === undefined ? whole : decide(target);
  const steps = assembled(meant.steps);
  const kept = target === undefined ? steps : cutTo(steps, target);
  const plan: Plan = {
    platform: platform.name,
    intent,
    made: world.at.toISOString(),
    steps: kept,
    drift: intent === 'destroy' ? [] : driftOf(situation),
    asks: meant.asks,
    doubts: doubtsFor(target, meant.doubts).toSorted((one, other) => naturally(one.about, other.about)),
    partial: meant.doubts.length > 0 || kept.length < whole.steps.length,
  };
  return { plan, proof };
}

/** Whoever asks for one machine is told what keeps that one. */
const doubtsFor = (target: Target | undefined, doubts: readonly Doubt[]): readonly Doubt[] =>
  target?.kind === 'machine' ? doubts.filter(({ about }) => about === target.name) : doubts;

/** What a silent host can carry nobody knows: the proof is about the others, and about machines that can be seen. */
function proofOf(platform: Platform, world: World): Proof {
  const inventory = world.provider?.inventory;
  const silent = new Set(world.provider?.silent.map(({ host }) => host));
  if (silent.size === 0 || platform.provider.kind !== 'proxmox') return provePlatform(platform, inventory);
  const unseen = new Set(world.machines.flatMap(({ name, vm }) => (vm?.kind === 'unknown' ? [name] : [])));
  const hosts = platform.provider.hosts.filter((host) => !silent.has(host));
  const machines = platform.machines.filter(({ name }) => !unseen.has(name));
  return provePlatform({ ...platform, machines, provider: { ...platform.provider, hosts } }, inventory);
}

function converge(situation: Situation, target: Target | undefined): Required<Part> {
  const { asks, stopped } = asksOf(situation);
  if (stopped === 'everything') return { steps: [], asks, doubts: [] };
  const mayCreate = stopped === undefined;
  const held = heldBack(situation);
  const ways = waysOf(situation, mayCreate, held);
  const isMeant = (name: string): boolean => target?.kind !== 'machine' || target.name === name;
  const remains = remainsOf(situation);
  const joining = joiningOf(situation, ways).filter(({ name }) => isMeant(name));
  const gone = remains.members.map(({ hostname }) => idOf('etcd.remove', hostname));
  const etcd = planEtcd(situation, ways, joining, remains.members);
  const begins = etcd.steps.some(({ step }) => step.kind === 'etcd.bootstrap');
  const base = [allReady, ...joining.map(({ name }) => idOf('etcd.await-member', name)), ...gone, idOf('cni.install')];
  const leaving = mayCreate
    ? planLeaving(situation, {
        base,
        isMeant,
        joining: joining.filter(({ member }) => member === undefined).length,
        held,
      })
    : { steps: [] };
  const rest = [...base, ...leaving.steps.map(({ id }) => id)];
  const all = together(
    { steps: secrets(situation), asks },
    { steps: planMachines(situation, mayCreate, held), doubts: hiddenMachines(situation, ways, held) },
    { steps: planRemains(remains) },
    { steps: planTalos(situation, ways, joining, gone) },
    etcd,
    planKubernetes(situation, ways, begins),
    leaving,
    planRollout(situation, rest, isMeant),
    { steps: planFinish(situation, ways) },
  );
  if (stopped === undefined) return all;
  // Nobody needs an identity while nothing can be made of it.
  const pointless = !all.steps.some(({ step }) => step.kind === 'talos.configure');
  const unwanted = ({ layer }: PlannedStep): boolean =>
    (layer === 'machines' && stopped === 'writes') || (layer === 'identity' && pointless);
  return { ...all, steps: without(assembled(all.steps), unwanted) };
}

const secrets = ({ world }: Situation) =>
  world.secrets === 'there'
    ? []
    : [planned({ kind: 'secrets.make' }, { because: 'the cluster has no identity yet; it is made once' })];

const laterOr = (because: string | undefined, doubt: Doubt): Doubt =>
  because === undefined ? doubt : { about: doubt.about, because, later: true };

function hiddenMachines(situation: Situation, ways: Ways, held: Held): readonly Doubt[] {
  const isHidden = (standing: Standing): boolean =>
    (standing.phase === 'unseen' && standing.seen?.damage === undefined) ||
    (standing.phase === 'silent' && !isKnownToCluster(standing) && isStuck(ways, standing));
  return wantedOf(situation)
    .filter((standing) => held.has(standing.name) || isHidden(standing))
    .map(({ name, because }) => laterOr(held.get(name), { about: name, because }));
}
