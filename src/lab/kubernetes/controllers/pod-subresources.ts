import type { Status } from '../../../wire/kubernetes/objects.ts';
import { badRequest, conflict, Refusal, serviceUnavailable } from '../refusal.ts';
import type { SubresourceCall, SubresourceHandler, SubresourceHandlers } from '../verbs/subresource.ts';
import { withCondition } from './conditions.ts';
import { evict } from './eviction.ts';
import { logs } from './logs.ts';
import type { Pod } from './shapes.ts';
import { timestamp } from './tools.ts';

const created = (): { readonly kind: 'object'; readonly code: number; readonly object: Status } => ({
  kind: 'object',
  code: 201,
  object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
});

/** Somebody else’s scheduler has found a node. */
const bind: SubresourceHandler = ({ api, body, parent, namespace, name, manager, user, clock, dryRun }) => {
  const pod = parent as unknown as Pod;
  const node = (body?.['target'] as { name?: string } | undefined)?.name ?? '';
  const what = { group: '', resource: 'pods/binding' };
  if (pod.metadata.deletionTimestamp !== undefined)
    throw conflict(what, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  if ((pod.spec.nodeName ?? '') !== '')
    throw conflict(what, name, `pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`);
  if (dryRun) return created();
  api.update(
    '/pods',
    namespace,
    name,
    (object) => {
      Object.assign(object['spec'] as object, { nodeName: node });
      const status = object['status'] as Pod['status'];
      const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null } as const;
      object['status'] = {
        ...status,
        conditions: withCondition(status?.conditions, scheduled, timestamp(clock.now())),
      };
    },
    { manager, user, subresource: 'binding' },
  );
  return created();
};

const nothingInside =
  (what: string): SubresourceHandler =>
  ({ parent }: SubresourceCall) => {
    throw badRequest(`pod ${parent.metadata.name ?? ''} is one of a twin in a lab: no process runs in it, so ${what}`);
  };

const noKubelet: SubresourceHandler = ({ name }) => {
  throw serviceUnavailable(`node ${name} is one of a twin in a lab: there is no kubelet to pass requests on to`);
};

export const podSubresources: SubresourceHandlers = {
  '/pods/log': logs,
  '/pods/eviction': evict,
  '/pods/binding': bind,
  '/pods/exec': nothingInside('nothing can be executed in it'),
  '/pods/attach': nothingInside('there is nothing to attach to'),
  '/pods/portforward': nothingInside('no port of it answers'),
  '/pods/proxy': nothingInside('no port of it answers'),
  '/services/proxy': () => {
    throw new Refusal(serviceUnavailable('no process runs behind a service of a twin').status);
  },
  '/nodes/proxy': noKubelet,
};
