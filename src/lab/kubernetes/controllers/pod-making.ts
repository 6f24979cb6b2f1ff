import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { Refusal } from '../refusal.ts';
import type { Labels, Pod, PodTemplate } from './shapes.ts';
import { controllerManager, ownedBy } from './tools.ts';
import type { Tools } from './tools.ts';

type Owner = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeObject['metadata'] & { readonly name: string; readonly uid: string };
};

export type PodWish = {
  readonly template: PodTemplate;
  /** Absent: the owner’s name and chance. */
  readonly name?: string;
  readonly generateName?: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly finalizers?: readonly string[];
  readonly spec?: object;
};

/** Makes a pod for its controller, or tells why it could not; that is thrown again. */
export function makePod({ api, record }: Tools, owner: Owner, from: string, wish: PodWish): void {
  const { template } = wish;
  const annotations = { ...template.metadata?.annotations, ...wish.annotations };
  const finalizers = [...(template.metadata?.finalizers ?? []), ...(wish.finalizers ?? [])];
  const naming =
    wish.name === undefined ? { generateName: wish.generateName ?? `${owner.metadata.name}-` } : { name: wish.name };
  try {
    const pod = api.create(
      '/pods',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          ...naming,
          namespace: owner.metadata.namespace ?? '',
          labels: { ...template.metadata?.labels, ...wish.labels },
          ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
          ...(finalizers.length === 0 ? {} : { finalizers }),
          ownerReferences: [ownedBy(owner)],
        },
        spec: { ...structuredClone(template.spec), ...wish.spec },
      },
      controllerManager,
    );
    record({ about: owner, reason: 'SuccessfulCreate', message: `Created pod: ${pod.metadata.name ?? ''}`, from });
  } catch (error) {
    if (error instanceof Refusal)
      record({
        about: owner,
        type: 'Warning',
        reason: 'FailedCreate',
        message: `Error creating: ${error.message}`,
        from,
      });
    throw error;
  }
}

export function removePod({ api, record }: Tools, owner: Owner, from: string, pod: Pod): void {
  api.delete('/pods', pod.metadata.namespace, pod.metadata.name, { uid: pod.metadata.uid }, controllerManager);
  record({ about: owner, reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}`, from });
}

/** Who goes first when there are too many: unplaced, not running, not ready, youngest. */
export function bySacrifice(one: Pod, other: Pod): number {
  const rank = (pod: Pod): number =>
    ((pod.spec.nodeName ?? '') === '' ? 0 : 4) +
    (pod.status?.phase === 'Running' ? 2 : 0) +
    (pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true ? 1 : 0);
  return (
    rank(one) - rank(other) ||
    Date.parse(other.metadata.creationTimestamp ?? '') - Date.parse(one.metadata.creationTimestamp ?? '') ||
    (one.metadata.name < other.metadata.name ? -1 : 1)
  );
}
