import { createHash } from 'node:crypto';
import type { Plan, PlannedStep } from './plan.ts';
import { onlyWaits } from './step.ts';

/** The same for two plans that do the same in the same order, however they came about. */
export const planDigest = ({ platform, intent, steps }: Pick<Plan, 'platform' | 'intent' | 'steps'>): string =>
  createHash('sha256')
    .update(canonical([platform, intent, steps.map(whatIsDone)]))
    .digest('hex')
    .slice(0, 32);

/** Where a plan that is made now is other than one that was made before; empty: nowhere. */
export function planDifferences(before: Plan, now: Plan): readonly string[] {
  const whole = [
    ...(before.platform === now.platform ? [] : [`it is about ${before.platform}, not about ${now.platform}`]),
    ...(before.intent === now.intent ? [] : [`it is to ${before.intent}, not to ${now.intent}`]),
  ];
  if (whole.length > 0) return whole;
  const old = new Map(before.steps.map((step) => [step.id, step]));
  const present = new Set(now.steps.map(({ id }) => id));
  // What changes something is said first: people see only the first few.
  const said = (waiting: boolean): readonly string[] => [
    ...now.steps
      .filter(({ step }) => onlyWaits(step) === waiting)
      .flatMap((step) => stepDifference(old.get(step.id), step)),
    ...before.steps
      .filter(({ id, step }) => onlyWaits(step) === waiting && !present.has(id))
      .map(({ id }) => `${id} is no longer to be done`),
  ];
  const differences = [...said(false), ...said(true)];
  if (differences.length > 0 || planDigest(before) === planDigest(now)) return differences;
  return ['the same steps are to be done in another order'];
}

function stepDifference(before: PlannedStep | undefined, now: PlannedStep): readonly string[] {
  if (before === undefined) return [`${now.id} is new`];
  const [place] = placesOf(before.step, now.step, '');
  if (place !== undefined) return [`${now.id} is other than it was: ${place}`];
  if (canonical(before.after.toSorted()) === canonical(now.after.toSorted())) return [];
  return [`${now.id} comes after other steps than it did`];
}

/**
 * What a later pass would do beyond a plan that was signed off: steps that it does not have, and those that would do something
 * else than it says. What is left of a list may be done, and a machine may have moved.
 */
export function beyond({ steps: saved }: Pick<Plan, 'steps'>, { steps: now }: Pick<Plan, 'steps'>): readonly string[] {
  const allowed = new Map(saved.map(({ id, step }) => [id, step]));
  return now
    .filter(({ step }) => !onlyWaits(step))
    .flatMap(({ id, step }) => {
      const before = allowed.get(id);
      if (before === undefined) return [`${id} is not in the saved plan`];
      const [place] = beyondIn(before, step, '');
      return place === undefined ? [] : [`${id} is other than in the saved plan: ${place}`];
    });
}

/** Where something was seen, and what it was before. */
const circumstances = new Set(['ref.host', 'from', 'address']);

function beyondIn(saved: unknown, now: unknown, path: string): readonly string[] {
  if (circumstances.has(path) || now === false) return [];
  if (Array.isArray(saved) && Array.isArray(now)) {
    const known = new Set(saved.map(canonical));
    return now.filter((each) => !known.has(canonical(each))).map((each) => `${path} ${short(each)} is new`);
  }
  if (!isRecord(saved) || !isRecord(now)) return placesOf(saved, now, path);
  return [...new Set([...Object.keys(saved), ...Object.keys(now)])].flatMap((key) =>
    beyondIn(saved[key], now[key], path === '' ? key : `${path}.${key}`),
  );
}

/** Where two values differ, and how, as far as it can be said in a few words. */
function placesOf(before: unknown, now: unknown, path: string): readonly string[] {
  if (canonical(before) === canonical(now)) return [];
  if (isRecord(before) && isRecord(now))
    return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) =>
      placesOf(before[key], now[key], path === '' ? key : `${path}.${key}`),
    );
  return [`${path} ${short(before)} -> ${short(now)}`];
}

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : canonical(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

const whatIsDone = ({ id, step, after }: PlannedStep): unknown => ({ id, step, after });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON with its keys in order, without what is undefined: as it is after it was saved. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isRecord(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
