import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { Refusal } from '../refusal.ts';
import { withCondition, withoutCondition } from './conditions.ts';
import type { Controller } from './loop.ts';
import { bySacrifice, makePod, removePod } from './pod-making.ts';
import { matches } from './selectors.ts';
import type { Pod, ReplicaSet } from './shapes.ts';
import {
  all,
  availableIn,
  change,
  controllerManager,
  controllerOf,
  find,
  isActive,
  isLeaving,
  isReady,
  itself,
  keyOf,
  ownedBy,
  ownerOfKind,
  soonest,
  timestamp,
  writeStatus,
} from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'apps/replicasets';
const from = 'replicaset-controller';

/** As many pods as wanted, no more. */
export function replicaSets(tools: Tools): Controller {
  const { api, clock } = tools;
  const owner = ownerOfKind('ReplicaSet');
  const strays = (pod: KubeObject): readonly string[] =>
    controllerOf(pod) !== undefined || isLeaving(pod)
      ? []
      : all(api, resource, pod.metadata.namespace)
          .filter((set) => matches(set.spec.selector, pod.metadata.labels))
          .map(keyOf);
  return {
    name: 'replicaset',
    watches: {
      [resource]: itself,
      '/pods': (pod, old) => [...owner(pod), ...(old === undefined ? [] : owner(old)), ...strays(pod)],
    },
    reconcile: (key) => {
      const set = find(api, resource, key);
      if (set === undefined) return undefined;
      const failure = isLeaving(set) ? undefined : sync(tools, set);
      return tellStatus(tools, find(api, resource, key) ?? set, failure, clock.now());
    },
  };
}

function sync(tools: Tools, set: ReplicaSet): string | undefined {
  adopt(tools, set);
  const pods = tools.pods.of(set).filter(isActive);
  const missing = (set.spec.replicas ?? 1) - pods.length;
  try {
    for (let count = 0; count < missing; count++) makePod(tools, set, from, { template: set.spec.template });
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  for (const pod of pods.toSorted(bySacrifice).slice(0, Math.max(0, -missing))) removePod(tools, set, from, pod);
  return undefined;
}

/** Pods without a controller that match are taken; its own that do not match any longer are let go. */
function adopt({ api, pods }: Tools, set: ReplicaSet): void {
  for (const pod of pods.of(set))
    if (!isLeaving(pod) && !matches(set.spec.selector, pod.metadata.labels))
      change(
        api,
        '/pods',
        pod,
        ({ metadata }) => {
          const owners = (metadata as Pod['metadata']).ownerReferences ?? [];
          Object.assign(metadata as object, { ownerReferences: owners.filter(({ uid }) => uid !== set.metadata.uid) });
        },
        controllerManager,
      );
  for (const pod of all(api, '/pods', set.metadata.namespace))
    if (controllerOf(pod) === undefined && isActive(pod) && matches(set.spec.selector, pod.metadata.labels))
      change(
        api,
        '/pods',
        pod,
        ({ metadata }) => {
          const owners = (metadata as Pod['metadata']).ownerReferences ?? [];
          Object.assign(metadata as object, { ownerReferences: [...owners, ownedBy(set)] });
        },
        controllerManager,
      );
}

function tellStatus({ api, pods }: Tools, set: ReplicaSet, failure: string | undefined, now: Date): number | undefined {
  const own = pods.of(set);
  const active = own.filter(isActive);
  const template = { matchLabels: set.spec.template.metadata?.labels ?? {} };
  const waits = active.map((pod) => availableIn(pod, set.spec.minReadySeconds ?? 0, now));
  const conditions =
    failure === undefined
      ? withoutCondition(set.status?.conditions, 'ReplicaFailure')
      : withCondition(
          set.status?.conditions,
          { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: failure },
          timestamp(now),
        );
  const count = (value: number): number | undefined => (value === 0 ? undefined : value);
  writeStatus(
    api,
    resource,
    set,
    {
      replicas: active.length,
      fullyLabeledReplicas: count(active.filter((pod) => matches(template, pod.metadata.labels)).length),
      readyReplicas: count(active.filter(isReady).length),
      availableReplicas: count(waits.filter((wait) => wait === 0).length),
      terminatingReplicas: own.filter(isLeaving).length,
      observedGeneration: set.metadata.generation,
      conditions: conditions.length === 0 ? undefined : conditions,
    },
    controllerManager,
  );
  return soonest(...waits.filter((wait) => wait !== 0), failure === undefined ? undefined : 5000);
}
