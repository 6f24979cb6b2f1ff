import type { Controller } from './loop.ts';
import { newReplicaSet, replicaSetsOf, revisionOf } from './deployment-history.ts';
import { cleanHistory } from './deployment-history.ts';
import { recreate, rollOut, scaleTo } from './deployment-rollout.ts';
import { tellDeploymentStatus } from './deployment-status.ts';
import { matches } from './selectors.ts';
import type { Deployment } from './shapes.ts';
import { all, controllerOf, find, isLeaving, itself, keyOf, ownerOfKind } from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'apps/deployments';

/** A replica set for each template, and the way from one to the next. */
export function deployments(tools: Tools): Controller {
  const { api } = tools;
  const owner = ownerOfKind('Deployment');
  return {
    name: 'deployment',
    watches: {
      [resource]: itself,
      'apps/replicasets': (set, old) => [
        ...owner(set),
        ...(old === undefined ? [] : owner(old)),
        ...(controllerOf(set) === undefined
          ? all(api, resource, set.metadata.namespace)
              .filter(({ spec }) => matches(spec.selector, set.metadata.labels))
              .map(keyOf)
          : []),
      ],
      // Whoever recreates waits until the last of the old pods has gone.
      '/pods': (pod, old) =>
        old !== undefined && isLeaving(pod)
          ? all(api, resource, pod.metadata.namespace)
              .filter(({ spec }) => spec.strategy?.type === 'Recreate' && matches(spec.selector, pod.metadata.labels))
              .map(keyOf)
          : [],
    },
    reconcile: (key) => {
      const deployment = find(api, resource, key);
      if (deployment === undefined) return undefined;
      if (isLeaving(deployment)) return tellDeploymentStatus(tools, deployment);
      sync(tools, deployment);
      const after = find(api, resource, key);
      return after === undefined ? undefined : tellDeploymentStatus(tools, after);
    },
  };
}

function sync(tools: Tools, deployment: Deployment): void {
  const sets = replicaSetsOf(tools, deployment);
  if (deployment.spec.paused === true) {
    const newest = sets.toSorted((one, other) => revisionOf(other) - revisionOf(one))[0];
    const others = sets.filter((set) => set !== newest).reduce((sum, { spec }) => sum + (spec.replicas ?? 0), 0);
    if (newest !== undefined) scaleTo(tools, deployment, newest, Math.max(0, (deployment.spec.replicas ?? 1) - others));
    return;
  }
  const current = newReplicaSet(tools, deployment, sets);
  if (current === undefined) return;
  const old = sets.filter(({ metadata }) => metadata.uid !== current.metadata.uid);
  if (deployment.spec.strategy?.type === 'Recreate') recreate(tools, deployment, current, old);
  else rollOut(tools, deployment, current, old);
  cleanHistory(tools, deployment, old);
}
