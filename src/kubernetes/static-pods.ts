import type { Live } from './live.ts';
import { conditionOf } from './readiness/conditions.ts';

/** What Talos runs on a control plane without asking anybody. */
export const controlPlanePods = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** A static pod as Talos wants it: each time that it is configured otherwise, an annotation of it counts up. */
export type StaticPod = { readonly name: string; readonly annotations: Readonly<Record<string, string>> };

const counted = 'talos.dev/';

/**
 * What is missing until a node runs its static pods as Talos wants them. The kubelet asks for them every twenty seconds, and
 * shows those that it runs as pods of the API, with the annotations that they were made with.
 */
export function staticPodsLack(node: string, wanted: readonly StaticPod[], pods: readonly Live[]): readonly string[] {
  const shown = new Map(pods.map((pod) => [pod.metadata.name, pod]));
  return wanted.flatMap(({ name, annotations }) => {
    const pod = shown.get(`${name}-${node}`);
    const runs = pod?.metadata.annotations ?? {};
    const differs = Object.entries(annotations).some(([key, value]) => key.startsWith(counted) && runs[key] !== value);
    if (pod === undefined || differs) return [`${name} does not run with its new configuration yet`];
    return conditionOf(pod, 'Ready')?.status === 'True' ? [] : [`${name} is not ready`];
  });
}
