import type { KubeObject, ObjectMeta, OwnerReference } from '../../../wire/kubernetes/objects.ts';
import { resourceKey } from '../discovery/registry.ts';
import { quote } from '../refusal.ts';
import type { FieldError, ResourceDefinition } from '../resource.ts';
import { dnsLabel, labelKey, labelValueComplaints, pathSegment, subdomain } from './names.ts';
import type { Complaints } from './names.ts';

const wrong = (field: string, value: string, message: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field: `metadata.${field}`,
  message: `Invalid value: ${value}: ${message}`,
});

/** How things of a kind may be called, where DNS does not say it. */
function nameRule(definition: ResourceDefinition): (name: string) => Complaints {
  if (definition.group === 'rbac.authorization.k8s.io') return pathSegment;
  switch (resourceKey(definition)) {
    case '/namespaces':
    case '/services':
      return dnsLabel;
    default:
      return (name) => subdomain(name);
  }
}

/** What is wrong with the metadata of something new. */
export function metadataErrors(definition: ResourceDefinition, { metadata }: KubeObject): readonly FieldError[] {
  const rule = nameRule(definition);
  const { name = '', generateName = '', generation = 0, namespace } = metadata;
  return [
    ...(generateName === ''
      ? []
      : rule(masked(generateName)).map((each) => wrong('generateName', quote(generateName), each))),
    ...(name === ''
      ? [required('name', 'name or generateName is required')]
      : rule(name).map((each) => wrong('name', quote(name), each))),
    ...(definition.namespaced && namespace !== undefined
      ? dnsLabel(namespace).map((each) => wrong('namespace', quote(namespace), each))
      : []),
    ...(generation < 0 ? [wrong('generation', String(generation), 'must be greater than or equal to 0')] : []),
    ...commonErrors(definition, metadata),
  ];
}

const required = (field: string, message: string): FieldError => ({
  reason: 'FieldValueRequired',
  field: `metadata.${field}`,
  message: `Required value: ${message}`,
});

/** A prefix may end with a dash: something comes behind it. */
const masked = (prefix: string): string =>
  prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;

const annotationsLimit = 256 * 1024;

function commonErrors(definition: ResourceDefinition, metadata: ObjectMeta): readonly FieldError[] {
  const { labels = {}, annotations = {}, ownerReferences = [], finalizers = [] } = metadata;
  const size = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...Object.entries(labels).flatMap(([key, value]) => [
      ...labelKey(key).map((each) => wrong('labels', quote(key), each)),
      ...labelValueComplaints(value).map((each) => wrong('labels', quote(value), each)),
    ]),
    ...Object.keys(annotations).flatMap((key) =>
      labelKey(key.toLowerCase()).map((each) => wrong('annotations', quote(key), each)),
    ),
    ...(size > annotationsLimit
      ? [
          {
            reason: 'FieldValueTooLong' as const,
            field: 'metadata.annotations',
            message: `Too long: may not be more than ${annotationsLimit} bytes`,
          },
        ]
      : []),
    ...ownerErrors(ownerReferences),
    ...finalizers.flatMap((each) => labelKey(each).map((complaint) => wrong('finalizers', quote(each), complaint))),
    ...(finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')
      ? [wrong('finalizers', JSON.stringify(finalizers), 'finalizer orphan and foregroundDeletion cannot be both set')]
      : []),
    ...(definition.custom || lenient.has(definition.group) ? [] : finalizers.flatMap(standardFinalizer)),
  ];
}

/** Groups that take finalizers of any name. */
const lenient = new Set(['admissionregistration.k8s.io', 'apiextensions.k8s.io', 'apiregistration.k8s.io']);
const standard = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

const standardFinalizer = (name: string, index: number): readonly FieldError[] =>
  name.includes('/') || standard.has(name)
    ? []
    : [
        wrong(
          `finalizers[${index}]`,
          quote(name),
          'name is neither a standard finalizer name nor is it fully qualified',
        ),
      ];

function ownerErrors(references: readonly OwnerReference[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const each of references) {
    const { apiVersion, kind, name, uid } = each;
    if (apiVersion === '' || apiVersion.endsWith('/'))
      errors.push(wrong('ownerReferences.apiVersion', quote(apiVersion), 'version must not be empty'));
    for (const [field, value] of Object.entries({ kind, name, uid }))
      if (value === '') errors.push(wrong(`ownerReferences.${field}`, quote(value), 'must not be empty'));
    if (apiVersion === 'v1' && kind === 'Event')
      errors.push(wrong('ownerReferences', JSON.stringify(each), '/v1, Kind=Event is disallowed from being an owner'));
    if (each.controller !== true) continue;
    if (controller !== undefined)
      errors.push(
        wrong(
          'ownerReferences',
          JSON.stringify(references),
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${kind}/${name}`,
        ),
      );
    controller ??= `${kind}/${name}`;
  }
  return errors;
}

/** What is wrong with metadata that somebody changed. The API server says all of it twice. */
export function metadataUpdateErrors(
  definition: ResourceDefinition,
  given: ObjectMeta,
  old: ObjectMeta,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const added = (given.finalizers ?? []).filter((each) => !(old.finalizers ?? []).includes(each));
  if (old.deletionTimestamp !== undefined && added.length > 0)
    errors.push({
      reason: 'FieldValueForbidden',
      field: 'metadata.finalizers',
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${[...new Set(added)].sort().map(quote).join(', ')}}`,
    });
  for (const field of ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    const [now, before] = [given[field], old[field]];
    if (now !== undefined && now !== '' && now !== before)
      errors.push(wrong(field, typeof now === 'number' ? String(now) : quote(now), 'field is immutable'));
  }
  errors.push(...commonErrors(definition, given));
  return [...errors, ...errors];
}
