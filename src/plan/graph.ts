import type { Layer } from '../model/layer.ts';
import type { Ask, Doubt, PlannedStep } from '../model/plan.ts';
import type { Disruption, Step, StepKind } from '../model/step.ts';
import { expectedMsOf } from './durations.ts';
import { imageName } from '../talos/image-requests.ts';

/** What one part of the planner concludes. */
export type Part = {
  readonly steps: readonly PlannedStep[];
  readonly asks?: readonly Ask[];
  readonly doubts?: readonly Doubt[];
};

export const together = (...parts: readonly Part[]): Required<Part> => ({
  steps: parts.flatMap(({ steps }) => steps),
  asks: parts.flatMap(({ asks = [] }) => asks),
  doubts: parts.flatMap(({ doubts = [] }) => doubts),
});

export type Details = {
  /** Ids; those that turn out to be in no plan are done already. */
  readonly after?: readonly string[];
  readonly because: string;
  readonly disruption?: Disruption;
  readonly reveals?: string;
  /** Tells it from another one of its kind and target: the machine that a gate stands before, the second wait of a chain. */
  readonly mark?: string;
};

export const idOf = (kind: StepKind, target?: string): string => (target === undefined ? kind : `${kind} ${target}`);

export function planned(step: Step, { after = [], because, disruption = 'none', reveals, mark }: Details): PlannedStep {
  const target = [targetOf(step), mark].filter((part) => part !== undefined).join(' ');
  return {
    id: idOf(step.kind, target === '' ? undefined : target),
    layer: layerOf(step.kind),
    machine: machineOf(step),
    step,
    after,
    because,
    disruption,
    expectedMs: expectedMsOf(step),
    ...(reveals === undefined ? {} : { reveals }),
  };
}

/**
 * Whatever comes out is in an order to do it in. A dependency that no step has is one on something that is so already; one
 * that another dependency implies is left out.
 */
export function assembled(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  const byId = new Map<string, PlannedStep>();
  for (const step of steps) {
    if (byId.has(step.id)) throw new Error(`Two steps are called ${step.id}.`);
    byId.set(step.id, step);
  }
  const order: PlannedStep[] = [];
  const place = new Map<string, number>();
  const above: Ancestors[] = [];
  const visit = (step: PlannedStep): void => {
    if (place.has(step.id)) return;
    place.set(step.id, -1);
    const parents = [...new Set(step.after)].flatMap((id) => byId.get(id) ?? []);
    for (const parent of parents) visit(parent);
    const places = parents.map(({ id }) => place.get(id)!).toSorted((one, other) => one - other);
    if (places[0] === -1) throw new Error(`${step.id} waits for itself.`);
    const implied = union(
      places.map((each) => above[each]!),
      steps.length,
    );
    const after = places.filter((each) => !has(implied, each)).map((each) => order[each]!.id);
    for (const each of places) mark(implied, each);
    above.push(implied);
    place.set(step.id, order.length);
    order.push({ ...step, after });
  };
  for (const step of steps) visit(step);
  return order;
}

/** One bit for each step that must be done before. */
type Ancestors = Uint32Array;

function union(sets: readonly Ancestors[], size: number): Ancestors {
  const all = new Uint32Array(Math.ceil(size / 32));
  for (const set of sets) for (let word = 0; word < all.length; word++) all[word]! |= set[word]!;
  return all;
}

const has = (set: Ancestors, place: number): boolean => ((set[place >>> 5]! >>> (place & 31)) & 1) === 1;
const mark = (set: Ancestors, place: number): void => void (set[place >>> 5]! |= 1 << (place & 31));

/** Takes steps out, and all that stand on them. */
export function without(
  steps: readonly PlannedStep[],
  unwanted: (step: PlannedStep) => boolean,
): readonly PlannedStep[] {
  const gone = new Set<string>();
  for (const step of steps) if (unwanted(step) || step.after.some((id) => gone.has(id))) gone.add(step.id);
  return steps.filter(({ id }) => !gone.has(id));
}

const layerOf = (kind: StepKind): Layer =>
  kind.startsWith('secrets.')
    ? 'identity'
    : kind.startsWith('machine.') || kind.startsWith('machines.') || kind.startsWith('image.')
      ? 'machines'
      : 'cluster';

function machineOf(step: Step): string | undefined {
  if ('machine' in step) return step.machine;
  return step.kind === 'node.await-ready' && step.machines.length === 1 ? step.machines[0] : undefined;
}

function targetOf(step: Step): string | undefined {
  if (step.kind === 'image.ensure') return imageName(step.image);
  if (step.kind === 'etcd.remove') return step.hostname;
  return machineOf(step);
}
