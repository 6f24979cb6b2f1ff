import { at, listAt, numberAt, textAt, type Live } from '../live.ts';
import { failed, ready, waiting, type Readiness, type Rule } from './readiness.ts';

export type Condition = {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Of Cluster API before v1beta2. */
  readonly severity: string;
  readonly observedGeneration: number | undefined;
};

export function conditionsOf(object: unknown, ...path: readonly string[]): readonly Condition[] {
  return listAt(object, ...(path.length === 0 ? ['status', 'conditions'] : path)).map((condition) => ({
    type: textAt(condition, 'type') ?? '',
    status: textAt(condition, 'status') ?? 'Unknown',
    reason: textAt(condition, 'reason') ?? '',
    message: textAt(condition, 'message') ?? '',
    severity: textAt(condition, 'severity') ?? '',
    observedGeneration: numberAt(condition, 'observedGeneration'),
  }));
}

export const conditionOf = (object: unknown, type: string): Condition | undefined =>
  conditionsOf(object).find((condition) => condition.type === type);

/** `Ready is False: NetworkNotReady, container runtime network not ready`. */
export const conditionWords = ({ type, status, reason, message }: Condition): string => {
  const details = [reason, oneLine(message)].filter((part) => part !== '').join(', ');
  return `${type} is ${status}${details === '' ? '' : `: ${details}`}`;
};

/** Messages of controllers can be pages; the first lines say what it is about. */
export const oneLine = (text: string, most = 300): string => {
  const line = text.trim().replaceAll(/\s*\n\s*/g, ' ');
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

export const notSeenYet = 'its controller has not looked at the newest version yet';

/** A status about an older version says nothing about this one. */
export function isStale({ metadata, status }: Live, condition?: Condition): boolean {
  const { generation } = metadata;
  const observed = condition?.observedGeneration ?? numberAt(status, 'observedGeneration');
  return generation !== undefined && observed !== undefined && observed < generation;
}

/** Ready as soon as a condition says so; one that is not there yet is waited for. */
export const byCondition =
  (...types: readonly string[]): Rule =>
  (object) => {
    const found = types.map((type) => conditionOf(object, type)).find((condition) => condition !== undefined);
    if (found === undefined) return waiting(`it has no condition ${types.join(' or ')} yet`);
    if (isStale(object, found) || isStale(object)) return waiting(notSeenYet);
    return found.status === 'True' ? ready : waiting(conditionWords(found));
  };

/** What most controllers agree on: abnormal conditions first, then Ready or Available, and otherwise it is enough to be there. */
export const byConvention: Rule = (object) => {
  const stalled = conditionOf(object, 'Stalled');
  if (isStale(object)) return waiting(notSeenYet);
  if (stalled?.status === 'True') return failed(conditionWords(stalled));
  const reconciling = conditionOf(object, 'Reconciling');
  const summary = conditionOf(object, 'Ready') ?? conditionOf(object, 'Available');
  if (summary === undefined)
    return reconciling?.status === 'True' ? waiting(conditionWords(reconciling)) : enoughToBeThere;
  if (isStale(object, summary)) return waiting(notSeenYet);
  return summary.status === 'True' ? ready : waiting(conditionWords(summary));
};

const enoughToBeThere: Readiness = ready;

/** For kinds whose controller is sure to say something: silence is no consent. */
export const byConventionOnceSaid =
  (says: string): Rule =>
  (object, around) =>
    at(object, 'spec', 'suspend') === true
      ? failed('it is suspended, and nothing happens to it until it is resumed')
      : conditionOf(object, 'Ready') === undefined && conditionOf(object, 'Stalled') === undefined
        ? waiting(`${says} has said nothing about it yet`)
        : byConvention(object, around);
