import type { Mutable } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import { forbidden, notFound, Refusal } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { Cluster } from './cluster.ts';
import { metaOf } from './meta.ts';

/** Reviews are made in namespaces that are not there, too. */
const withoutNamespace = new Set(['authorization.k8s.io/localsubjectaccessreviews']);

/** Nothing is made where there is no namespace, or where one is about to go. */
export function admitCreate(cluster: Cluster, definition: ResourceDefinition, object: Mutable): void {
  const { namespace, name } = metaOf(object);
  if (!definition.namespaced || namespace === undefined || withoutNamespace.has(resourceKey(definition))) return;
  const home = cluster.store.get('/namespaces', undefined, namespace);
  if (home === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  if ((home['status'] as Mutable | undefined)?.['phase'] !== 'Terminating') return;
  const { status } = forbidden(
    definition,
    name ?? '',
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  throw new Refusal({
    ...status,
    details: {
      ...status.details,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  });
}
