import type { ResourceDefinition } from '../resource.ts';
import { isRaw } from '../schema/structural.ts';
import type { RawSchema } from '../schema/structural.ts';
import { customName, refTo } from './schemas.ts';
import type { Dialect, Document } from './schemas.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The types of a custom resource and of its list. */
export function customSchemas(definition: ResourceDefinition, dialect: Dialect): Document {
  const { group, version, kind, listKind, schema } = definition;
  const name = customName(definition, kind);
  const raw = schema.raw ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const written = dialect === 'v2' ? older(raw) : raw;
  const pick = Object.keys(definition.selectable).map((fieldPath) => ({ fieldPath }));
  return {
    [name]: {
      ...written,
      ...(written['x-kubernetes-preserve-unknown-fields'] !== true || isRaw(written['properties'])
        ? {
            properties: {
              ...(isRaw(written['properties']) ? written['properties'] : {}),
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata:
                dialect === 'v3'
                  ? { allOf: [refTo(dialect, `${meta}.ObjectMeta`)] }
                  : refTo(dialect, `${meta}.ObjectMeta`),
            },
          }
        : {}),
      'x-kubernetes-group-version-kind': [{ group, kind, version }],
      ...(pick.length > 0 && { 'x-kubernetes-selectable-fields': pick }),
    },
    [customName(definition, listKind)]: {
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        items: { type: 'array', items: refTo(dialect, name) },
        kind: { type: 'string' },
        metadata:
          dialect === 'v3' ? { allOf: [refTo(dialect, `${meta}.ListMeta`)] } : refTo(dialect, `${meta}.ListMeta`),
      },
      'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
      ...(pick.length > 0 && { 'x-kubernetes-selectable-fields': pick }),
    },
  };
}

const onlyNewer = new Set(['anyOf', 'oneOf', 'not', 'nullable', 'x-kubernetes-int-or-string']);

/** Without what Swagger 2.0 cannot say; values that may be null or of two types are of none. */
function older(raw: RawSchema): RawSchema {
  const isOpen =
    raw['nullable'] === true ||
    raw['x-kubernetes-int-or-string'] === true ||
    raw['x-kubernetes-preserve-unknown-fields'] === true;
  const entries = Object.entries(raw).flatMap(([key, value]): [string, unknown][] => {
    if (onlyNewer.has(key))
      return raw['x-kubernetes-int-or-string'] === true && key === 'x-kubernetes-int-or-string' ? [[key, value]] : [];
    if (isOpen && ['type', 'properties', 'items', 'additionalProperties', 'required'].includes(key)) return [];
    if (key === 'properties' && isRaw(value))
      return [
        [
          key,
          Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isRaw(each) ? older(each) : each])),
        ],
      ];
    if ((key === 'items' || key === 'additionalProperties') && isRaw(value)) return [[key, older(value)]];
    return [[key, value]];
  });
  return Object.fromEntries(entries);
}
