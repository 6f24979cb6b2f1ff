import type { FieldNote, Scalar, TypeNote, TypeRef } from '../../../wire/kubernetes/notation.ts';
import { builtinResources } from '../../../wire/kubernetes/resources.ts';
import type { ResourceNote, SubresourceNote } from '../../../wire/kubernetes/resources.ts';
import { openApiName, typeNote } from '../../../wire/kubernetes/types.ts';
import type { ResourceDefinition, Subresource } from '../resource.ts';
import type { Schema } from './schema.ts';

type BuiltinDefinition = Omit<ResourceDefinition, 'strategy' | 'columns' | 'selectable'>;

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const scalars: Readonly<Record<Scalar, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time', name: `${meta}.Time` },
  microtime: { type: 'string', format: 'date-time', name: `${meta}.MicroTime` },
  quantity: { type: 'string', format: 'quantity', name: 'io.k8s.apimachinery.pkg.api.resource.Quantity' },
  intstr: { type: 'int-or-string', name: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString' },
  raw: { type: 'any', preserveUnknown: true, name: 'io.k8s.apimachinery.pkg.runtime.RawExtension' },
  json: { type: 'any', preserveUnknown: true, name: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON' },
  fields: { type: 'any', preserveUnknown: true, name: `${meta}.FieldsV1` },
};

const schemas = new Map<string, Schema>();

/** The shape of `core.Pod`; the same for every twin, and made when it is first asked for. */
export function builtinSchema(name: string): Schema {
  let schema = schemas.get(name);
  if (schema === undefined) {
    const note = typeNote(name);
    if (note === undefined) throw new Error(`Nobody wrote down what ${name} is.`);
    schemas.set(name, (schema = schemaOf(name, note)));
  }
  return schema;
}

function schemaOf(name: string, note: TypeNote): Schema {
  switch (note.kind) {
    case 'enum':
      return { type: 'string', enum: note.values };
    case 'either':
      return { type: 'any', preserveUnknown: true, name: openApiName(name), either: () => note.of.map(refSchema) };
    case 'struct': {
      const names = note.fields.map((field) => field.name);
      const required = note.fields.filter((field) => field.required).map((field) => field.name);
      return {
        type: 'object',
        name: openApiName(name),
        properties: () => names,
        property: propertiesOf(note.fields),
        ...(required.length > 0 && { required }),
        ...(note.atomic && { atomic: true }),
      };
    }
  }
}

function propertiesOf(fields: readonly FieldNote[]): (name: string) => Schema | undefined {
  let notes: Map<string, FieldNote> | undefined;
  const made = new Map<string, Schema>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    notes ??= new Map(fields.map((field) => [field.name, field]));
    const note = notes.get(name);
    if (note === undefined) return undefined;
    const schema = fieldSchema(note);
    made.set(name, schema);
    return schema;
  };
}

function fieldSchema(note: FieldNote): Schema {
  const { atomic, ...schema } = refSchema(note.type);
  const isAtomic = note.mapType === undefined ? atomic === true : note.mapType === 'atomic';
  const fallback = note.default ?? emptyDefault(note, schema);
  return {
    ...schema,
    ...(isAtomic && { atomic: true }),
    ...(note.mapType === 'granular' && { granular: true }),
    ...(fallback !== undefined && { default: fallback }),
    ...(note.listType !== undefined && { listType: note.listType }),
    ...(note.listMapKeys !== undefined && { listMapKeys: note.listMapKeys }),
    ...(note.patchStrategy !== undefined && { patchStrategy: note.patchStrategy }),
    ...(note.patchMergeKey !== undefined && { patchMergeKey: note.patchMergeKey }),
    ...((note.pointer || note.kept) && { pointer: true }),
    ...(note.omitZero ? { written: 'unless zero' as const } : !note.omitEmpty && { written: 'always' as const }),
  };
}

/** What OpenAPI states because Go has no other empty value. */
function emptyDefault(note: FieldNote, schema: Schema): unknown {
  if (note.pointer) return undefined;
  if (schema.type === 'object') return {};
  if (note.omitEmpty || note.type.kind === 'list' || note.type.kind === 'map') return undefined;
  if (schema.type === 'string') return schema.format === undefined ? '' : undefined;
  if (schema.type === 'integer' || schema.type === 'number') return 0;
  return schema.type === 'boolean' ? false : undefined;
}

function refSchema(ref: TypeRef): Schema {
  switch (ref.kind) {
    case 'scalar':
      return scalars[ref.scalar];
    case 'named':
      return builtinSchema(ref.name);
    case 'list':
      return { type: 'array', items: () => refSchema(ref.of) };
    case 'map':
      return { type: 'map', values: () => refSchema(ref.of) };
  }
}

let definitions: readonly BuiltinDefinition[] | undefined;

/** Everything that is served without a CustomResourceDefinition, in discovery’s order. */
export function builtinDefinitions(): readonly BuiltinDefinition[] {
  definitions ??= builtinResources().map(definitionOf);
  return definitions;
}

function definitionOf(note: ResourceNote): BuiltinDefinition {
  const { group, version, resource, singular, kind, namespaced, shortNames, categories, verbs, stored } = note;
  return {
    group,
    version,
    resource,
    singular,
    kind,
    listKind: `${kind}List`,
    namespaced,
    shortNames,
    categories,
    verbs,
    storageVersion: stored?.version ?? version,
    ...(stored !== undefined && stored.group !== group && { storageGroup: stored.group }),
    get schema() {
      return builtinSchema(note.type);
    },
    subresources: Object.fromEntries(note.subresources.map((each) => [each.name, subresourceOf(note, each)])),
    custom: false,
  };
}

function subresourceOf(parent: ResourceNote, note: SubresourceNote): Subresource {
  if (note.name === 'status') return { kind: 'status' };
  if (note.name === 'scale') {
    return {
      kind: 'scale',
      specReplicas: ['spec', 'replicas'],
      statusReplicas: ['status', 'replicas'],
      selector: ['spec', 'selector'],
    };
  }
  const isElsewhere = note.group !== parent.group || note.version !== parent.version;
  return {
    kind: 'other',
    ...(isElsewhere && { group: note.group, version: note.version }),
    objectKind: note.kind,
    verbs: note.verbs,
  };
}
