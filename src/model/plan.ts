import type { Layer } from './layer.ts';
import type { Disruption, Step } from './step.ts';

/** One node of the graph. `because` is for people; nothing may branch on it. */
export type PlannedStep = {
  /** Kind and target: `machine.create prod-cp-0`. Stable between two plans of the same world. */
  readonly id: string;
  readonly layer: Layer;
  /** Machine that it is about; undefined: the platform as a whole. */
  readonly machine: string | undefined;
  readonly step: Step;
  /** Ids of steps that must be done before. */
  readonly after: readonly string[];
  readonly because: string;
  readonly disruption: Disruption;
  readonly expectedMs: number;
  /** What is known only when this step is done: `the address of prod-cp-0`. */
  readonly reveals?: string;
};

/** Something that is other than the file says, or that the file says nothing about, and what becomes of it. */
export type Drift = {
  readonly machine: string | undefined;
  /** `correct`: ours, the plan does it. `keep`: theirs, it stays. `danger`: correcting it could lose data; a person decides. */
  readonly kind: 'correct' | 'keep' | 'danger';
  /** `cpu`, `machine.network.hostname`, `node`. */
  readonly what: string;
  readonly wanted: string | undefined;
  readonly found: string | undefined;
  readonly because: string;
  /** What to type, where a person decides. */
  readonly remedy?: string;
};

/** What only a person can decide; the steps that need the answer are not in the plan. */
export type Ask = { readonly code: string; readonly message: string; readonly remedy: string };

/** What could not be seen, so that nothing was concluded from it; or what is clear, and comes `later`, when this plan is done. */
export type Doubt = { readonly about: string; readonly because: string; readonly later?: true };

/**
 * Everything that is to be done, as plain data in an order in which it could be done one by one. May be shown to anyone:
 * there is no secret in it. The same platform and world give the same plan, byte for byte but for `made`.
 */
export type Plan = {
  readonly platform: string;
  readonly intent: 'converge' | 'destroy';
  /** ISO 8601. */
  readonly made: string;
  readonly steps: readonly PlannedStep[];
  readonly drift: readonly Drift[];
  readonly asks: readonly Ask[];
  readonly doubts: readonly Doubt[];
  /** Room left by the target or by what could not be seen: the plan is not the whole way. */
  readonly partial: boolean;
};

/** How long it takes at least: the longest way through the graph. */
export function criticalPathMs(steps: readonly Pick<PlannedStep, 'id' | 'after' | 'expectedMs'>[]): number {
  const ends = new Map<string, number>();
  for (const { id, after, expectedMs } of steps)
    ends.set(id, Math.max(0, ...after.map((each) => ends.get(each) ?? 0)) + expectedMs);
  return Math.max(0, ...ends.values());
}
