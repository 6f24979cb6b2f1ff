import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { hashOf } from './names.ts';
import type { ControllerRevision, PodTemplate } from './shapes.ts';
import { all, change, controllerManager, controllerOf, ownedBy, withoutNothing } from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'apps/controllerrevisions';

type Owner = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeObject['metadata'] & { readonly name: string; readonly uid: string };
  readonly spec: { readonly template: PodTemplate; readonly revisionHistoryLimit?: number };
};

/** Templates of a daemon set or stateful set in the order of their use, the newest last. */
function revisionsOf({ api }: Tools, owner: Owner): readonly ControllerRevision[] {
  return all(api, resource, owner.metadata.namespace)
    .filter((each) => controllerOf(each)?.uid === owner.metadata.uid)
    .toSorted((one, other) => one.revision - other.revision);
}

/** The revision of the template as it is now; an earlier one that comes back is the newest again. */
export function currentRevision(
  tools: Tools,
  owner: Owner,
  inUse: ReadonlySet<string>,
): { readonly name: string; readonly hash: string } {
  const { api } = tools;
  const data = withoutNothing({ spec: { template: { ...owner.spec.template, $patch: 'replace' } } });
  const revisions = revisionsOf(tools, owner);
  const last = revisions.at(-1)?.revision ?? 0;
  const same = revisions.findLast((each) => isDeepStrictEqual(withoutNothing(each.data), data));
  if (same !== undefined) {
    if (same.revision !== last)
      change(api, resource, same, (object) => (object['revision'] = last + 1), controllerManager);
    return { name: same.metadata.name, hash: hashLabelOf(same) };
  }
  const hash = hashOf(
    data,
    revisions.some(({ metadata }) => metadata.name === `${owner.metadata.name}-${hashOf(data)}`) ? 1 : 0,
  );
  const name = `${owner.metadata.name}-${hash}`;
  api.create(
    resource,
    {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name,
        namespace: owner.metadata.namespace ?? '',
        labels: { ...owner.spec.template.metadata?.labels, 'controller-revision-hash': hash },
        ...(owner.metadata.annotations === undefined ? {} : { annotations: owner.metadata.annotations }),
        ownerReferences: [ownedBy(owner)],
      },
      data,
      revision: last + 1,
    },
    controllerManager,
  );
  const idle = revisions.filter((each) => !inUse.has(hashLabelOf(each)));
  for (const { metadata } of idle.slice(0, Math.max(0, idle.length - (owner.spec.revisionHistoryLimit ?? 10))))
    api.delete(resource, metadata.namespace, metadata.name, {}, controllerManager);
  return { name, hash };
}

const hashLabelOf = ({ metadata }: ControllerRevision): string => metadata.labels?.['controller-revision-hash'] ?? '';
