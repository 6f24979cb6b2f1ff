import { kubelet, microTimestamp } from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'coordination.k8s.io/leases';
const namespace = 'kube-node-lease';

/** Renews what says that a node is there; returns when it is to be renewed next. */
export function leaseNode({ api, clock, durations }: Tools, name: string): number {
  const now = clock.now();
  const renewTime = microTimestamp(now);
  const lease = api.get(resource, namespace, name);
  if (lease === undefined) {
    const node = api.get('/nodes', undefined, name);
    api.create(
      resource,
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {
          name,
          namespace,
          ...(node?.metadata.uid === undefined
            ? {}
            : { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid }] }),
        },
        spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime },
      },
      kubelet,
    );
    return durations.nodeLease;
  }
  const left =
    Date.parse((lease['spec'] as { renewTime?: string }).renewTime ?? '') + durations.nodeLease - now.getTime();
  if (left > 0) return left;
  api.update(resource, namespace, name, ({ spec }) => void Object.assign(spec as object, { renewTime }), kubelet);
  return durations.nodeLease;
}
