import { at, textAt, type Live } from '../live.ts';
import { conditionsOf, conditionWords, isStale, notSeenYet, oneLine, type Condition } from './conditions.ts';
import { failed, ready, waiting, type Rule } from './readiness.ts';

/** Which conditions sum an object up, best first. Cluster and the owners of machines say Available, machines say Ready. */
const summaries = ['Available', 'Ready', 'Synced'];

/** Objects of Cluster API: conditions in the way of v1beta2, wherever a version keeps them, else in that of v1beta1. */
export const clusterApi: Rule = (object) => {
  if (at(object, 'spec', 'paused') === true || at(object, 'metadata', 'annotations', paused) !== undefined)
    return waiting('it is paused, and nothing happens to it until it goes on');
  const failure = failureOf(object);
  if (failure !== undefined) return failed(failure);
  if (isStale(object)) return waiting(notSeenYet);
  const found = summaryOf(object);
  if (found === undefined)
    return at(object, 'status', 'ready') === true ? ready : waiting('its controller has said nothing about it yet');
  if (isStale(object, found)) return waiting(notSeenYet);
  return found.status === 'True' ? ready : waiting(conditionWords(found));
};

const paused = 'cluster.x-k8s.io/paused';

function summaryOf(object: Live): Condition | undefined {
  const newer = conditionsOf(object, 'status', 'v1beta2', 'conditions');
  const conditions = newer.length > 0 ? newer : conditionsOf(object);
  return summaries.map((type) => conditions.find((one) => one.type === type)).find((one) => one !== undefined);
}

/** What no controller tries again: a machine whose server was deleted, say. */
function failureOf({ status }: Live): string | undefined {
  const places = [status, at(status, 'deprecated', 'v1beta1')];
  const [place] = places.filter((one) => textAt(one, 'failureReason') !== undefined);
  if (place === undefined) return undefined;
  const message = oneLine(textAt(place, 'failureMessage') ?? '');
  return `${textAt(place, 'failureReason')}${message === '' ? '' : `, ${message}`}`;
}
