import type { KubernetesTarget } from './kubernetes.ts';

/** What helm is asked to do: its words, given where the values lie, and the values. */
type HelmOrder = { readonly words: (valuesFile: string) => readonly string[]; readonly values: string };

/** The helm of this machine. Where there is none, a Job in the cluster does its work. */
export interface Helm {
  /** `v4.3.1`. */
  readonly version: string;
  /** What helm itself says about a failure is in the problem. */
  run(order: HelmOrder, target: KubernetesTarget, signal: AbortSignal): Promise<void>;
}
