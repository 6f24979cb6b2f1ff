import { field } from './element.ts';
import { FieldSet } from './field-set.ts';

/** What the server keeps itself and nobody can own. */
export const neverOwned: FieldSet = FieldSet.of(
  [field('apiVersion')],
  [field('kind')],
  [field('metadata')],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => [field('metadata'), field(name)]),
);

/** Where writing the status may touch no metadata at all. */
const statusOnly: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiserver.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'resource.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

const withoutStatus: ReadonlySet<string> = new Set(['apiregistration.k8s.io/APIService']);

/**
 * Fields that a write resets, so that it cannot come to own them: the status, and with the status subresource
 * everything else.
 */
export function resetBy(
  group: string,
  kind: string,
  options: { readonly custom: boolean; readonly hasStatus: boolean; readonly subresource: string | undefined },
): FieldSet {
  const { subresource } = options;
  if (subresource === 'status') {
    const metadata =
      options.custom || statusOnly.has(group)
        ? [[field('metadata')]]
        : (resetMetadata[`${group}/${kind}`] ?? []).map((name) => [field('metadata'), field(name)]);
    return FieldSet.of([field('spec')], ...metadata);
  }
  if (subresource === 'approval') return FieldSet.of([field('spec')], [field('status'), field('certificate')]);
  const hasStatus = options.hasStatus && !withoutStatus.has(`${group}/${kind}`);
  return hasStatus ? FieldSet.of([field('status')]) : new FieldSet();
}

const resetMetadata: Readonly<Record<string, readonly string[]>> = {
  'apps/Deployment': ['labels'],
  '/Pod': ['deletionTimestamp', 'ownerReferences'],
};
