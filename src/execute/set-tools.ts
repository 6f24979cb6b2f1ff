import type { KubernetesReader, KubernetesWriter, ObjectRef } from '../clients/kubernetes.ts';
import type { Difference } from '../kubernetes/compare.ts';
import type { Live } from '../kubernetes/live.ts';
import type { StageName } from '../kubernetes/order.ts';
import type { Clock } from '../model/clock.ts';
import type { Manifest } from '../model/manifest.ts';
import type { Pause } from '../model/pause.ts';
import type { Patience, Waits } from './waiting.ts';

/** What the walk through a set is done with. */
export type SetTools = {
  readonly client: KubernetesReader & KubernetesWriter;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly tell: (event: SetEvent) => void;
  /** Makes marks of secrets useless to whoever reads along. */
  readonly salt: string;
};

export type SetOptions = {
  /** The set that the manifests belong to: a name as labels have values. */
  readonly set: string;
  /** Who owns the fields. */
  readonly manager: string;
  /** Take fields over that others own. */
  readonly force: boolean;
  /** `none`: what left the set stays. `all`: also what people keep data in. */
  readonly prune: 'none' | 'without-data' | 'all';
  /** API groups to look through for what left the set; absent: all of them. */
  readonly groups?: readonly string[];
  /** Where objects go that name no namespace; `default` when nobody says. */
  readonly namespace?: string;
  /** Until every object is ready, and not only applied. */
  readonly wait: boolean;
  readonly atMostMs: number;
  readonly everyMs?: number;
  /** Requests at once. */
  readonly most?: number;
};

export type Applied = {
  readonly object: string;
  readonly outcome: 'created' | 'changed' | 'unchanged';
  readonly differences: readonly Difference[];
};

export type SetEvent =
  | Waits
  | { readonly kind: 'stage'; readonly stage: StageName; readonly objects: number }
  | ({ readonly kind: 'applied' } & Applied)
  | { readonly kind: 'ready'; readonly object: string }
  | ({ readonly kind: 'pruned' } & Pruned);

/** What left the set: taken away, or kept and why. */
export type Pruned = { readonly object: string; readonly kept?: string };

export type SetOutcome = {
  readonly applied: readonly Applied[];
  readonly pruned: readonly Pruned[];
  /** Kinds that could not be looked through; what left the set may be among them. */
  readonly unseen: readonly string[];
};

export const refOf = ({ apiVersion, kind, metadata: { name = '', namespace } }: Live | Manifest): ObjectRef => ({
  apiVersion,
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
});

export const patienceOf = (
  { atMostMs, everyMs = 2000 }: SetOptions,
  { clock, pause }: Pick<SetTools, 'clock' | 'pause'>,
): Patience => ({ clock, pause, everyMs, atMostMs });
