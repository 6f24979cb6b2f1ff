import { at, listAt, numberAt, type Live } from './live.ts';
import { isFinished } from './readiness/pods.ts';
import { selects } from './selector.ts';

/** What a person has said yes to. */
export type DrainConsent = {
  /** Pods that nobody makes anew. */
  readonly unmanaged: boolean;
  /** Pods whose scratch data goes with them. */
  readonly emptyDir: boolean;
};

/** What becomes of a pod when its node is emptied. */
export type Leaving =
  | { readonly fate: 'evict'; readonly pod: Live }
  | { readonly fate: 'skip'; readonly pod: Live; readonly because: string }
  /** Only with a yes. */
  | { readonly fate: 'ask'; readonly pod: Live; readonly because: string; readonly consent: keyof DrainConsent };

const mirror = 'kubernetes.io/config.mirror';

export function leavingOf(pod: Live, consent: DrainConsent): Leaving {
  const { annotations = {}, ownerReferences = [] } = pod.metadata;
  if (mirror in annotations) return { fate: 'skip', pod, because: 'the node itself runs it' };
  const owner = ownerReferences.find(({ controller }) => controller === true);
  if (owner?.kind === 'DaemonSet')
    return { fate: 'skip', pod, because: `DaemonSet ${owner.name} has one on every node` };
  if (isFinished(pod)) return { fate: 'evict', pod };
  if (owner === undefined && !consent.unmanaged)
    return { fate: 'ask', pod, because: 'nobody makes it anew', consent: 'unmanaged' };
  if (hasScratch(pod) && !consent.emptyDir)
    return { fate: 'ask', pod, because: 'what it keeps in an emptyDir is lost', consent: 'emptyDir' };
  return { fate: 'evict', pod };
}

const hasScratch = (pod: Live): boolean =>
  listAt(pod, 'spec', 'volumes').some((volume) => at(volume, 'emptyDir') !== undefined);

/** The budgets that speak of a pod, in words: `web allows 0 of its pods to go (2 healthy, 2 needed)`. */
export const budgetsOf = (pod: Live, budgets: readonly Live[]): readonly string[] =>
  budgets
    .filter(
      (budget) =>
        budget.metadata.namespace === pod.metadata.namespace &&
        selects(at(budget, 'spec', 'selector'), pod.metadata.labels ?? {}, 'everything'),
    )
    .map((budget) => {
      const count = (field: string): number => numberAt(budget, 'status', field) ?? 0;
      return `PodDisruptionBudget ${budget.metadata.name} allows ${count('disruptionsAllowed')} of its pods to go (${count('currentHealthy')} healthy, ${count('desiredHealthy')} needed)`;
    });

/** `shop/web-0`. */
export const podName = ({ metadata: { name, namespace } }: Live): string => `${namespace}/${name}`;
