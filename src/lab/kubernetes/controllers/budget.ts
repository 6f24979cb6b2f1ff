import { withCondition } from './conditions.ts';
import type { Controller } from './loop.ts';
import { shareOf } from './quantity.ts';
import { matches } from './selectors.ts';
import type { Budget, Pod } from './shapes.ts';
import {
  all,
  controllerManager,
  controllerOf,
  find,
  isActive,
  isLeaving,
  isReady,
  itself,
  keyOf,
  timestamp,
  writeStatus,
} from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'policy/poddisruptionbudgets';

/** How many pods may be taken away at the moment. */
export function budgets(tools: Tools): Controller {
  const { api } = tools;
  return {
    name: 'budget',
    watches: {
      [resource]: itself,
      '/pods': (pod, old) =>
        old === undefined || isReady(pod as unknown as Pod) !== isReady(old as unknown as Pod) || isLeaving(pod)
          ? budgetsFor(tools, pod as unknown as Pod).map(keyOf)
          : [],
      'apps/replicasets': ({ metadata }) => api.list(resource, metadata.namespace).map(keyOf),
      'apps/statefulsets': ({ metadata }) => api.list(resource, metadata.namespace).map(keyOf),
    },
    reconcile: (key) => {
      const budget = find(api, resource, key);
      if (budget !== undefined) assess(tools, budget);
    },
  };
}

export const budgetsFor = ({ api }: Pick<Tools, 'api'>, pod: Pod): readonly Budget[] =>
  all(api, resource, pod.metadata.namespace).filter(({ spec }) => matches(spec.selector, pod.metadata.labels));

/** Counts again; what it says then is true at this moment. */
export function assess({ api, clock }: Pick<Tools, 'api' | 'clock'>, budget: Budget): void {
  const { spec, metadata } = budget;
  const pods = all(api, '/pods', metadata.namespace).filter(
    (pod) => matches(spec.selector, pod.metadata.labels) && isActive(pod),
  );
  const healthy = pods.filter((pod) => isReady(pod)).length;
  const expected =
    spec.minAvailable === undefined || typeof spec.minAvailable === 'string' ? wantedBy(api, pods) : pods.length;
  const needed =
    spec.minAvailable === undefined
      ? Math.max(0, expected - shareOf(spec.maxUnavailable, expected, 'up'))
      : shareOf(spec.minAvailable, expected, 'up');
  const allowed = expected === 0 ? 0 : Math.max(0, healthy - needed);
  const condition =
    allowed > 0
      ? { type: 'DisruptionAllowed', status: 'True' as const, reason: 'SufficientPods', message: '' }
      : { type: 'DisruptionAllowed', status: 'False' as const, reason: 'InsufficientPods', message: '' };
  const generation = metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
  writeStatus(
    api,
    resource,
    budget,
    {
      observedGeneration: metadata.generation,
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: needed,
      expectedPods: expected,
      conditions: withCondition(budget.status?.conditions, { ...condition, ...generation }, timestamp(clock.now())),
    },
    controllerManager,
  );
}

/** What the controllers of some pods want together. */
function wantedBy(api: Tools['api'], pods: readonly Pod[]): number {
  const seen = new Map<string, number>();
  let alone = 0;
  for (const pod of pods) {
    const owner = controllerOf(pod);
    const kinds: Readonly<Record<string, string>> = {
      ReplicaSet: 'apps/replicasets',
      StatefulSet: 'apps/statefulsets',
    };
    const object =
      owner === undefined ? undefined : api.get(kinds[owner.kind] ?? '', pod.metadata.namespace, owner.name);
    if (owner === undefined || object === undefined) alone++;
    else seen.set(owner.uid, (object['spec'] as { replicas?: number }).replicas ?? 1);
  }
  return alone + [...seen.values()].reduce((sum, each) => sum + each, 0);
}
