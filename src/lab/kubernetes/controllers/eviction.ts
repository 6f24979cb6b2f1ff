import { internalError, tooManyRequests, Refusal } from '../refusal.ts';
import type { SubresourceAnswer, SubresourceHandler } from '../verbs/subresource.ts';
import { assess, budgetsFor } from './budget.ts';
import type { Budget, Pod } from './shapes.ts';
import { find, isLeaving, isOver, isReady, keyOf } from './tools.ts';

const done: SubresourceAnswer = {
  kind: 'object',
  code: 201,
  object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
};

/** Deletes a pod unless a budget needs it. */
export const evict: SubresourceHandler = ({ api, clock, body, parent, namespace, name, manager, user, dryRun }) => {
  const pod = parent as unknown as Pod;
  const options = (body?.['deleteOptions'] ?? {}) as { gracePeriodSeconds?: number };
  const matching = isOver(pod) || isLeaving(pod) || pod.status?.phase === 'Pending' ? [] : budgetsFor({ api }, pod);
  if (matching.length > 1)
    throw internalErrorOf(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  for (const budget of matching) {
    assess({ api, clock }, budget);
    const fresh = find(api, 'policy/poddisruptionbudgets', keyOf(budget)) ?? budget;
    if (!mayGo(pod, fresh)) throw refused(fresh);
  }
  if (dryRun) return done;
  const { gracePeriodSeconds } = options;
  api.delete('/pods', namespace, name, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }, {
    manager,
    user,
  });
  for (const budget of matching)
    assess({ api, clock }, find(api, 'policy/poddisruptionbudgets', keyOf(budget)) ?? budget);
  return done;
};

function mayGo(pod: Pod, { spec, status }: Budget): boolean {
  const { disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  if (disruptionsAllowed > 0) return true;
  if (isReady(pod)) return false;
  // One that does no work is not missed.
  return spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (desiredHealthy > 0 && currentHealthy >= desiredHealthy);
}

function refused({ metadata, status }: Budget): Refusal {
  const refusal = tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.");
  const message = `The disruption budget ${metadata.name} needs ${status?.desiredHealthy ?? 0} healthy pods and has ${status?.currentHealthy ?? 0} currently`;
  return new Refusal({ ...refusal.status, details: { causes: [{ reason: 'DisruptionBudget', message }] } });
}

const internalErrorOf = (message: string): Refusal => {
  const { status } = internalError(message);
  return new Refusal({ ...status, message });
};
