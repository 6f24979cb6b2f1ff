import type { DiskFacts } from './rules/install.ts';

/** Where a configuration is meant to run; decides what Talos insists on. */
export type CheckedFor = {
  /** Version of the twin: `v1.13.9`. */
  readonly version: string;
  readonly mode: 'metal' | 'cloud' | 'container';
  readonly installed: boolean;
  /** Device paths of the disks that are there. */
  readonly disks: readonly string[];
  /** More about them, for `diskSelector`; without it any disk has any size and a transport. */
  readonly diskFacts?: readonly DiskFacts[];
};

export type Verdict =
  | {
      readonly kind: 'accepted';
      readonly warnings: readonly string[];
      /** Plain values, one per document, in the order in which they were written. */
      readonly documents: readonly Readonly<Record<string, unknown>>[];
      /** False for documents without a v1alpha1 one: a node stays in maintenance mode with those. */
      readonly complete: boolean;
    }
  /** `message` is what Talos answers, word for word, with INVALID_ARGUMENT unless another code is said. */
  | { readonly kind: 'refused'; readonly message: string };

/** Really validates: decodes strictly, knows the kinds of each version, refuses what Talos refuses, in its words. */
export type CheckConfig = (text: string, given: CheckedFor) => Verdict;

/** Whether the node must reboot for this change, and Talos’ text for it. */
export type RebootNeed = {
  readonly needed: boolean;
  /** What a node says about it: a refusal of NO_REBOOT, or the reason behind “with a reboot: ”; empty when none is needed. */
  readonly text: string;
  readonly diff: string;
};
