import { layers, type Layer } from '../model/layer.ts';
import { nearest } from '../model/nearest.ts';
import type { PlannedStep } from '../model/plan.ts';
import { Problem } from '../model/problem.ts';
import { fewOf, machineNamed } from '../spec/names.ts';
import { wantedOf, type Situation } from './situation.ts';

export type Target =
  | { readonly kind: 'layer'; readonly layer: Layer }
  | { readonly kind: 'machine'; readonly name: string };

export function targetOf(situation: Situation, written: string): Target {
  const layer = layers.find((each) => each === written);
  if (layer !== undefined) return { kind: 'layer', layer };
  const machines = new Map([...wantedOf(situation), ...situation.leaving].map((standing) => [standing.name, standing]));
  const machine = machineNamed(written, situation.platform.name, machines);
  if (machine !== undefined) return { kind: 'machine', name: machine.name };
  throw unknownTarget(written, situation.platform.name, [...machines.keys()]);
}

function unknownTarget(written: string, platform: string, machines: readonly string[]): Problem {
  const short = machines.map((name) => name.slice(name.startsWith(`${platform}-`) ? platform.length + 1 : 0));
  const near = nearest(written, [...layers, ...machines, ...short]);
  return new Problem('unknown-target', `"${written}" is neither a layer nor a machine of "${platform}".`, {
    remedy:
      near === undefined
        ? `Name a layer (${layers.join(', ')}) or a machine (${fewOf(machines)}):\n    ichor plan --target machines`
        : `Did you mean "${near}"?\n    ichor plan --target ${near}`,
  });
}

/** Steps of the target, and all that they stand on. */
export const cutTo = (steps: readonly PlannedStep[], target: Target): readonly PlannedStep[] =>
  target.kind === 'layer'
    ? upTo(steps, target.layer)
    : standingUnder(
        steps.map((step) => narrowed(step, target.name)),
        target.name,
      );

/** Layers stand on each other: what needs a higher one is not of this one. */
function upTo(steps: readonly PlannedStep[], layer: Layer): readonly PlannedStep[] {
  const highest = layers.indexOf(layer);
  const kept = new Set<string>();
  for (const step of steps)
    if (layers.indexOf(step.layer) <= highest && step.after.every((id) => kept.has(id))) kept.add(step.id);
  return steps.filter(({ id }) => kept.has(id));
}

function standingUnder(steps: readonly PlannedStep[], machine: string): readonly PlannedStep[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const kept = new Set<string>();
  const keep = (step: PlannedStep): void => {
    if (kept.has(step.id)) return;
    kept.add(step.id);
    for (const id of step.after) {
      const under = byId.get(id);
      if (under !== undefined) keep(under);
    }
  };
  for (const step of steps) if (isAbout(step, machine)) keep(step);
  return steps.filter(({ id }) => kept.has(id));
}

const isAbout = ({ machine, step }: PlannedStep, name: string): boolean =>
  machine === name || (step.kind === 'node.await-ready' && step.machines.includes(name));

/** Waiting for all becomes waiting for this one, and for no step of others. */
function narrowed(planned: PlannedStep, name: string): PlannedStep {
  const { step, after } = planned;
  if (step.kind !== 'node.await-ready' || !step.machines.includes(name)) return planned;
  const others = new Set(step.machines.filter((machine) => machine !== name));
  return {
    ...planned,
    step: { ...step, machines: [name] },
    after: after.filter((id) => !others.has(id.split(' ')[1] ?? '')),
  };
}
