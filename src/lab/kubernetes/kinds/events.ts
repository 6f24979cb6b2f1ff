import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { immutable, invalidValue, nonNegative, required } from './errors.ts';
import { text, tree } from './tree.ts';

function checkCoreEvent(event: KubeObject): readonly FieldError[] {
  const about = text(tree(event['involvedObject'])['namespace']);
  const home = event.metadata.namespace ?? '';
  const isRight = about === home || (about === '' && (home === 'default' || home === ''));
  return isRight ? [] : [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')];
}

export const coreEventStrategy: Strategy = { validate: checkCoreEvent, validateUpdate: checkCoreEvent };

/** The newer group is strict where the older one is not. */
export const eventStrategy: Strategy = {
  validate: (event) => [
    ...(text(event['eventTime']) === '' ? [required('eventTime')] : []),
    ...['reportingController', 'reportingInstance', 'action', 'reason', 'type']
      .filter((field) => text(event[field]) === '')
      .map((field) => required(field)),
  ],
  validateUpdate: (next, old) =>
    ['eventTime', 'reportingController', 'reportingInstance', 'action', 'reason', 'note', 'type']
      .filter((field) => (next[field] ?? '') !== (old[field] ?? ''))
      .map((field) => invalidValue(field, next[field] ?? '', immutable)),
};

const checkLease = (lease: KubeObject): readonly FieldError[] => {
  const { leaseDurationSeconds, leaseTransitions, holderIdentity } = tree(lease['spec']);
  return [
    ...(leaseDurationSeconds !== undefined && Number(leaseDurationSeconds) <= 0
      ? [invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')]
      : []),
    ...nonNegative('spec.leaseTransitions', leaseTransitions),
    ...(holderIdentity === '' ? [invalidValue('spec.holderIdentity', '', 'must not be empty')] : []),
  ];
};

export const leaseStrategy: Strategy = { validate: checkLease, validateUpdate: checkLease };
