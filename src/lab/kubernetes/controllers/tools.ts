import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, OwnerReference } from '../../../wire/kubernetes/objects.ts';
import type { LabClock } from '../../clock.ts';
import type { Actor, Api, Mutable, ResourceKey } from '../api.ts';
import type { KubernetesDurations, KubernetesOptions, TwinNode } from '../twin.ts';
import type { ContainerOutput } from './container-output.ts';
import type { Recorder } from './events.ts';
import type { Kubelets } from './kubelets.ts';
import type { PodIndex } from './pod-index.ts';
import type { Pod, Shapes } from './shapes.ts';

/** What a controller works with. */
export type Tools = {
  readonly api: Api;
  readonly clock: LabClock;
  readonly durations: KubernetesDurations;
  readonly options: KubernetesOptions;
  readonly nodes: () => readonly TwinNode[];
  readonly random: () => number;
  readonly pods: PodIndex;
  /** Makes another controller look at something. */
  readonly look: (controller: string, key: string) => void;
  readonly kubelets: Kubelets;
  readonly record: Recorder;
  readonly output: ContainerOutput;
};

export const controllerManager: Actor = { manager: 'kube-controller-manager' };
export const kubelet: Actor = { manager: 'kubelet' };
export const scheduler: Actor = { manager: 'kube-scheduler' };

type Named = { readonly metadata: { readonly namespace?: string; readonly name: string } };

/** `namespace/name`; of cluster-wide ones the name. */
export const keyOf = ({
  metadata,
}: {
  readonly metadata: { readonly namespace?: string; readonly name?: string };
}): string =>
  metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name ?? ''}`;

export function splitKey(key: string): readonly [namespace: string | undefined, name: string] {
  const slash = key.indexOf('/');
  return slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
}

export const itself = (object: KubeObject): readonly string[] => [keyOf(object)];

export const find = <Resource extends keyof Shapes>(
  api: Api,
  resource: Resource,
  key: string,
): Shapes[Resource] | undefined => api.get(resource, ...splitKey(key)) as unknown as Shapes[Resource] | undefined;

export const all = <Resource extends keyof Shapes>(
  api: Api,
  resource: Resource,
  namespace?: string,
): readonly Shapes[Resource][] => api.list(resource, namespace) as unknown as readonly Shapes[Resource][];

/** Of the controller among its owners. */
export const controllerOf = ({ metadata }: { readonly metadata: KubeObject['metadata'] }): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

export const ownedBy = (owner: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
}): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** Makes whoever controls an object look: by kind. */
export const ownerOfKind =
  (kind: string) =>
  (object: KubeObject): readonly string[] => {
    const owner = controllerOf(object);
    return owner?.kind === kind ? [`${object.metadata.namespace ?? ''}/${owner.name}`] : [];
  };

/** Writes the status only when it says something else than the one that is there. */
export function writeStatus(
  api: Api,
  resource: ResourceKey,
  object: Named & { readonly status?: unknown },
  status: object,
  as: Actor,
): void {
  const next = withoutNothing(status);
  if (isDeepStrictEqual(withoutNothing(object.status ?? {}), next)) return;
  change(api, resource, object, (mutable) => (mutable['status'] = next), as, 'status');
}

export const withoutNothing = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

export function change(
  api: Api,
  resource: ResourceKey,
  { metadata }: Named,
  alter: (object: Mutable) => void,
  as: Actor,
  subresource?: string,
): void {
  api.update(resource, metadata.namespace, metadata.name, alter, {
    ...as,
    ...(subresource === undefined ? {} : { subresource }),
  });
}

/** Seconds are as fine as most of its timestamps go. */
export const timestamp = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;
export const microTimestamp = (at: Date): string => `${at.toISOString().slice(0, 23)}000Z`;
export const secondsSince = (since: string | undefined, now: Date): number =>
  since === undefined ? 0 : (now.getTime() - Date.parse(since)) / 1000;

export const isOver = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
export const isLeaving = ({ metadata }: { readonly metadata: KubeObject['metadata'] }): boolean =>
  metadata.deletionTimestamp !== undefined;
/** Counts for whoever wants replicas. */
export const isActive = (pod: Pod): boolean => !isOver(pod) && !isLeaving(pod);
export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

/** How long until a pod counts as available; 0: it does, undefined: it is not ready. */
export function availableIn(pod: Pod, minReadySeconds: number, now: Date): number | undefined {
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0 || ready.lastTransitionTime === undefined) return 0;
  return Math.max(0, Date.parse(ready.lastTransitionTime) + minReadySeconds * 1000 - now.getTime());
}

/** The soonest of several moments to look again. */
export const soonest = (...waits: readonly (number | undefined)[]): number | undefined => {
  const real = waits.filter((wait) => wait !== undefined);
  return real.length === 0 ? undefined : Math.min(...real);
};
