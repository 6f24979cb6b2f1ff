import { layers, type Layer } from '../../model/layer.ts';
import type { PlannedStep } from '../../model/plan.ts';
import { stepWords } from './step-words.ts';

/** Steps of one machine, of several that are treated alike, or of the platform as a whole (no machines). */
export type PlanGroup = {
  readonly machines: readonly string[];
  /** Of the first of them. */
  readonly steps: readonly PlannedStep[];
  /** Where those of them go that are made. */
  readonly hosts: readonly string[];
};

export type LayerGroups = { readonly layer: Layer; readonly groups: readonly PlanGroup[] };

/** Machines that are treated alike are told of once from here on. */
const fold = 9;

/** A plan as it is read: by layer, then by machine. */
export function planGroups(steps: readonly PlannedStep[]): readonly LayerGroups[] {
  return layers.flatMap((layer) => {
    const groups = groupsOf(steps.filter((step) => step.layer === layer));
    return groups.length === 0 ? [] : [{ layer, groups }];
  });
}

function groupsOf(steps: readonly PlannedStep[]): readonly PlanGroup[] {
  const byMachine = new Map<string | undefined, PlannedStep[]>();
  for (const step of steps) {
    const group = byMachine.get(step.machine);
    if (group === undefined) byMachine.set(step.machine, [step]);
    else group.push(step);
  }
  const shared = byMachine.get(undefined);
  byMachine.delete(undefined);
  const machines = folded(
    [...byMachine].map(([machine, own]) => ({ machines: [machine ?? ''], steps: own, hosts: hostsOf(own) })),
  );
  if (shared === undefined) return machines;
  const platform = { machines: [], steps: shared, hosts: [] };
  return comesFirst(shared, steps) ? [platform, ...machines] : [...machines, platform];
}

/** What all machines need stands above them; what needs them all stands below. */
function comesFirst(shared: readonly PlannedStep[], steps: readonly PlannedStep[]): boolean {
  const telling = shared.find(({ step }) => stepWords(step).mark !== '>') ?? shared[0];
  const firstOfMachine = steps.findIndex(({ machine }) => machine !== undefined);
  return telling !== undefined && (firstOfMachine === -1 || steps.indexOf(telling) < firstOfMachine);
}

function folded(groups: readonly PlanGroup[]): readonly PlanGroup[] {
  const alike = new Map<string, PlanGroup[]>();
  for (const group of groups) {
    const key = signature(group);
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [group]);
    else others.push(group);
  }
  return [...alike.values()].flatMap((same) =>
    same.length < fold
      ? same
      : [
          {
            machines: same.flatMap(({ machines }) => machines),
            steps: sharedSteps(same),
            hosts: [...new Set(same.flatMap(({ hosts }) => hosts))].toSorted(),
          },
        ],
  );
}

const hostsOf = (steps: readonly PlannedStep[]): readonly string[] =>
  steps.flatMap(({ step }) => (step.kind === 'machine.create' ? [step.order.host] : []));

/** The steps of the first, with only those reasons that hold for all of them word by word. */
function sharedSteps(same: readonly PlanGroup[]): readonly PlannedStep[] {
  const reasons = (group: PlanGroup, index: number): readonly string[] => group.steps[index]?.because.split('; ') ?? [];
  return (same[0]?.steps ?? []).map((step, index) => {
    const others = same.slice(1).map((group) => new Set(reasons(group, index)));
    const common = step.because.split('; ').filter((reason) => others.every((each) => each.has(reason)));
    return { ...step, because: common.join('; ') };
  });
}

/** Everything that is said about a machine but its name, its host and numbers in the reasons, which are its own. */
function signature({ machines: [name = ''], steps, hosts: [host] }: PlanGroup): string {
  const nameless = (text: string): string => text.replaceAll(name, '*');
  const shared = (text: string): string =>
    (host === undefined ? nameless(text) : nameless(text).replaceAll(host, '*')).replaceAll(/\d+/g, '#');
  return JSON.stringify(
    steps.map(({ step, because, disruption, reveals = '' }) => [
      step.kind,
      nameless(stepWords(step).what),
      shared(because),
      disruption,
      shared(reveals),
      'changes' in step ? nameless(JSON.stringify(step.changes)) : '',
    ]),
  );
}
