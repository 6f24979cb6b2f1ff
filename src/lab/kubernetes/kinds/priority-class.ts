import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Strategy } from '../resource.ts';
import { forbiddenField, oneOf } from './errors.ts';
import { fill } from './tree.ts';

const highest = 1_000_000_000;

/** Those that every cluster has. */
export const systemClasses: readonly KubeObject[] = [
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'system-cluster-critical' },
    value: 2 * highest,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    preemptionPolicy: 'PreemptLowerPriority',
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'system-node-critical' },
    value: 2 * highest + 1000,
    description: 'Used for system critical pods that must not be moved from their current node.',
    preemptionPolicy: 'PreemptLowerPriority',
  },
];

const policies = ['PreemptLowerPriority', 'Never'];

export const priorityClassStrategy: Strategy = {
  defaults: (priority) => fill(priority, { preemptionPolicy: 'PreemptLowerPriority' }),
  validate: (priority) => {
    const name = priority.metadata.name ?? '';
    const isSystem = systemClasses.some((each) => each.metadata.name === name && each['value'] === priority['value']);
    if (name.startsWith('system-') && !isSystem) {
      return [
        forbiddenField(
          'metadata.name',
          `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
        ),
      ];
    }
    return [
      ...(Number(priority['value']) > highest && !isSystem
        ? [forbiddenField('value', `maximum allowed value of a user defined priority is ${highest}`)]
        : []),
      ...oneOf('preemptionPolicy', priority['preemptionPolicy'], policies),
    ];
  },
  validateUpdate: (next, old) =>
    ['value', 'preemptionPolicy']
      .filter((field) => next[field] !== old[field])
      .map((field) => forbiddenField(field, 'may not be changed in an update.')),
};
