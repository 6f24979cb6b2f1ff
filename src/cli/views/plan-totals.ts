import { criticalPathMs, type PlannedStep } from '../../model/plan.ts';
import type { Proof } from '../../model/proof.ts';
import { disruptions, type Disruption } from '../../model/step.ts';
import { amount, resourceName } from './amounts.ts';
import { about } from './duration.ts';
import { stepWords, type Mark } from './step-words.ts';

export type Totals = {
  readonly marks: Readonly<Record<Mark, number>>;
  readonly disruptions: Readonly<Record<Disruption, number>>;
  readonly expectedMs: number;
};

export function totalsOf(steps: readonly PlannedStep[]): Totals {
  const marks = { '+': 0, '~': 0, '-': 0, '>': 0 };
  const disturbs = { none: 0, restart: 0, drain: 0, downtime: 0, data: 0 };
  const disturbed = new Set<string>();
  for (const { step, disruption, machine, id } of steps) {
    marks[stepWords(step).mark]++;
    // A machine restarts as often as it does, but it is emptied, away or lost once, however many steps that takes.
    const what = `${disruption} ${disruption === 'restart' ? id : (machine ?? id)}`;
    if (!disturbed.has(what)) disturbs[disruption]++;
    disturbed.add(what);
  }
  return { marks, disruptions: disturbs, expectedMs: criticalPathMs(steps) };
}

/** Two or three sentences: how much, what it disturbs, how long. */
export function totalsWords({ marks, disruptions: disturbs, expectedMs }: Totals): readonly string[] {
  const waits = marks['>'] === 0 ? '' : `; ${marks['>']} wait${marks['>'] === 1 ? '' : 's'}`;
  return [
    `${marks['+']} to create, ${marks['~']} to change, ${marks['-']} to delete${waits}.`,
    disturbedWords(disturbs),
    `At least ${about(expectedMs)}.`,
  ];
}

const nouns: Readonly<Record<Exclude<Disruption, 'none'>, readonly [string, string]>> = {
  restart: ['restart', 'restarts'],
  drain: ['drain', 'drains'],
  downtime: ['downtime', 'downtimes'],
  data: ['loss of data', 'losses of data'],
};

function disturbedWords(counts: Totals['disruptions']): string {
  const parts = disruptions.flatMap((each) => {
    if (each === 'none' || counts[each] === 0) return [];
    return [`${counts[each]} ${nouns[each][counts[each] === 1 ? 0 : 1]}`];
  });
  return parts.length === 0 ? 'Disturbs nothing.' : `Disturbs: ${parts.join(', ')}.`;
}

/** The fullest resource of all hosts, once the plan is carried out. */
export function tightestOf({
  hosts,
}: Proof): { readonly host: string; readonly resource: string; readonly share: number } | undefined {
  const all = hosts.flatMap(({ name, tightest: { resource, capacity, after } }) =>
    capacity > 0 && capacity !== Infinity ? [{ host: name, resource, share: after / capacity }] : [],
  );
  return all.toSorted((one, other) => other.share - one.share)[0];
}

export function proofLine(proof: Proof): string {
  const { fits, certain, machines, hosts, short } = proof;
  const many = `${machines.length} machine${machines.length === 1 ? '' : 's'}`;
  if (!fits) {
    const [first] = short;
    const missing =
      first === undefined || first.resource === 'hosts'
        ? ''
        : `; ${amount(first.resource, first.missing)} ${resourceName(first.resource)} missing${first.host === null ? '' : ` on ${first.host}`}`;
    return `${certain ? 'Does not fit' : 'No way to fit it was found'}: ${many} on ${hosts.length} host${hosts.length === 1 ? '' : 's'}${missing}.`;
  }
  const tightest = tightestOf(proof);
  if (hosts.length === 0 || tightest === undefined) return `Fits: ${many}.`;
  return `Fits: ${many} on ${hosts.length} host${hosts.length === 1 ? '' : 's'}; tightest is ${resourceName(tightest.resource as 'cpu')} on ${tightest.host} (${Math.round(tightest.share * 100)}%).`;
}
