import type { Plan } from './plan.ts';
import type { Problem } from './problem.ts';

/** Who runs, from where, and what was asked for. */
export type RunFacts = {
  readonly id: string;
  readonly platform: string;
  readonly intent: 'converge' | 'destroy';
  readonly who: string;
  readonly host: string;
  readonly pid: number;
  readonly began: Date;
};

/** How a run ended; contradictions cannot be written. */
export type Outcome =
  /** Nothing is left to do. */
  | { readonly kind: 'converged'; readonly changed: number }
  /** A person must decide, or something failed for good. */
  | { readonly kind: 'stuck'; readonly problems: readonly Problem[]; readonly changed: number }
  /** Somebody said stop; what is left is in the last plan. */
  | { readonly kind: 'stopped'; readonly changed: number; readonly left: readonly string[] };

/** Everything that a run tells; every door renders these. Nothing secret is ever in one. */
export type RunEvent =
  | { readonly kind: 'began'; readonly run: RunFacts }
  | { readonly kind: 'looking'; readonly at: Date; readonly pass: number }
  | { readonly kind: 'planned'; readonly at: Date; readonly pass: number; readonly plan: Plan }
  | { readonly kind: 'step-began'; readonly at: Date; readonly step: string; readonly attempt: number }
  /** What the step waits for, told whenever that changes. */
  | {
      readonly kind: 'step-waits';
      readonly at: Date;
      readonly step: string;
      readonly for: string;
      readonly because: string;
      readonly since: Date;
    }
  | { readonly kind: 'step-says'; readonly at: Date; readonly step: string; readonly text: string }
  | {
      readonly kind: 'step-again';
      readonly at: Date;
      readonly step: string;
      readonly problem: Problem;
      readonly inMs: number;
    }
  | { readonly kind: 'step-done'; readonly at: Date; readonly step: string; readonly ms: number }
  | { readonly kind: 'step-failed'; readonly at: Date; readonly step: string; readonly problem: Problem }
  /** Its parent failed, or somebody said stop; no second error. */
  | { readonly kind: 'step-skipped'; readonly at: Date; readonly step: string; readonly because: string }
  | { readonly kind: 'warned'; readonly at: Date; readonly problem: Problem }
  /** Somebody said stop: nothing new begins, what cannot be left alone is finished. */
  | { readonly kind: 'stopping'; readonly at: Date; readonly finishing: readonly string[] }
  | { readonly kind: 'ended'; readonly at: Date; readonly outcome: Outcome };
