import { listAt, textAt } from '../live.ts';
import { byCondition, conditionOf, conditionWords } from './conditions.ts';
import { failed, ready, waiting, type Rule } from './readiness.ts';

/** Kinds that the cluster itself is made of. */
export const namespace: Rule = (object) => {
  const phase = textAt(object, 'status', 'phase');
  if (phase === 'Active') return ready;
  return waiting(phase === 'Terminating' ? 'it is being deleted' : 'it is not active yet');
};

export const definition: Rule = (object) => {
  const names = conditionOf(object, 'NamesAccepted');
  if (names?.status === 'False') return failed(conditionWords(names));
  return byCondition('Established')(object, { pods: [] });
};

export const apiService = byCondition('Available');

export const node = byCondition('Ready');

export const claim: Rule = (object) => {
  const phase = textAt(object, 'status', 'phase') ?? 'Pending';
  if (phase === 'Bound') return ready;
  if (phase === 'Lost') return failed('its volume is lost');
  const storage = textAt(object, 'spec', 'storageClassName');
  return waiting(
    `it is ${phase}${storage === undefined ? '' : ` (storage class ${storage})`}: no volume is bound to it yet`,
  );
};

export const service: Rule = (object) => {
  if (textAt(object, 'spec', 'type') !== 'LoadBalancer') return ready;
  const addresses = listAt(object, 'status', 'loadBalancer', 'ingress');
  return addresses.length > 0 ? ready : waiting('nobody has given it an address yet');
};
