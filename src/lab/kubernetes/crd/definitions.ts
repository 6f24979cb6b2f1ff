import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { forbidden } from '../refusal.ts';
import type { Named } from '../refusal.ts';
import { invalidValue } from '../schema/field-errors.ts';
import type { FieldError, ResourceDefinition, Strategy, Subresource } from '../resource.ts';
import type { Schema } from '../schema/schema.ts';
import { structuralSchema } from '../schema/structural.ts';
import { validateCustom } from '../schema/validate-custom.ts';
import { customColumns, selectable } from './columns.ts';
import { hasCondition, specOf, statusOf } from './crd.ts';
import type { CrdScale, CrdVersion } from './crd.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const anything: Schema = { type: 'object', preserveUnknown: true };

/** What an established CustomResourceDefinition serves, one for each version. */
export function customDefinitions(crd: KubeObject): readonly ResourceDefinition[] {
  const status = statusOf(crd);
  if (!hasCondition(status, 'Established')) return [];
  const spec = specOf(crd);
  const {
    plural = '',
    singular = '',
    kind = '',
    listKind = '',
    shortNames = [],
    categories = [],
  } = status.acceptedNames ?? {};
  const storageVersion = spec.versions?.find((each) => each.storage)?.name ?? '';
  const served = (spec.versions ?? []).filter((each) => each.served);
  const isEnding = crd.metadata.deletionTimestamp !== undefined;
  return served.map((version) => {
    const raw = version.schema?.openAPIV3Schema;
    const schema = raw === undefined ? anything : structuralSchema(raw);
    const subresources = subresourcesOf(version);
    return {
      group: spec.group ?? '',
      version: version.name ?? '',
      resource: plural,
      singular,
      kind,
      listKind,
      namespaced: spec.scope === 'Namespaced',
      shortNames,
      categories,
      verbs,
      storageVersion,
      schema,
      subresources,
      strategy: {
        ...strategyOf(schema, version, `${spec.group}/${version.name}`, kind),
        ...(isEnding && { prepareCreate: refuseNew({ group: spec.group ?? '', resource: plural }) }),
      },
      columns: customColumns(version.additionalPrinterColumns),
      custom: true,
      selectable: selectable(version.selectableFields),
    };
  });
}

const refuseNew =
  (what: Named) =>
  ({ metadata }: Mutable): void => {
    const { name = '' } = metadata as { readonly name?: string };
    throw forbidden(what, name, 'create not allowed while custom resource definition is terminating');
  };

function subresourcesOf({ subresources }: CrdVersion): Readonly<Record<string, Subresource>> {
  const { status, scale } = subresources ?? {};
  return {
    ...(status !== undefined && { status: { kind: 'status' } }),
    ...(scale !== undefined && { scale: scaleOf(scale) }),
  };
}

const stepsOf = (path: string | undefined): readonly string[] => (path ?? '').split('.').slice(1);

const scaleOf = ({ specReplicasPath, statusReplicasPath, labelSelectorPath }: CrdScale): Subresource => ({
  kind: 'scale',
  specReplicas: stepsOf(specReplicasPath),
  statusReplicas: stepsOf(statusReplicasPath),
  ...(labelSelectorPath !== undefined && { selector: stepsOf(labelSelectorPath) }),
});

function strategyOf(schema: Schema, version: CrdVersion, apiVersion: string, kind: string): Strategy {
  const { scale } = version.subresources ?? {};
  const judge = (object: KubeObject, old?: KubeObject): readonly FieldError[] =>
    validateCustom(schema, object, old, scale === undefined ? [] : validateReplicas(object, scale));
  const warning = version.deprecationWarning ?? `${apiVersion} ${kind} is deprecated`;
  return {
    validate: (object) => judge(object),
    validateUpdate: judge,
    ...(version.deprecated === true && { warnings: () => [warning] }),
  };
}

/** Whether the number of replicas can be read where the scale subresource looks for it. */
function validateReplicas(object: KubeObject, { specReplicasPath = '' }: CrdScale): readonly FieldError[] {
  let value: unknown = object;
  for (const name of stepsOf(specReplicasPath)) {
    if (value === undefined) return [];
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [
        unreadable(
          specReplicasPath,
          `${plain(value)} is of the type ${goType(value)}, expected map[string]interface{}`,
        ),
      ];
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  if (value === undefined) return [];
  if (!Number.isInteger(value))
    return [unreadable(specReplicasPath, `${plain(value)} is of the type ${goType(value)}, expected int64`)];
  const replicas = Number(value);
  if (replicas < 0) return [invalidValue(specReplicasPath, replicas, 'should be a non-negative integer')];
  return [];
}

const unreadable = (path: string, detail: string): FieldError =>
  invalidValue(path, 0, `${path} accessor error: ${detail}`);

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : value === null ? '<nil>' : 'string';
}
