import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError } from '../resource.ts';
import { invalidValue, notSupported, required } from '../schema/field-errors.ts';
import { specOf, statusOf } from './crd.ts';
import type { CrdSpec, CrdStatus, CrdVersion } from './crd.ts';
import { labelProblem, subdomainProblem } from './labels.ts';
import { validateNames } from './validate-names.ts';
import { validateVersionParts } from './validate-version.ts';

export function validateCrd(crd: KubeObject): readonly FieldError[] {
  const spec = specOf(crd);
  return [
    ...validateName(crd.metadata.name ?? '', spec),
    ...validateSpec(spec),
    ...validateStored(spec, statusOf(crd)),
  ];
}

export function validateCrdUpdate(next: KubeObject, old: KubeObject): readonly FieldError[] {
  const spec = specOf(next);
  return [...validateSpec(spec), ...validateStored(spec, statusOf(next)), ...validateImmutable(spec, old)];
}

function validateName(name: string, spec: CrdSpec): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (name !== `${spec.names?.plural ?? ''}.${spec.group ?? ''}`)
    errors.push(invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  return errors;
}

function validateSpec(spec: CrdSpec): readonly FieldError[] {
  const { group = '', scope = '' } = spec;
  const errors: FieldError[] = [];
  const groupProblem = subdomainProblem(group);
  if (group === '') errors.push(required('spec.group'));
  else if (groupProblem !== undefined) errors.push(invalidValue('spec.group', group, groupProblem));
  else if (!group.includes('.'))
    errors.push(invalidValue('spec.group', group, 'should be a domain with at least one dot'));
  if (scope === '') errors.push(required('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced')
    errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  if (spec.preserveUnknownFields === true)
    errors.push(
      invalidValue(
        'spec.preserveUnknownFields',
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    );
  const versions = spec.versions ?? [];
  errors.push(...versions.flatMap(validateVersion));
  const names = versions.map(({ name }) => name);
  if (new Set(names).size !== names.length)
    errors.push(invalidValue('spec.versions', inGo(versions), 'must contain unique version names'));
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(
      invalidValue(
        'spec.versions',
        spec.versions === undefined || spec.versions === null ? null : inGo(versions),
        'must have exactly one version marked as storage version',
      ),
    );
  const [first] = versions;
  const firstProblem = labelProblem(first?.name ?? '');
  if (first !== undefined && firstProblem !== undefined)
    errors.push(invalidValue('spec.version', first.name ?? '', firstProblem));
  errors.push(...validateVersionParts(versions), ...validateNames(spec.names ?? {}), ...validateConversion(spec));
  return errors;
}

function validateVersion(version: CrdVersion, index: number): readonly FieldError[] {
  const path = `spec.versions[${index}]`;
  const { name = '', deprecated, deprecationWarning } = version;
  const problem = labelProblem(name);
  const errors: FieldError[] = [];
  if (problem !== undefined) errors.push(invalidValue(`${path}.name`, name, problem));
  if (deprecationWarning !== undefined && deprecated !== true)
    errors.push(
      invalidValue(`${path}.deprecationWarning`, deprecationWarning, 'can only be set for deprecated versions'),
    );
  if (version.schema?.openAPIV3Schema === undefined) errors.push(required(`${path}.schema.openAPIV3Schema`));
  return errors;
}

/** Versions as the server’s own type shows them. What all have in common is not in it. */
const inGo = (versions: readonly CrdVersion[]): unknown =>
  versions.map(({ name = '', served = false, storage = false, deprecated = false, deprecationWarning = null }) => ({
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated,
    DeprecationWarning: deprecationWarning,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  }));

function validateConversion(spec: CrdSpec): readonly FieldError[] {
  const { strategy = '', webhook } = spec.conversion ?? {};
  if (strategy === '') return [required('spec.conversion.strategy')];
  if (strategy === 'None') return [];
  if (strategy !== 'Webhook') return [notSupported('spec.conversion.strategy', strategy, ['None', 'Webhook'])];
  const errors: FieldError[] = [];
  if (webhook?.['clientConfig'] === undefined)
    errors.push(required('spec.conversion.webhookClientConfig', 'required when strategy is set to Webhook'));
  if (webhook?.['conversionReviewVersions'] === undefined)
    errors.push(required('spec.conversion.conversionReviewVersions'));
  return errors;
}

function validateStored(spec: CrdSpec, status: CrdStatus): readonly FieldError[] {
  const stored = status.storedVersions ?? [];
  if (stored.length === 0)
    return [
      invalidValue('status.storedVersions', status.storedVersions ?? null, 'must have at least one stored version'),
    ];
  const versions = spec.versions ?? [];
  const missing = stored.flatMap((name, index) =>
    versions.some((each) => each.name === name)
      ? []
      : [
          invalidValue(
            `status.storedVersions[${index}]`,
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
          ),
        ],
  );
  const storage = versions.findLast((each) => each.storage)?.name;
  const isThere =
    storage === undefined || (stored.includes(storage) && versions.filter((each) => each.storage).length === 1);
  return isThere
    ? missing
    : [...missing, invalidValue('status.storedVersions', stored, `must have the storage version ${storage}`)];
}

function validateImmutable(spec: CrdSpec, oldCrd: KubeObject): readonly FieldError[] {
  const old = specOf(oldCrd);
  const isEstablished =
    statusOf(oldCrd).conditions?.some((each) => each.type === 'Established' && each.status === 'True') === true;
  const fixed = (field: string, next: unknown, before: unknown): readonly FieldError[] =>
    isDeepStrictEqual(next, before) ? [] : [invalidValue(field, next ?? '', 'field is immutable')];
  return [
    ...(isEstablished ? fixed('spec.scope', spec.scope, old.scope) : []),
    ...(isEstablished ? fixed('spec.names.kind', spec.names?.kind, old.names?.kind) : []),
    ...fixed('spec.group', spec.group, old.group),
    ...fixed('spec.names.plural', spec.names?.plural, old.names?.plural),
  ];
}
